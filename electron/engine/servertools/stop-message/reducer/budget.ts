import type { BudgetKind } from '../../../../../shared/events.ts'
import { addSpent, noneSpent, type Spent } from '../../../../../shared/cost/cost.ts'
import { since } from './goal-progress.ts'
import type { Arming } from './state.ts'

/** Limits on a goal's spending before a person is asked (config `stopMessage.budgets`). null: no limit. */
export interface Budgets {
  rounds: number | null
  hours: number | null
  noProgressRounds: number | null
  tokens: number | null
  costUsd: number | null
  /** ms that a guard waits for an answer where a person gave the rounds (`goal.askMinutes`); null: for ever */
  askMs?: number | null
  /** an organisation's bounds: they hold for every run, and only a person lets it go on; absent: there are none */
  held?: Readonly<Record<'rounds' | 'hours' | 'noProgressRounds' | 'tokens' | 'costUsd', number | null>>
}

const HOUR_MS = 3_600_000

/**
 * Usage of the agent and the reviewer since a person last let it go on. `totals`: of the agent's whole session; null:
 * not known
 */
export function spentOf({ budgetFrom, progress }: Arming, totals: Spent | null): { agent: Spent; review: Spent } {
  return {
    agent: totals && budgetFrom.agent ? since(totals, budgetFrom.agent) : noneSpent,
    review: since(progress.reviewSpent, budgetFrom.review),
  }
}

/**
 * The first budget that is spent. Rounds that a person wrote as N are not clamped; a person who wants exactly N of them
 * without a reviewer gets exactly these, and no guard interrupts. With a reviewer N is a promise as well: guards of
 * time and progress ask once, and a question without an answer does not end the run.
 */
export function spentBudget(
  arming: Arming,
  budgets: Budgets,
  now: number,
  totals: Spent | null,
): { budget: BudgetKind; limit: number; goesOnAt?: number } | null {
  const beyond = budgets.held && firstSpent(arming, budgets.held, now, totals)
  if (beyond) return beyond
  if (arming.max !== null && !arming.review) return null
  const { rounds, hours, noProgressRounds, tokens, costUsd } = budgets
  if (arming.max === null && rounds !== null && arming.used - arming.budgetFrom.used >= rounds)
    return { budget: 'rounds', limit: rounds }
  const asks = (budget: BudgetKind) => !arming.unanswered?.includes(budget)
  const goesOn = arming.max !== null && budgets.askMs ? { goesOnAt: now + budgets.askMs } : {}
  if (hours !== null && asks('time') && now - arming.budgetFrom.at >= hours * HOUR_MS)
    return { budget: 'time', limit: hours, ...goesOn }
  if (noProgressRounds !== null && asks('no-progress') && arming.progress.stuck >= noProgressRounds)
    return { budget: 'no-progress', limit: noProgressRounds, ...goesOn }
  const { agent, review } = spentOf(arming, totals)
  const all = addSpent(agent, review)
  if (tokens !== null && all.tokens >= tokens) return { budget: 'tokens', limit: tokens }
  return costUsd !== null && all.costUsd !== null && all.costUsd >= costUsd ? { budget: 'cost', limit: costUsd } : null
}

function firstSpent(
  arming: Arming,
  { rounds, hours, noProgressRounds, tokens, costUsd }: NonNullable<Budgets['held']>,
  now: number,
  totals: Spent | null,
): { budget: BudgetKind; limit: number } | null {
  const { used, budgetFrom, progress } = arming
  const { agent, review } = spentOf(arming, totals)
  const all = addSpent(agent, review)
  const spent: readonly (readonly [BudgetKind, number | null, number | null])[] = [
    ['rounds', rounds, used - budgetFrom.used],
    ['time', hours, (now - budgetFrom.at) / HOUR_MS],
    ['no-progress', noProgressRounds, progress.stuck],
    ['tokens', tokens, all.tokens],
    ['cost', costUsd, all.costUsd],
  ]
  for (const [budget, limit, is] of spent) if (limit !== null && is !== null && is >= limit) return { budget, limit }
  return null
}
