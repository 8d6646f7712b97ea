import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

export type Waiting = 'connect' | 'first-byte' | 'idle'

/**
 * Watches the time limits of one upstream call with a single timer: what arrives only moves an instant, and no timer is
 * re-armed per chunk.
 */
export interface Watch extends Disposable {
  /** waits for something else now; `ms` 0 waits for ever */
  waitFor(what: Waiting, ms: number): void
  /** something arrived */
  touch(): void
  /** the reader is slow, not the upstream: time stands still */
  hold(): void
  release(): void
}

export function watch(clock: Clock, onLate: (what: Waiting, ms: number) => void): Watch {
  let timer: Disposable | null = null
  let what: Waiting = 'connect'
  let limit = 0
  let since = 0
  let held = false
  let firesAt = 0

  const arm = (ms: number) => {
    firesAt = clock.monotonic() + ms
    timer = clock.after(ms, check)
  }
  const check = () => {
    timer = null
    const left = held ? limit : limit - (clock.monotonic() - since)
    if (left > 0) arm(left)
    else onLate(what, limit)
  }
  return {
    waitFor(next, ms) {
      what = next
      limit = ms
      since = clock.monotonic()
      // A timer that fires too early waits for the rest: nearly every call is over before it fires.
      if (timer && ms > 0 && firesAt <= since + ms) return
      timer?.dispose()
      timer = null
      if (ms > 0) arm(ms)
    },
    touch() {
      since = clock.monotonic()
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
