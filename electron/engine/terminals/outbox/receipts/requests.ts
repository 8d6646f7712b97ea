import type { Clock } from '../../../base/clock.ts'

/**
 * The scope's requests in flight, those of sub-agents aside, and how long it has been quiet since the last
 * of them ended.
 */
export interface Requests {
  started(requestId: string): void
  ended(requestId: string): void
  readonly running: number
  /** milliseconds since the last response ended; null while one runs or before any did */
  quietFor(): number | null
}

export function createRequests(clock: Clock): Requests {
  const inFlight = new Set<string>()
  let endedAt: number | null = null
  return {
    started: (requestId) => {
      inFlight.add(requestId)
    },
    ended(requestId) {
      if (inFlight.delete(requestId)) endedAt = clock.monotonic()
    },
    get running() {
      return inFlight.size
    },
    quietFor: () => (inFlight.size > 0 || endedAt === null ? null : clock.monotonic() - endedAt),
  }
}
