/** Failures in a row, and how often a rest followed on a rest: what makes a provider's cool-down longer each time. */
export interface Failures {
  /** @returns how many in a row */
  add(name: string): number
  /** how many rests in a row, this one included */
  rested(name: string): number
  good(name: string): void
}

export function createFailures(): Failures {
  const rows = new Map<string, { failures: number; rests: number }>()
  const row = (name: string) => {
    const there = rows.get(name) ?? { failures: 0, rests: 0 }
    rows.set(name, there)
    return there
  }
  return {
    add: (name) => ++row(name).failures,
    rested: (name) => ++row(name).rests,
    good(name) {
      rows.delete(name)
    },
  }
}
