import type { Clock } from '../base/clock.ts'
import { putNewest } from '../base/newest.ts'

/**
 * A session that was moved elsewhere goes back to its route's first choice after this: one cold prompt cache an hour at
 * most.
 */
const RETURN_MS = 60 * 60_000
/** the most pairs of session and route that are remembered */
const MOST = 20_000

export interface Stuck {
  target: string
  key: string | null
  since: number
}

/** Remembers the provider, model and key that served a session last, by route, so that its prompt cache stays warm. */
export interface Sticky {
  /** `mark`: the route as it is now; `isFirst`: true for the target that the route would choose anyway */
  find(session: string, category: string | null, mark: string, isFirst: (target: string) => boolean): Stuck | null
  keep(session: string, category: string | null, mark: string, target: string, key: string | null): void
  /** the number of sessions that a provider served within the last `ms` */
  sessionsOf(providerId: string, ms: number): number
}

interface Kept extends Stuck {
  mark: string
  at: number
  session: string
}

export function createSticky(clock: Clock, minutes: () => number): Sticky {
  const all = new Map<string, Kept>()
  const name = (session: string, category: string | null) => `${category ?? ''}\0${session}`
  return {
    find(session, category, mark, isFirst) {
      const kept = all.get(name(session, category))
      if (!kept || kept.mark !== mark) return null
      const now = clock.now()
      if (now - kept.at > minutes() * 60_000) return null
      return isFirst(kept.target) || now - kept.since < RETURN_MS ? kept : null
    },
    keep(session, category, mark, target, key) {
      const id = name(session, category)
      const before = all.get(id)
      const now = clock.now()
      const same =
        before !== undefined &&
        before.target === target &&
        before.mark === mark &&
        now - before.at <= minutes() * 60_000
      putNewest(all, id, { session, target, key, mark, at: now, since: same ? before.since : now }, MOST)
    },
    sessionsOf(providerId, ms) {
      const since = clock.now() - ms
      const found = new Set<string>()
      for (const kept of all.values())
        if (kept.at >= since && kept.target.startsWith(`${providerId}.`)) found.add(kept.session)
      return found.size
    },
  }
}
