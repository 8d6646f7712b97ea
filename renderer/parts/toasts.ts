/** Short feedback at the lower right: undo for an act, or a failure and its reason. Never repeats the timeline. */
export interface ToastAction {
  text: string
  run(): void
}
export interface Toast {
  id: number
  tone: 'info' | 'failed' | 'alarm'
  title: string | null
  text: string
  undo: (() => Promise<void>) | null
  actions: readonly ToastAction[]
  /** how long it stays, milliseconds */ ms: number
}

/** A notice from the engine to the person; pressing one of its actions closes it. */
export interface ToastNotice {
  tone: 'alarm' | 'failed'
  title: string
  text: string
  actions: readonly ToastAction[]
}

export interface Toasts {
  info(text: string): void
  failed(text: string): void
  undoable(text: string, undo: () => Promise<void>): void
  /** a later one of the same key takes the place of the one before */
  notice(key: string, notice: ToastNotice): void
  /** it is on the screen still */
  stands(key: string): boolean
  withdraw(key: string): void
  /** takes back what the newest toast on the screen offers to take back */
  undoLast(): void
}

/** How long a toast stays: time enough to read it, find the button and press it (design README: 8 s). */
export const toastMs = 8_000
/** For a notice that the person did not ask for at this moment, about something that rings. */
export const noticeMs = 60_000

/** Puts a toast on the screen and calls `onGone` when it leaves it; @returns what takes it away. */
export type ShowToast = (toast: Toast, onGone: () => void) => () => void

export function createToasts(show: ShowToast): Toasts {
  const undoable = new Map<number, () => Promise<void>>()
  const notices = new Map<string, { id: number; close: () => void }>()
  let lastId = 0
  const put = (tone: Toast['tone'], text: string, undo: (() => Promise<void>) | null): void => {
    const id = ++lastId
    const once =
      undo &&
      (async () => {
        // Gone from the map first: an undo runs once, whatever is pressed how often.
        if (!undoable.delete(id)) return
        close()
        await undo()
      })
    if (once) undoable.set(id, once)
    const close = show({ id, tone, title: null, text, undo: once, actions: [], ms: toastMs }, () => {
      undoable.delete(id)
    })
  }
  return {
    info: (text) => put('info', text, null),
    failed: (text) => put('failed', text, null),
    undoable: (text, undo) => put('info', text, undo),
    notice(key, { tone, title, text, actions }) {
      notices.get(key)?.close()
      const id = ++lastId
      const closing = actions.map((action): ToastAction => ({
        text: action.text,
        run() {
          close()
          action.run()
        },
      }))
      const close = show({ id, tone, title, text, undo: null, actions: closing, ms: noticeMs }, () => {
        if (notices.get(key)?.id === id) notices.delete(key)
      })
      notices.set(key, { id, close })
    },
    stands: (key) => notices.has(key),
    withdraw: (key) => notices.get(key)?.close(),
    undoLast() {
      void [...undoable.values()].at(-1)?.()
    },
  }
}
