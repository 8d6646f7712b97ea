import { useApp, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { visible } from '../checks/words.ts'
import { HeldMarkerActions } from './held-marker-actions.tsx'

/** Markers that were cut out and not followed, each with what it would do, before a person says a word on it. */
export function HeldMarkerCards({ session }: { session: SessionView }) {
  const { w, s } = useWords()
  if (!session.heldMarkers) return null
  const cards = session.heldMarkers.map((held) => (
    <section key={held.id} className="card" aria-label={s.markerHeld(held.why)}>
      <Trouble
        shape="needs"
        title={s.markerHeld(held.why)}
        text={held.goal === undefined ? w.card.markerText : w.card.markerGoalText}
      >
        <p className="quote mono">{inLines(held.marker)}</p>
        {held.goal !== undefined && (
          <p className="quote" tabIndex={0} aria-label={w.card.markerGoal}>
            {inLines(held.goal)}
          </p>
        )}
        <div className="hstack">
          <HeldMarkerActions session={session.id} held={held} />
        </div>
      </Trouble>
    </section>
  ))
  return <div className="d-cards single">{cards}</div>
}

/** Nothing in what is judged may be invisible; its lines stay. */
const inLines = (text: string): string => text.split(/\r?\n/).map(visible).join('\n')

/** Where the cards are not shown: that some marker waits, and the way to it. */
export function HeldMarkersLine({ session }: { session: SessionView }) {
  const { navigation } = useApp()
  const { w, s } = useWords()
  const last = session.heldMarkers?.at(-1)
  if (!last) return null
  return (
    <section className="next" aria-label={w.card.markerWaits}>
      <Icon name="help" />
      <span className="cut" title={last.marker}>
        {s.markerHeld(last.why)}
      </span>
      <span className="grow" />
      <Button
        small
        onClick={() =>
          navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'timeline' } })
        }
      >
        {w.card.markerLook}
      </Button>
    </section>
  )
}
