import type { Spent } from '../../../../../shared/cost/cost.ts'
import { newGoalProgress } from './goal-progress.ts'
import type { Arming, ScopeState, StopMessageState } from './state.ts'

interface Setting {
  at: number
  armId: string
  sessionId: string | null
  text: string
  max: number | null
  review: boolean
  totals: Spent | null
}

export function newArming({ at, armId, sessionId, text, max, review, totals }: Setting): Arming {
  return {
    id: armId,
    sessionId,
    text,
    max,
    used: 0,
    review,
    stageMode: 'auto',
    armedAt: at,
    lastUsedAt: null,
    budgetFrom: { used: 0, at, ...(totals ? { agent: totals } : {}) },
    counted: [],
    progress: newGoalProgress,
  }
}

type Paused = Extract<StopMessageState, { kind: 'paused' }>

/** Time in which it waits for a person does not count against its own. */
export function rested({ arming, at: since }: Paused, at: number): Arming {
  return { ...arming, budgetFrom: { ...arming.budgetFrom, at: arming.budgetFrom.at + Math.max(0, at - since) } }
}

/**
 * A person answered the question of a budget, or of a reviewer that can't judge: the counts that led to it begin anew.
 */
export function answered(paused: Paused, at: number, totals: Spent | null): Arming {
  const { arming, reason } = paused
  const progress = { ...arming.progress, stuck: 0, failedReviews: 0 }
  if (reason.code !== 'budget')
    return reason.code === 'review-failed' ? { ...rested(paused, at), progress } : rested(paused, at)
  const agent = totals ?? arming.budgetFrom.agent
  return {
    ...arming,
    progress,
    budgetFrom: { used: arming.used, at, review: arming.progress.reviewSpent, ...(agent ? { agent } : {}) },
  }
}

/** A guard was not answered: it asks no more, and only its own count begins anew. */
export function goneOn(paused: Paused, at: number): Arming {
  const { arming, reason } = paused
  if (reason.code !== 'budget') return rested(paused, at)
  const unanswered = [...(arming.unanswered ?? []), reason.budget]
  return { ...rested(paused, at), unanswered, progress: { ...arming.progress, stuck: 0 } }
}

/**
 * The goal continues in another conversation of its terminal. Followups of the old one don't belong to it any more, and
 * their effects are not compared with later ones. A person let it continue: its budgets begin anew.
 */
export function movedTo(
  sessionId: string,
  arming: Arming,
  { at, armId, totals }: { at: number; armId: string; totals: Spent | null },
): Arming {
  const { askedIn: _, ...kept } = arming
  return {
    ...kept,
    id: armId,
    sessionId,
    counted: [],
    progress: { ...arming.progress, stuck: 0, failedReviews: 0, before: null },
    budgetFrom: { used: arming.used, at, review: arming.progress.reviewSpent, ...(totals ? { agent: totals } : {}) },
  }
}

/**
 * After a failure it goes on where it was; a goal that had ended by itself begins anew, or goes on with the rounds
 * added.
 */
export function rearmed(
  { state }: ScopeState,
  last: NonNullable<ScopeState['last']>,
  { at, armId, totals, more }: { at: number; armId: string; totals: Spent | null; more: number },
): Arming {
  const goesOn =
    state.kind === 'failed' || last.clearedBy === 'failure' || last.clearedBy === 'terminal-gone' || more > 0
  const used = goesOn ? last.used : 0
  const { sessionId, text, max, review, askedIn } = last
  const arming = newArming({ at, armId, sessionId: sessionId ?? null, text, max, review, totals })
  return withMore(
    {
      ...arming,
      used,
      budgetFrom: { ...arming.budgetFrom, used },
      lastUsedAt: goesOn ? last.lastUsedAt : null,
      ...(askedIn ? { askedIn } : {}),
    },
    more,
  )
}

/** An unbounded goal stays unbounded: more rounds then mean a later question. */
export function withMore(arming: Arming, rounds: number): Arming {
  if (arming.max === null)
    return { ...arming, budgetFrom: { ...arming.budgetFrom, used: arming.budgetFrom.used + rounds } }
  return { ...arming, max: arming.max + rounds }
}
