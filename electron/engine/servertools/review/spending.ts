import { addSpend, noSpend, type Spend } from '../../../../shared/cost/cost.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'

/** What all calls of a review took together; `usage` null: nothing is known of any. */
export interface Spending {
  add(one: Spend & { usage: Usage | null }): void
  readonly usage: Usage | null
  readonly spend: Spend
}

export function spending(): Spending {
  let usage: Usage | null = null
  let spend = noSpend
  return {
    get usage() {
      return usage
    },
    get spend() {
      return spend
    },
    add(one) {
      spend = addSpend(spend, one)
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
