/** Short feedback at the lower right: what was undone can be, what failed and why. Never what the timeline says already. */
export interface Toast { id: number; tone: 'info' | 'failed'; text: string; undo: (() => Promise<void>) | null }

export interface Toasts {
  info(text: string): void
  failed(text: string): void
  undoable(text: string, undo: () => Promise<void>): void
  undoLast(): void
}

/** How long a toast stays: time enough to read it, find the button and press it (design README: 8 s). */
export const toastMs = 8_000

/** @param show puts a toast on the screen; @returns what takes it away */
export function createToasts(show: (toast: Toast) => () => void): Toasts {
  let lastId = 0
  let open: { run: () => Promise<void>; close: () => void; id: number } | null = null
  const put = (tone: Toast['tone'], text: string, undo: (() => Promise<void>) | null): void => {
    const id = ++lastId
    const once = undo && (async () => {
      if (open?.id === id) open = null
      close()
      await undo()
    })
    const close = show({ id, tone, text, undo: once })
    if (once) open = { run: once, close, id }
  }
  return {
    info: (text) => put('info', text, null),
    failed: (text) => put('failed', text, null),
    undoable: (text, undo) => put('info', text, undo),
    undoLast() { void open?.run() },
  }
}
