import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import type { HeldMarkerView } from '../../../shared/state.ts'

/** What a person may answer to a marker that was not followed. */
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
    <>
      <Button
        small={small}
        tone={small ? undefined : 'primary'}
        title={w.card.markerApplyHint}
        disabled={!live}
        onClick={() => void actions.applyMarker(session, held.id)}
      >
        {w.card.markerApply}
      </Button>
      <Button
        small={small}
        tone="quiet"
        title={w.card.markerForgetHint}
        disabled={!live}
        onClick={() => void actions.forgetMarker(session, held.id)}
      >
        {w.card.markerForget}
      </Button>
    </>
  )
}

/** The same in a row of the timeline, while it waits; what stands in a file is looked at on its card. */
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
