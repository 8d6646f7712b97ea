/** Counts failures in a row, and rests that followed on rests: each makes a provider's next cool-down longer. */
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
