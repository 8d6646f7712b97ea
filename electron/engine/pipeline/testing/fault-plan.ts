import fc from 'fast-check'

export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** The troubles of a provider. Those of one key say nothing about the others. */
export const wholeFaults = ['unreachable', '500', '503', '529', 'slow', 'hangs', 'flaps', 'breaks-off'] as const
export const keyFaults = ['rate', 'rate-told', 'limit', 'refused'] as const
export type Fault = (typeof wholeFaults)[number] | (typeof keyFaults)[number]

/** `keys`: the places of the keys it concerns; null: the whole provider. Times count from the day's beginning. */
export interface Episode {
  fault: Fault
  from: number
  to: number
  keys: readonly number[] | null
}
export type FaultPlan = readonly Episode[]

const seconds = fc.oneof(
  fc.integer({ min: 20, max: 180 }),
  fc.integer({ min: 180, max: 1_800 }),
  fc.integer({ min: 1_800, max: 10_800 }),
)
const episode = (keys: number) =>
  fc.record({
    gap: fc.integer({ min: 4 * 60, max: 70 * 60 }),
    seconds,
    fault: fc.constantFrom<Fault>(...wholeFaults, ...(keys > 0 ? keyFaults : [])),
    keys: fc.subarray(
      Array.from({ length: keys }, (_, i) => i),
      { minLength: Math.min(1, keys) },
    ),
  })

/** A day of one provider: now well, now in trouble. `also`: further troubles at set times. */
export function faultPlan(seed: number, keys: number, also: FaultPlan): FaultPlan {
  const [drawn = []] = fc.sample(fc.array(episode(keys), { minLength: 60, maxLength: 60, size: 'max' }), {
    seed,
    numRuns: 1,
  })
  const plan: Episode[] = []
  let at = 0
  for (const { gap, seconds: length, fault, keys: which } of drawn) {
    const from = at + gap * 1_000
    at = from + length * 1_000
    if (at > DAY) break
    if (also.every((other) => at < other.from || from > other.to))
      plan.push({ fault, from, to: at, keys: (keyFaults as readonly Fault[]).includes(fault) ? which : null })
  }
  return [...plan, ...also].toSorted((a, b) => a.from - b.from)
}

export const episodeAt = (plan: FaultPlan, at: number, key: number): Episode | null =>
  plan.find(({ from, to, keys }) => at >= from && at < to && (keys === null || keys.includes(key))) ?? null

/** True if there is no trouble from `from` to `to`. */
export const isWell = (plan: FaultPlan, from: number, to: number): boolean =>
  plan.every((one) => one.to < from || one.from > to)
