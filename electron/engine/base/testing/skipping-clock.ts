import { systemClock, type Clock } from '../clock.ts'
import type { Disposable } from '../disposable.ts'

/** The system's clock for tests of real programs, of which they skip what would only be waited out. */
export interface SkippingClock extends Clock {
  /** Moves time on; what becomes due runs as soon as any timer that is due. */
  skip(ms: number): void
}

export function skippingClock(): SkippingClock {
  const system = systemClock()
  const timers = new Set<{ due: number; fn: () => void; real: Disposable }>()
  let skipped = 0
  const monotonic = () => system.monotonic() + skipped
  return {
    now: () => system.now() + skipped,
    monotonic,
    after(ms, fn) {
      const run = () => {
        timers.delete(timer)
        fn()
      }
      const timer = { due: monotonic() + ms, fn: run, real: system.after(ms, run) }
      timers.add(timer)
      return {
        dispose() {
          timer.real.dispose()
          timers.delete(timer)
        },
      }
    },
    skip(ms) {
      skipped += ms
      for (const timer of timers) {
        timer.real.dispose()
        timer.real = system.after(Math.max(0, timer.due - monotonic()), timer.fn)
      }
    },
  }
}
