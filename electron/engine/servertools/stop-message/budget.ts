import type { BudgetKind } from '../../../../shared/events.ts'
import type { Arming } from './state.ts'

/** What unbounded modes may spend before a person is asked (config `stopMessage.budgets`). null: no limit. */
export interface Budgets {
  rounds: number | null
  hours: number | null
  noProgressRounds: number | null
  tokens: number | null
  costUsd: number | null
}

const HOUR_MS = 3_600_000

/**
 * The first budget that is spent. Rounds a person wrote as N are not clamped. Rounds without progress, tokens and
 * cost are not measured yet; their checks take their place behind these.
 */
export function spentBudget(arming: Arming, budgets: Budgets, now: number): { budget: BudgetKind; limit: number } | null {
  if (arming.max !== null) return null
  const { rounds, hours } = budgets
  if (rounds !== null && arming.used - arming.budgetFrom.used >= rounds) return { budget: 'rounds', limit: rounds }
  if (hours !== null && now - arming.budgetFrom.at >= hours * HOUR_MS) return { budget: 'time', limit: hours }
  return null
}
