import type { BudgetKind, DoneReason, FailReason, PauseReason } from '../../../../../shared/events.ts'
import type { LastStopMessage } from '../../../../../shared/state.ts'
import type { Spent } from '../../../../../shared/cost/cost.ts'
import type { ReviewView } from '../../../../../shared/review.ts'
import type { Scope } from '../../../../../shared/words.ts'
import type { GoalProgress } from './goal-progress.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { SeenWork } from './background.ts'

export type StageMode = 'on' | 'off' | 'auto'

/** One setting of stopMessage and how far it has come. */
export interface Arming {
  /** entries of the outbox carry it as their group, so that a round of an earlier setting counts for nothing */
  id: string
  sessionId: string | null
  text: string
  /** null: unbounded */
  max: number | null
  used: number
  review: boolean
  stageMode: StageMode
  armedAt: number
  lastUsedAt: number | null
  /**
   * where budgets count from: a person who lets it go on begins them anew. `agent`, `review`: spent until then; `agent`
   * is absent until it is known
   */
  budgetFrom: { used: number; at: number; agent?: Spent; review?: Spent }
  /** entries that were counted: none is counted twice, whatever a crash repeats */
  counted: readonly string[]
  progress: GoalProgress
  /** guards that asked and were not answered: they ask no more. Absent: none */
  unanswered?: readonly BudgetKind[]
  /** later conversations of its terminal in which a person was asked whether it goes on there; absent: none */
  askedIn?: readonly string[]
}

/** The goal that a clear took away: enough to show it as done or failed, and to arm it again. */
export interface Taken extends LastStopMessage {
  sessionId: string | null
  armedAt: number
  lastUsedAt: number | null
  askedIn?: readonly string[]
}

/** The review that found a goal reached, and what was spent until then since a person last let it go on. */
export interface Proof {
  review: ReviewView
  spent: Spent
  reviewSpent: Spent
}

export type StopMessageState =
  | { kind: 'none' }
  | { kind: 'armed'; arming: Arming }
  /** a review runs before anything is sent; `reviewId` names the one whose result counts */
  | { kind: 'reviewing'; arming: Arming; reviewId: string; since: number; round: number }
  | { kind: 'injecting'; arming: Arming; entryId: string }
  /** `entryId`: the followup that was under way */
  | { kind: 'paused'; arming: Arming; reason: PauseReason; at: number; entryId: string | null }
  /** cleared; what it was stands in `last` */
  | { kind: 'done'; reason: DoneReason; at: number; proof?: Proof }
  | { kind: 'failed'; reason: FailReason; at: number }

/** Everything kept for one scope. */
export interface ScopeState {
  scope: Scope
  state: StopMessageState
  /** last setting or clear: outlives the clear, so that older data can never take its place */
  updatedAt: number | null
  last: Taken | null
  /** the last main turn, if it ended in a plain stop and no other has begun since */
  lastStop: EndedTurn | null
  /** the agent's work in the background that is not known to have ended, by when a stop was first seen beside it */
  background: readonly SeenWork[]
  /** on its way to another scope; written before the copy, so that a start can finish it */
  movedTo: Scope | null
}

export const emptyScope = (scope: Scope): ScopeState => ({
  scope,
  state: { kind: 'none' },
  updatedAt: null,
  last: null,
  lastStop: null,
  background: [],
  movedTo: null,
})

export function armingOf(state: StopMessageState): Arming | null {
  return 'arming' in state ? state.arming : null
}

/** It was set in another conversation of the terminal: after a `/new` it says nothing to the next one by itself. */
export const isElsewhere = ({ sessionId }: Arming, conversation: string | null): boolean =>
  sessionId !== null && sessionId !== conversation

export function withArming(state: StopMessageState, arming: Arming): StopMessageState {
  switch (state.kind) {
    case 'armed':
      return { kind: 'armed', arming }
    case 'reviewing':
      return { ...state, arming }
    case 'injecting':
      return { ...state, arming }
    case 'paused':
      return { ...state, arming }
    default:
      return state
  }
}
