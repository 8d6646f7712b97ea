/** When a goal stops by itself to ask, and how much of each limit is left. Pure. */
import type { EngineStatus, StopMessageView } from '../../../shared/state.ts'

type Budgets = NonNullable<EngineStatus['budgets']>

export type Guard =
  | { kind: 'hours'; limit: number; /** when it asks, epoch milliseconds */ until: number }
  | { kind: 'rounds'; limit: number; left: number }
  | { kind: 'no-progress'; limit: number; stuck: number }
  | { kind: 'tokens'; limit: number; left: number }
  | { kind: 'cost'; limit: number; left: number }

const HOUR = 3_600_000

/** Rounds a person wrote down are the guard of a goal that is only repeated; a reviewed one has the others as well. */
export function guardsOf(goal: StopMessageView, budgets: Budgets | undefined): Guard[] {
  if (!budgets || (goal.max !== null && !goal.review)) return []
  const { from, spent, stuck } = goal.goal ?? { from: { at: goal.armedAt, used: 0 }, spent: { tokens: 0, costUsd: null }, stuck: 0 }
  const { hours, rounds, noProgressRounds, tokens, costUsd } = budgets
  const left = (limit: number, gone: number) => Math.max(0, limit - gone)
  const guards: (Guard | null)[] = [
    hours ? { kind: 'hours', limit: hours, until: from.at + hours * HOUR } : null,
    goal.max === null && rounds ? { kind: 'rounds', limit: rounds, left: left(rounds, goal.used - from.used) } : null,
    noProgressRounds ? { kind: 'no-progress', limit: noProgressRounds, stuck } : null,
    tokens ? { kind: 'tokens', limit: tokens, left: left(tokens, spent.tokens) } : null,
    costUsd ? { kind: 'cost', limit: costUsd, left: left(costUsd, spent.costUsd ?? 0) } : null,
  ]
  return guards.filter((guard) => guard !== null)
}
