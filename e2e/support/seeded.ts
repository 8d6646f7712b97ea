/** Random numbers that come again with the same seed (mulberry32), so that a bad run can be repeated. */
export interface Seeded {
  /** [0, below) */
  int(below: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  chance(probability: number): boolean
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return { int, pick: (from) => from[int(from.length)] ?? from[0], chance: (probability) => next() < probability }
}
