/** The guards of a run: when it stops to ask a person, and what is left until then. */
import type { BudgetKind } from './events.ts'
import { addSpent, noneSpent } from './cost/cost.ts'
import type { EngineStatus, StopMessageView } from './state.ts'

export interface Guard {
  budget: BudgetKind
  limit: number
  /** since a person last let it go on, in the limit's own unit; null: the cost of what ran is not known */
  used: number | null
  /** some of what ran has no known price: it was more than `used` */
  atLeast?: true
}

const hourMs = 3_600_000

/** N rounds that a person wrote are done, and nothing asks in between; with a reviewer only the number is theirs. */
export const guardsOn = ({ max, review }: Pick<StopMessageView, 'max' | 'review'>, budget: BudgetKind): boolean =>
  max === null || (review && budget !== 'rounds')

/** Those that are on and hold for it, in the order they are asked. */
export function guardsOf(
  stopMessage: StopMessageView,
  budgets: EngineStatus['budgets'],
  now: number,
): readonly Guard[] {
  const { goal, used: rounds, armedAt } = stopMessage
  if (!budgets) return []
  const from = goal?.from ?? { at: armedAt, used: 0 }
  const spent = goal ? addSpent(goal.spent, goal.reviewSpent) : { ...noneSpent, costUsd: 0 }
  const all: readonly [BudgetKind, number | null | undefined, number | null][] = [
    ['rounds', budgets.rounds, Math.max(0, rounds - from.used)],
    ['time', budgets.hours, Math.max(0, now - from.at) / hourMs],
    ['no-progress', budgets.noProgressRounds, goal?.stuck ?? 0],
    ['tokens', budgets.tokens, spent.tokens],
    ['cost', budgets.costUsd, spent.costUsd],
  ]
  return all.flatMap(([budget, limit, used]) =>
    limit === null || limit === undefined || !guardsOn(stopMessage, budget)
      ? []
      : [{ budget, limit, used, ...(budget === 'cost' && spent.unpricedTokens ? { atLeast: true } : {}) }],
  )
}
