import type { ProviderView } from '../../../shared/routing.ts'

/** Adds up how long providers gave no good answer, as exactly as it is looked. */
export interface Outages {
  /** Called whenever metrics are read. @returns seconds by provider, which never go down */
  look(providers: readonly Pick<ProviderView, 'id' | 'failingSince'>[], now: number): ReadonlyMap<string, number>
}

export function createOutages(): Outages {
  const seconds = new Map<string, number>()
  let last = Number.NEGATIVE_INFINITY
  return {
    look(providers, now) {
      for (const { id, failingSince } of providers) {
        const from = failingSince === undefined ? now : Math.max(failingSince, last)
        seconds.set(id, (seconds.get(id) ?? 0) + Math.max(0, now - from) / 1000)
      }
      last = Math.max(last, now)
      return seconds
    },
  }
}
