/**
 * The page's one clock. Everything that ticks hangs on it, and it stands still while nothing does or the page is
 * hidden.
 */
export interface PageClock {
  /** epoch milliseconds */
  now(): number
  /** calls back about once a second while something listens and the page is visible */
  subscribe(listener: () => void): () => void
}

const TICK_MS = 1000

export function pageClock(
  now: () => number,
  doc: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
): PageClock {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | null = null
  const tick = () => {
    for (const listener of listeners) listener()
  }
  const arrange = () => {
    const wanted = listeners.size > 0 && !doc.hidden
    if (wanted && timer === null) timer = setInterval(tick, TICK_MS)
    if (!wanted && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
  const onVisibility = () => {
    if (!doc.hidden) tick()
    arrange()
  }
  return {
    now,
    subscribe(listener) {
      if (listeners.size === 0) doc.addEventListener('visibilitychange', onVisibility)
      listeners.add(listener)
      arrange()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) doc.removeEventListener('visibilitychange', onVisibility)
        arrange()
      }
    },
  }
}
