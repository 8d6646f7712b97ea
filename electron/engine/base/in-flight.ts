/** Work that has begun and not ended, by kind. Shows whether the engine is at rest. */
export interface InFlight {
  track<T>(what: string, work: Promise<T>): Promise<T>
  /** It only waits for a set time (epoch milliseconds) and does nothing until then; null: it goes on. */
  waits(what: string, until: number | null): void
  /** without what waits for a time to come */
  list(): readonly string[]
}

/** @param now the clock for start times */
export function createInFlight(now: () => number): InFlight {
  const running = new Map<string, { until: number | null }>()
  return {
    async track(what, work) {
      running.set(what, { until: null })
      try {
        return await work
      } finally {
        running.delete(what)
      }
    },
    waits(what, until) {
      if (running.has(what)) running.set(what, { until })
    },
    list: () => Array.from(running).flatMap(([what, { until }]) => (until !== null && until > now() ? [] : [what])),
  }
}

/** how a request is called there */
export const requestWork = (requestId: string): string => `request ${requestId}`
