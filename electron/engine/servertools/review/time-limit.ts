import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Mutable } from '../../base/mutable.ts'

/** A time budget that is spent piece by piece: time outside of `spend` does not count. */
export interface TimeLimit {
  readonly over: boolean
  /**
   * `signal` ends with the time, or with the signal of the whole. @throws OnwardError `timed-out` where it is over
   * already
   */
  spend<T>(work: (signal: AbortSignal, withinMs: number) => Promise<T>): Promise<T>
}

export function timeLimit(clock: Clock, ms: number, whole: AbortSignal): TimeLimit {
  let left = ms
  const limit: Mutable<TimeLimit> = {
    over: false,
    async spend(work) {
      if (limit.over) throw new OnwardError('timed-out', 'The time is over.')
      const ends = new AbortController()
      const began = clock.monotonic()
      const timer = clock.after(left, () => {
        limit.over = true
        ends.abort()
      })
      try {
        return await work(AbortSignal.any([whole, ends.signal]), left)
      } finally {
        timer.dispose()
        left = Math.max(0, left - (clock.monotonic() - began))
        limit.over ||= left === 0
      }
    },
  }
  return limit
}
