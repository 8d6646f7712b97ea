import type { Clock } from '../../base/clock.ts'
import { putNewest } from '../../base/newest.ts'

export interface Failure {
  code: string
  message: string
}

/** Kept in memory only: a failure says little about the next day. */
export interface Failures {
  /** the failure, as long as another try is not worth it */
  find(hash: string): Failure | null
  note(hash: string, failure: Failure): void
}

const again = 10 * 60_000
const most = 1_000

/** Images that could not be described lately, so that an agent's many rounds don't ask for them each time. */
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
