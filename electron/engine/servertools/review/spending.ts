import { addSpend, noSpend, type Spend } from '../../../../shared/cost/cost.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { Mutable } from '../../base/mutable.ts'

/** The sum of all calls of a review; `usage` null: unknown for every call. */
export interface Spending {
  add(one: Spend & { usage: Usage | null }): void
  readonly usage: Usage | null
  readonly spend: Spend
}

export function spending(): Spending {
  const all: Mutable<Spending> = {
    usage: null,
    spend: noSpend,
    add(one) {
      all.spend = addSpend(all.spend, one)
      const { usage: more } = one
      if (!more) return
      const before: Usage = all.usage ?? { input: 0, cachedInput: 0, output: 0, reasoning: 0 }
      all.usage = {
        input: before.input + more.input,
        cachedInput: before.cachedInput + more.cachedInput,
        output: before.output + more.output,
        reasoning: before.reasoning + more.reasoning,
      }
    },
  }
  return all
}
