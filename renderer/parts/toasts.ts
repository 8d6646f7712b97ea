/** Short feedback at the lower right: what was undone can be, what failed and why. Never what the timeline says already. */
export interface Toast { id: number; tone: 'info' | 'failed'; text: string; undo: (() => Promise<void>) | null }

export interface Toasts {
  info(text: string): void
  failed(text: string): void
  undoable(text: string, undo: () => Promise<void>): void
  /** takes back what the newest toast on the screen offers to take back */
  undoLast(): void
}

/** How long a toast stays: time enough to read it, find the button and press it (design README: 8 s). */
export const toastMs = 8_000

/** Puts a toast on the screen and calls `onGone` when it leaves it; @returns what takes it away. */
export type ShowToast = (toast: Toast, onGone: () => void) => () => void

export function createToasts(show: ShowToast): Toasts {
  const undoable = new Map<number, () => Promise<void>>()
  let lastId = 0
  const put = (tone: Toast['tone'], text: string, undo: (() => Promise<void>) | null): void => {
    const id = ++lastId
    const once = undo && (async () => {
      // Gone from the map first: an undo runs once, whatever is pressed how often.
      if (!undoable.delete(id)) return
      close()
      await undo()
    })
    if (once) undoable.set(id, once)
    const close = show({ id, tone, text, undo: once }, () => { undoable.delete(id) })
  }
  return {
    info: (text) => put('info', text, null),
    failed: (text) => put('failed', text, null),
    undoable: (text, undo) => put('info', text, undo),
    undoLast() { void [...undoable.values()].at(-1)?.() },
  }
}
