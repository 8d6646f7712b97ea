import { useApp, useWords, useEngine, useLive } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { SessionView, HeldMarkerView } from '../../../shared/state.ts'
import { TwoAnswers } from '../../parts/two-answers.tsx'
import { visible } from '../checks/words.ts'

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

/** A person's possible answers to a marker that was not followed. */
function HeldMarkerActions({
  session,
  held,
  small = false,
}: {
  session: string
  held: HeldMarkerView
  small?: boolean
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <TwoAnswers
      live={live}
      small={small}
      first={{
        does: 'applyMarker',
        label: w.card.markerApply,
        hint: w.card.markerApplyHint,
        onClick: () => void actions.applyMarker(session, held.id),
      }}
      other={{
        does: 'forgetMarker',
        label: w.card.markerForget,
        hint: w.card.markerForgetHint,
        onClick: () => void actions.forgetMarker(session, held.id),
      }}
    />
  )
}

/** The same in a row of the timeline, while it waits; a goal in a file is looked at on its card. */
export function HeldMarkerRow({ session, id }: { session: string | null; id: string | undefined }) {
  const held = useEngine((state) =>
    session === null ? undefined : state.sessions.get(session)?.heldMarkers?.find((one) => one.id === id),
  )
  if (session === null || !held || held.goal !== undefined) return null
  return (
    <>
      {' '}
      <HeldMarkerActions session={session} held={held} small />
    </>
  )
}
