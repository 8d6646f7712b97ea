import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { TwoAnswers } from '../../parts/two-answers.tsx'
import type { HeldMarkerView } from '../../../shared/state.ts'

/** A person's possible answers to a marker that was not followed. */
export function HeldMarkerActions({
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
