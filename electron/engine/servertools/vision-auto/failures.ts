import type { Clock } from '../../base/clock.ts'
import { putNewest } from '../../base/newest.ts'

export interface Failure {
  code: string
  message: string
}

/** In memory: a failure says little about the next day. */
export interface Failures {
  /** as long as it is not worth another try */
  find(hash: string): Failure | null
  note(hash: string, failure: Failure): void
}

const again = 10 * 60_000
const most = 1_000

/** What could not be described lately, so that an agent's many rounds don't ask for it each time. */
export function createFailures(clock: Pick<Clock, 'monotonic'>): Failures {
  const known = new Map<string, { failure: Failure; at: number }>()
  return {
    find(hash) {
      const found = known.get(hash)
      return found && clock.monotonic() - found.at < again ? found.failure : null
    },
    note(hash, failure) {
      putNewest(known, hash, { failure, at: clock.monotonic() }, most)
    },
  }
}
