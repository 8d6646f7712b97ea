import type { Spent } from '../../../../shared/cost/cost.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { OutboxTransaction } from '../../terminals/outbox/listener.ts'
import type { EndedTurn, TurnFacts, OpenCallFacts } from './ended-turn.ts'
import type { ScopeEntry } from './persistence/scope-store.ts'
import type { StopMessageEvent } from './reducer/apply.ts'
import type { decideStopMessage } from './reducer/decide.ts'
import type { TurnExcerpt } from './review/turn-excerpt.ts'

/** What stopMessage does for one scope. Each call runs inside that scope's queue. */
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
  /** the same decision again about the last turn that ended, if none has begun since */
  decideAgain(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** the first followup now, though nothing has stopped; what stands against it is said in the timeline */
  startNow(scopeEntry: ScopeEntry, transaction: OutboxTransaction): Promise<void>
  /** the last stop is decided about when the followup that is being taken back has ended */
  owe(scopeEntry: ScopeEntry): void
  /** a followup that the last stop may wait for has ended without having arrived */
  entryEnded(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** what is ordered now says what becomes of the last stop. @returns whether it waited for a followup's end */
  waitsNoLonger(scopeEntry: ScopeEntry): boolean
  /** the last stop waits for an answer, though nothing may be under way that would bring one */
  waitBehind(scopeEntry: ScopeEntry): void
  /** another goal's followup was taken back, or is still on its way: the last stop is this goal's now */
  answerInstead(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** until the screen was looked at that the last stop is decided about with. Outside of the scope's queue */
  looked(scopeEntry: ScopeEntry): Promise<void>
  /** a person's word where a stop waits for work in the background: it goes on at once. @returns whether one waited */
  passBackground(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<boolean>
  /** what was in the way of a decision may have ended */
  takeUp(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void>
  /** the scope is no more */
  forget(scopeEntry: ScopeEntry): void
  /** `spent`: by rounds of an HTTP call that is not over, beyond what its session has */
  facts(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null, turn: EndedTurn, spent?: Spent): TurnFacts
  /** reenter mode: what is sent next within the HTTP call; null: nothing */
  within(
    scopeEntry: ScopeEntry,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    openCall: OpenCallFacts,
  ): Promise<{ text: string; round: number } | null>
  /** records a "no" and does what it does to the state. @returns whether that changed it */
  skip(
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    decision: Extract<ReturnType<typeof decideStopMessage>, { kind: 'skip' }>,
  ): Promise<boolean>
}
