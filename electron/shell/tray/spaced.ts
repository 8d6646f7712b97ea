import type { Clock } from '../../engine/base/clock.ts'
import type { Disposable } from '../../engine/base/disposable.ts'

export interface Spaced extends Disposable {
  /** runs it now, or when the time since the last run is over; asked more often meanwhile, it is still run once */
  ask(): void
  /** runs it, however short ago it was run */
  now(): void
}

/** Runs `work` at most once in `ms`, and once more after the last time it was asked for. */
export function spaced(clock: Clock, ms: number, work: () => void): Spaced {
  let next: Disposable | null = null
  let asked = false
  const run = () => {
    asked = false
    next?.dispose()
    next = clock.after(ms, () => {
      next = null
      if (asked) run()
    })
    work()
  }
  return {
    ask() {
      asked = true
      if (next === null) run()
    },
    now: run,
    dispose() {
      next?.dispose()
      asked = false
    },
  }
}
