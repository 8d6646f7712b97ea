import { useApp, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button } from '../../parts/button.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { outageText } from './outage-text.ts'

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
