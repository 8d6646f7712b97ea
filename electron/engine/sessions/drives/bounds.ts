import type { BudgetKind } from '../../../../shared/events.ts'
import type { Driven } from '../session-state.ts'

/** As `stopMessage.budgets` has them; null: that one is off. */
export interface DriveBudgets {
  rounds: number | null
  hours: number | null
  tokens: number | null
  costUsd: number | null
}

const HOUR = 3_600_000

/** The first bound that was reached; null: none. */
export function boundOf(driven: Driven, budgets: DriveBudgets, now: number): NonNullable<Driven['asked']> | null {
  const reached = (budget: Exclude<BudgetKind, 'no-progress'>, used: number | null, limit: number | null) =>
    limit !== null && used !== null && used >= limit ? { budget, limit } : null
  return (
    reached('rounds', driven.turns, budgets.rounds) ??
    reached('time', (now - driven.since) / HOUR, budgets.hours) ??
    reached('tokens', driven.tokens, budgets.tokens) ??
    reached('cost', driven.costUsd, budgets.costUsd)
  )
}
