import type { ReviewView } from '../../../../../shared/review.ts'
import type { OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { ScopeEntry } from '../persistence/scope-store.ts'
import type { RoundBegun, AfterReview } from '../reducer/apply.ts'
import { spentBy } from '../reducer/goal-progress.ts'
import { armingOf, type Arming } from '../reducer/state.ts'
import type { ReviewRequest, ReviewResult } from '../review/pre-send-review.ts'
import type { Followup } from '../stop-memory.ts'
import type { FiringDeps } from '../types.ts'

export interface ReviewsDeps extends Pick<FiringDeps, 'deps' | 'preSendReview' | 'commit'> {
  send(scopeEntry: ScopeEntry, transaction: OutboxTransaction, turn: EndedTurn, followup: Followup): Promise<unknown>
  failed(scopeEntry: ScopeEntry, error: unknown): void
}

/** The review of a stop: how it begins in the scope's queue, runs outside of it, and comes back with its result. */
export function createReviews({ deps, preSendReview, commit, send, failed }: ReviewsDeps) {
  const { clock, record } = deps

  /** Opens the review; its result is asked for outside of the scope's queue. */
  const begin = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    { sessionId, requestId }: EndedTurn,
    round: RoundBegun,
    turn: ReviewRequest['turn'],
  ): Promise<ReviewRequest | null> => {
    const reviewId = deps.random.uuid()
    if (!(await commit(scopeEntry, transaction, { type: 'review-begun', reviewId, round }))) return null
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!arming) return null
    if (arming.review)
      record(
        { sessionId, scope: scopeEntry.scope, requestId },
        { type: 'review-started', round: round.n, backend: deps.goal.backend() },
      )
    const folder = deps.goal.folderOf(scopeEntry.scope)
    return { reviewId, round: round.n, sessionId, folder, arming, turn, language: deps.config().language }
  }

  const discard = (scopeEntry: ScopeEntry, { sessionId, requestId }: EndedTurn, view: ReviewView) =>
    record(
      { sessionId, scope: scopeEntry.scope, requestId },
      { type: 'review-done', review: { ...view, outcome: { code: 'discarded' } } },
    )

  /** @returns the text to send; null: none, or the review does not count any more */
  const end = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    order: ReviewRequest,
    result: ReviewResult,
  ): Promise<Followup | null> => {
    const { state } = scopeEntry.kept.value
    const { view } = result
    if (state.kind !== 'reviewing' || state.reviewId !== order.reviewId) {
      if (!view) return null
      discard(scopeEntry, turn, view)
      await commit(scopeEntry, transaction, { type: 'review-spent', armId: order.arming.id, spent: spentBy(view) })
      return null
    }
    const { next, text } = afterReview(state.arming, result)
    const ended = {
      type: 'review-ended',
      at: clock.now(),
      reviewId: order.reviewId,
      review: view,
      next,
      totals: deps.goal.totalsOf(turn.sessionId),
    } as const
    // The text to send is written with the review it comes from.
    await commit(scopeEntry, transaction, ended, next.kind === 'send' ? 'later' : 'best-effort')
    return next.kind === 'send' ? { text, round: order.round } : null
  }

  return {
    begin,
    /** Its text is typed when it comes. */
    start(scopeEntry: ScopeEntry, turn: EndedTurn, order: ReviewRequest): void {
      preSendReview
        .run(order)
        .then(async (result) => {
          if (!result) return
          // The old terminal's queue would be opened again.
          if (scopeEntry.kept.value.movedTo !== null)
            return result.view ? discard(scopeEntry, turn, result.view) : undefined
          await scopeEntry.exclusive(async (transaction) => {
            const followup = await end(scopeEntry, transaction, turn, order, result)
            if (followup && transaction) await send(scopeEntry, transaction, turn, followup)
            await scopeEntry.kept.writeOwed()
          })
        })
        .catch((error: unknown) => failed(scopeEntry, error))
    },
    /** An HTTP call waits for it, and for what `count` does with its text. `left`: the client is gone. */
    async within(
      scopeEntry: ScopeEntry,
      turn: EndedTurn,
      order: ReviewRequest,
      left: AbortSignal | undefined,
      count: (transaction: OutboxTransaction | null, followup: Followup) => Promise<Followup>,
    ): Promise<Followup | null> {
      // The client is gone: the review is not counted, and the next HTTP call begins its own.
      const drop = (transaction: OutboxTransaction | null) =>
        commit(scopeEntry, transaction, { type: 'review-dropped', reviewId: order.reviewId })
      const onLeft = () => {
        scopeEntry.exclusive(drop).catch((error: unknown) => failed(scopeEntry, error))
      }
      left?.addEventListener('abort', onLeft, { once: true })
      const running = preSendReview.run(order)
      if (left?.aborted) onLeft()
      const result = await running
      left?.removeEventListener('abort', onLeft)
      return (
        result &&
        scopeEntry.exclusive(async (transaction) => {
          if (left?.aborted) await drop(transaction)
          const followup = await end(scopeEntry, transaction, turn, order, result)
          return followup && count(transaction, followup).finally(scopeEntry.kept.writeOwed)
        })
      )
    },
  }
}

/** after so many failures in a row reviewers are not asked again until a person has seen it */
export const FAILURES = 3

/** Returns the next state after a review, and the text to send. After a failed review the goal's own words are sent. */
function afterReview(arming: Arming, { decision }: ReviewResult): { next: AfterReview; text: string } {
  switch (decision.kind) {
    case 'send':
      return { next: { kind: 'send' }, text: decision.text.trim() === '' ? arming.text : decision.text }
    case 'done':
      return { next: { kind: 'done', reason: decision.reason }, text: '' }
    case 'pause':
      return { next: { kind: 'pause', reason: decision.reason }, text: '' }
    case 'failed': {
      const times = arming.progress.failedReviews + 1
      if (times >= FAILURES)
        return { next: { kind: 'pause', reason: { code: 'review-failed', times, why: decision.why } }, text: '' }
      return { next: { kind: 'send' }, text: arming.text }
    }
  }
}
