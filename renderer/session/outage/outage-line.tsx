import { targetText } from '../../../shared/target-text.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import type { Words } from '../../i18n/index.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button } from '../../parts/button.tsx'
import type { SessionOutage } from '../../../shared/outage.ts'
import type { SessionView } from '../../../shared/state.ts'

/** The person's choice for the time the session's turns fail, as long as it holds, and its end. */
export function OutageLine({ session }: { session: SessionView }) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const { outage } = session
  if (!outage) return null
  const said = outageText(outage, w)
  return (
    <section className="next" aria-label={w.outage.label}>
      <Icon name={outage.standIn === null ? 'bell' : 'routes'} />
      <span className="cut" title={`${said} (${f.instant(outage.since)})`}>
        {said}
      </span>
      <span className="grow" />
      <Button
        does="setOutage"
        small
        tone="quiet"
        title={outage.standIn === null ? w.outage.endTellHint : w.outage.endHint}
        disabled={!live}
        onClick={() => void actions.setOutage({ session: session.id, tell: false, standIn: null })}
      >
        {outage.standIn === null ? w.outage.endTell : w.outage.end}
      </Button>
    </section>
  )
}

/** The choice that holds until something answers again, in a sentence. */
export function outageText({ failed, tell, standIn }: SessionOutage, w: Words['w']): string {
  const waits = failed.map(targetText).join(w.outage.or)
  if (standIn === null) return w.outage.waits(waits)
  return w.outage.uses(targetText(standIn), waits, tell)
}
