import type { MouseEvent } from 'react'
import { useApp, useWords } from '../app-context.ts'
import type { HeldMarkerView } from '../../shared/state.ts'

/** At the side of a session's row: what to do with a marker that was not followed. */
export function MarkerLinks({ session, held, onOpen }: { session: string; held: HeldMarkerView; onOpen: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const link = (text: string, act: () => void) => (
    <button
      type="button"
      className="link"
      onClick={(event: MouseEvent) => {
        event.stopPropagation()
        act()
      }}
    >
      {text}
    </button>
  )
  // A goal in a file is looked at first.
  if (held.goal !== undefined) return link(w.card.markerLook, onOpen)
  return (
    <>
      {link(w.card.markerApply, () => void actions.applyMarker(session, held.id))}
      {' / '}
      {link(w.card.markerForget, () => void actions.forgetMarker(session, held.id))}
    </>
  )
}
