import { useApp, useLive, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Button } from '../parts/button.tsx'
import { Ticking } from '../time/ticking.tsx'
import type { SessionView } from '../../shared/state.ts'

/** Its last turn ended at a provider's limit: when that lifts, and whether the session goes on by itself then. */
export function LimitLine({ session }: { session: SessionView }) {
  const { actions } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const { limit } = session
  if (!limit) return null
  const { provider, since, lifts, resume, resumeAt } = limit
  const instant = resumeAt ?? lifts
  return (
    <section className="next" aria-label={w.card.limit}>
      <Icon name="alarm" />
      <Ticking
        className="cut num"
        title={instant === null ? undefined : f.instant(instant)}
        text={(now) => s.say({ code: 'limited', provider, since, lifts, resumeAt }, now)}
      />
      <span className="grow" />
      {resume ? (
        <Button
          does="cancelResume"
          small
          tone="quiet"
          title={w.card.cancelResumeHint}
          aria-label={`${w.card.cancelResume}: ${w.card.cancelResumeHint}`}
          disabled={!live}
          onClick={() => void actions.cancelResume(session.id)}
        >
          {w.card.cancelResume}
        </Button>
      ) : (
        <Button
          does="setResumeAtReset"
          small
          disabled={!live}
          onClick={() => void actions.resumeAtReset([session.id], true)}
        >
          {w.card.continueAtReset}
        </Button>
      )}
    </section>
  )
}
