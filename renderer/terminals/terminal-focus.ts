import { useEffect, useLayoutEffect, type RefObject } from 'react'
import { useUi } from '../app-context.ts'

/** True while nothing on the page has the keyboard: typed letters would be lost. */
export const focusIsNowhere = (doc: Document = document): boolean =>
  doc.activeElement === null || doc.activeElement === doc.body

/** A focus in use stays where it is: while the person writes, moves with the arrow keys, or answers a dialog. */
const mayTakeFocus = (): boolean =>
  focusIsNowhere() ||
  !(document.activeElement?.matches(':focus-visible') || document.activeElement?.closest('[role="dialog"]'))

/** For those who were led to a terminal by a key. It is focused once it is there. */
export function focusTerminal(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.term:not(.watched)')?.focus())
}

/**
 * A terminal has the keyboard when it opens, and again when whatever had it goes away. Without that the next letters
 * are shortcuts of the page.
 */
export function useTerminalFocus(place: RefObject<HTMLElement | null>, takesInput: boolean, session: string | null) {
  useLayoutEffect(() => {
    if (takesInput && mayTakeFocus()) place.current?.focus()
  }, [place, takesInput])
  const dialog = useUi((s) => s.dialog !== null)
  const finding = useUi((s) => s.findInTerminal)
  useEffect(() => {
    if (takesInput && !dialog && !finding && focusIsNowhere()) place.current?.focus()
  }, [place, takesInput, session, dialog, finding])
}
