import type { Usage } from '../../../../shared/events.ts'

/** What all calls of a review took together; null: nothing is known of any. */
export interface Spending {
  add(one: { usage: Usage | null; costUsd: number | null }): void
  readonly usage: Usage | null
  readonly costUsd: number | null
}

export function spending(): Spending {
  let usage: Usage | null = null
  let costUsd: number | null = null
  return {
    get usage() {
      return usage
    },
    get costUsd() {
      return costUsd
    },
    add(one) {
      if (one.costUsd !== null) costUsd = (costUsd ?? 0) + one.costUsd
      const { usage: more } = one
      if (!more) return
      const before: Usage = usage ?? { input: 0, cachedInput: 0, output: 0, reasoning: 0 }
      usage = {
        input: before.input + more.input,
        cachedInput: before.cachedInput + more.cachedInput,
        output: before.output + more.output,
        reasoning: before.reasoning + more.reasoning,
      }
    },
  }
}
