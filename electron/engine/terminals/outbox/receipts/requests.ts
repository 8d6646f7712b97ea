import type { Clock } from '../../../base/clock.ts'

/**
 * The scope's requests in flight, those of sub-agents aside, and how long it has been quiet since the last
 * of them ended.
 */
export interface Requests {
  /** `turn`: the agent works for its conversation, and this is no side request */
  started(requestId: string, turn?: boolean): void
  ended(requestId: string): void
  readonly running: number
  readonly turns: number
  /** milliseconds since the last response ended; null while one runs or before any did */
  quietFor(): number | null
}

export function createRequests(clock: Clock): Requests {
  const inFlight = new Map<string, boolean>()
  let endedAt: number | null = null
  return {
    started: (requestId, turn = false) => {
      inFlight.set(requestId, turn)
    },
    ended(requestId) {
      if (inFlight.delete(requestId)) endedAt = clock.monotonic()
    },
    get running() {
      return inFlight.size
    },
    get turns() {
      return Array.from(inFlight.values()).filter(Boolean).length
    },
    quietFor: () => (inFlight.size > 0 || endedAt === null ? null : clock.monotonic() - endedAt),
  }
}
