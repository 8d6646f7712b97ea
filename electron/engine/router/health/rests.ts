import type { Rest } from '../../../../shared/routing.ts'
import type { Clock } from '../../base/clock.ts'

/** A trial whose end was never reported is forgotten after this. */
const TRIAL_MS = 15 * 60_000

/** The state of something that may have to rest. `due`: its rest is over, and one request may try it. */
export type Standing =
  | { kind: 'free' }
  | { kind: 'resting'; rest: Rest; leftMs: number; askedAgoMs: number }
  | { kind: 'due'; rest: Rest }
  | { kind: 'on-trial'; rest: Rest }

interface Resting {
  rest: Rest
  until: number
  trial: { since: number; by: number } | null
  askedAt: number
  moment: number
}

/**
 * Tracks what rests, by name: providers, models, keys. A rest that is over ends with one trial, not with all requests
 * at once.
 */
export interface Rests {
  of(name: string): Standing
  begin(name: string, rest: Rest): void
  /** a request goes there all the same, as its trial if there is none; `by` identifies the request */
  claim(name: string, by: number): void
  /** the call had no outcome; if it was the trial, another may try */
  release(name: string, by: number): void
  /** @returns the rest that is over, or null if there was none */
  end(name: string): Rest | null
  names(): IterableIterator<string>
  /** a moment to call `restsSince` with: finer than any clock */
  moment(): number
  /** true if it rests, and began to only after that moment */
  restsSince(name: string, moment: number): boolean
}

export const free: Standing = { kind: 'free' }
const severity: Record<Standing['kind'], number> = { free: 0, due: 1, 'on-trial': 2, resting: 3 }
export const worst = (a: Standing, b: Standing): Standing => (severity[b.kind] > severity[a.kind] ? b : a)

export function createRests(clock: Clock): Rests {
  const all = new Map<string, Resting>()
  let moments = 0
  /**
   * A monotonic clock stands still while the machine sleeps, the wall clock may be set: the first of them to get there
   * ends a rest.
   */
  const leftOf = ({ rest, until }: Resting) => Math.min(until - clock.monotonic(), rest.until - clock.now())
  const isOnTrial = ({ trial }: Resting) => trial !== null && clock.monotonic() - trial.since < TRIAL_MS

  return {
    of(name) {
      const resting = all.get(name)
      if (!resting) return free
      const { rest, askedAt } = resting
      if (isOnTrial(resting)) return { kind: 'on-trial', rest }
      const leftMs = leftOf(resting)
      return leftMs > 0
        ? { kind: 'resting', rest, leftMs, askedAgoMs: clock.monotonic() - askedAt }
        : { kind: 'due', rest }
    },
    begin(name, rest) {
      const at = clock.monotonic()
      all.set(name, {
        rest,
        until: at + Math.max(0, rest.until - clock.now()),
        trial: null,
        askedAt: at,
        moment: ++moments,
      })
    },
    claim(name, by) {
      const resting = all.get(name)
      if (!resting) return
      resting.askedAt = clock.monotonic()
      // A request in the middle of the rest, because nothing else is left, is not yet the trial that ends it.
      if (leftOf(resting) <= 0 && !isOnTrial(resting)) resting.trial = { since: clock.monotonic(), by }
    },
    release(name, by) {
      const resting = all.get(name)
      if (resting?.trial?.by === by) resting.trial = null
    },
    end(name) {
      const resting = all.get(name)
      all.delete(name)
      return resting?.rest ?? null
    },
    names: () => all.keys(),
    moment: () => ++moments,
    restsSince: (name, moment) => (all.get(name)?.moment ?? 0) > moment,
  }
}
