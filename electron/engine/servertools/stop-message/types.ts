import type { Spent } from '../../../../shared/cost/cost.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { OutboxTransaction } from '../../terminals/outbox/listener.ts'
import type { EndedTurn, TurnFacts, OpenCallFacts } from './ended-turn.ts'
import type { ScopeEntry } from './persistence/scope-store.ts'
import type { StopMessageEvent } from './reducer/apply.ts'
import type { StopMessageDeps } from './deps.ts'
import type { PreSendReview } from './review/pre-send-review.ts'
import type { decideStopMessage } from './reducer/decide.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

/** Operations of stopMessage on one scope. Each call runs inside that scope's queue. */
export interface GoalController extends Disposable {
  endReviews(): void
  /**
   * `durable`: refused when the disk refuses. `best-effort`: counts at once. `later`: the same, and the next write
   * takes it with it. @returns whether anything changed
   */
  commit(
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    event: StopMessageEvent,
    how?: 'durable' | 'best-effort' | 'later',
  ): Promise<boolean>
  /** a request of the scope ended. `excerpt`: what the agent did until then; null: not known */
  ended(
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
  ): Promise<void>
  /** a main turn began: the last stop is over */
  begun(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null, byPerson: boolean): Promise<void>
  /** decides the last ended turn again, if none has begun since */
  decideAgain(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** sends the first followup now, though nothing has stopped; obstacles are reported in the timeline */
  startNow(scopeEntry: ScopeEntry, transaction: OutboxTransaction): Promise<void>
  /** a followup that the last stop may wait for has ended without having arrived */
  entryEnded(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** the order that comes now determines the fate of the last stop. @returns whether it waited for a followup's end */
  waitsNoLonger(scopeEntry: ScopeEntry): boolean
  /** another goal's followup was taken back, or is still on its way: the last stop is this goal's now */
  answerInstead(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** resolves when the screen was looked at for the decision on the last stop. Outside of the scope's queue */
  looked(scopeEntry: ScopeEntry): Promise<void>
  /** a person's order if a stop waits for work in the background: it goes on at once. @returns whether one waited */
  passBackground(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<boolean>
  /** the obstacle to a decision may be gone */
  takeUp(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** `spent`: by rounds of an HTTP call that is not over, beyond what its session has */
  facts(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null, turn: EndedTurn, spent?: Spent): TurnFacts
  /** reenter mode: returns the next text within the HTTP call; null: none */
  within(
    scopeEntry: ScopeEntry,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    openCall: OpenCallFacts,
  ): Promise<{ text: string; round: number } | null>
  /** records a "no" and applies its effect to the state. @returns whether that changed it */
  skip(
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    decision: Extract<ReturnType<typeof decideStopMessage>, { kind: 'skip' }>,
  ): Promise<boolean>
}

export interface FiringDeps extends Pick<GoalController, 'commit' | 'facts' | 'skip'> {
  deps: StopMessageDeps
  preSendReview: PreSendReview
}
