import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

export type Waiting = 'connect' | 'first-byte' | 'idle'

/**
 * Watches the time limits of one upstream call with a single timer: an arrival only moves an instant, and no timer is
 * re-armed per chunk.
 */
export interface Watch extends Disposable {
  /** waits for something else now; `ms` 0 waits for ever */
  waitFor(what: Waiting, ms: number): void
  /** something arrived */
  touch(): void
  /** the current wait may take this long from the last arrival on */
  limit(ms: number): void
  /** the longest wait since the last call of this method; without the time of a slow reader */
  longest(): number
  /** the reader is slow, not the upstream: time stands still */
  hold(): void
  release(): void
}

export function watch(clock: Clock, onLate: (what: Waiting, ms: number) => void): Watch {
  let timer: Disposable | null = null
  let what: Waiting = 'connect'
  let limit = 0
  let since = clock.monotonic()
  let held = false
  let firesAt = 0
  let longest = 0

  const arm = (ms: number) => {
    firesAt = clock.monotonic() + ms
    timer = clock.after(ms, check)
  }
  const check = () => {
    timer = null
    const left = held ? limit : limit - (clock.monotonic() - since)
    if (left > 0) return arm(left)
    longest = Math.max(longest, limit)
    onLate(what, limit)
  }
  const arrived = () => {
    const now = clock.monotonic()
    if (now - since > longest) longest = now - since
    since = now
  }
  return {
    waitFor(next, ms) {
      what = next
      limit = ms
      arrived()
      // A timer that fires too early waits for the rest: nearly every call is over before it fires.
      if (timer && ms > 0 && firesAt <= since + ms) return
      timer?.dispose()
      timer = null
      if (ms > 0) arm(ms)
    },
    touch: arrived,
    limit(ms) {
      limit = ms
      const left = ms - (clock.monotonic() - since)
      if (timer && ms > 0 && firesAt <= clock.monotonic() + left) return
      timer?.dispose()
      timer = null
      if (ms > 0) arm(Math.max(0, left))
    },
    longest() {
      const was = longest
      longest = 0
      return was
    },
    hold() {
      held = true
    },
    release() {
      held = false
      since = clock.monotonic()
    },
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}
