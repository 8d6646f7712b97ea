import type { Spent } from '../../../../shared/cost/cost.ts'
import type { ReviewView } from '../../../../shared/review.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { BackgroundFound } from '../../sessions/background/background-work.ts'
import type { OutboxTransaction } from '../../terminals/outbox/listener.ts'
import { afterReview } from './review/after-review.ts'
import { spentBy } from './reducer/goal-progress.ts'
import { decideStopMessage, type Decision } from './reducer/decide.ts'
import type { ScopeEntry } from './persistence/scope-store.ts'
import { didOf } from './review/did.ts'
import type { EndedTurn, OpenCallFacts } from './ended-turn.ts'
import type { ReviewResult, PreSendReview, ReviewRequest } from './review/pre-send-review.ts'
import type { GoalController } from './types.ts'
import type { StopMessageDeps } from './deps.ts'
import { armingOf, type Arming } from './reducer/state.ts'
import type { TurnExcerpt } from './review/turn-excerpt.ts'

export interface FiringDeps extends Pick<GoalController, 'commit' | 'facts' | 'skip'> {
  deps: StopMessageDeps
  preSendReview: PreSendReview
}

/** when the disk refused: so long until it is tried again */
export const WRITE_AGAIN_MS = 5_000

/** how often a screen is looked at while its agent's work is waited for */
const LOOK_MS = 2_000
/** looks in a row that show no work before it counts as over: an agent draws its footer anew now and then */
const LOOKS = 2

type Fire = Extract<Decision, { kind: 'fire' }>
interface Followup {
  text: string
  round: number
}
/**
 * A reviewer's text that could not be queued: the same stop does not ask again, or the review would be paid for twice.
 */
interface Unsent extends Followup {
  requestId: string
  armId: string
  goal: string
}

/** From a stop to its followup: the decision, the review before it, the entry in the outbox. */
export function createFiring({ deps, preSendReview, commit, facts, skip }: FiringDeps) {
  const { clock, record } = deps
  const retryMs = deps.writeAgainMs ?? WRITE_AGAIN_MS
  const retries = new Map<ScopeEntry, Disposable>()
  const unsent = new WeakMap<ScopeEntry, Unsent>()
  const excerpts = new WeakMap<ScopeEntry, { requestId: string; excerpt: TurnExcerpt | null }>()
  /** to be decided again as soon as the obstacle is gone */
  const owed = new WeakSet<ScopeEntry>()
  /** their last stop was not answered because a followup was on its way already */
  const behind = new WeakSet<ScopeEntry>()
  /** their last stop waits for the agent's own work. `looks`: looks in a row that showed none */
  const waiting = new Map<ScopeEntry, { timer: Disposable; looks: number }>()
  /** the stop whose screen was looked at, or is now */
  const looked = new WeakMap<ScopeEntry, string>()
  const looking = new Map<ScopeEntry, Promise<void>>()

  const decide = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    spent?: Spent,
  ): Promise<{ fire: Fire | null; written: boolean }> => {
    const decision = decideStopMessage(
      scopeEntry.kept.value.state,
      facts(scopeEntry, transaction, turn, spent),
      clock.now(),
      deps.config().budgets,
    )
    if (decision.kind === 'skip') {
      if (decision.reason.code === 'entry-pending') behind.add(scopeEntry)
      if (decision.reason.code === 'background-work') wait(scopeEntry, decision.reason.until)
      return { fire: null, written: await skip(scopeEntry, transaction, turn, decision) }
    }
    stopWaiting(scopeEntry)
    const { steps, used, max } = decision
    record(
      { sessionId: turn.sessionId, scope: scopeEntry.scope, requestId: turn.requestId },
      { type: 'matched', steps, used, max, ...(excerpt ? { did: didOf(excerpt) } : {}) },
    )
    return { fire: decision, written: false }
  }

  const tellEngine = (scopeEntry: ScopeEntry, error: unknown) =>
    record(
      { scope: scopeEntry.scope },
      {
        type: 'engine-problem',
        code: OnwardError.isInstance(error) ? error.code : 'stop-message',
        message: messageOf(error),
      },
    )

  const roundOf = (n: number, excerpt: TurnExcerpt | null) => ({ n, at: clock.now(), did: didOf(excerpt) })

  /** Opens the review; its result is asked for outside of the scope's queue. */
  const begin = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    round: number,
    excerpt: TurnExcerpt | null,
  ): Promise<ReviewRequest | null> => {
    const reviewId = deps.random.uuid()
    if (!(await commit(scopeEntry, transaction, { type: 'review-begun', reviewId, round: roundOf(round, excerpt) })))
      return null
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!arming) return null
    const { sessionId } = turn
    if (arming.review)
      record(
        { sessionId, scope: scopeEntry.scope, requestId: turn.requestId },
        { type: 'review-started', round, backend: deps.goal.backend() },
      )
    return {
      reviewId,
      round,
      sessionId,
      folder: deps.goal.folderOf(scopeEntry.scope),
      arming,
      turn: excerpt,
      language: deps.config().language,
    }
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

  const startReview = (scopeEntry: ScopeEntry, turn: EndedTurn, order: ReviewRequest): void => {
    preSendReview
      .run(order)
      .then(async (result) => {
        if (!result) return
        // The old terminal's queue would be opened again.
        if (scopeEntry.kept.value.movedTo !== null)
          return result.view ? discard(scopeEntry, turn, result.view) : undefined
        await scopeEntry.exclusive(async (transaction) => {
          const followup = await end(scopeEntry, transaction, turn, order, result)
          if (followup && transaction) await send(scopeEntry, transaction, turn, followup, null)
          await scopeEntry.kept.writeOwed()
        })
      })
      .catch((error: unknown) => tellEngine(scopeEntry, error))
  }

  /** @returns whether the state was written */
  const send = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction,
    turn: EndedTurn,
    { text, round }: Followup,
    opens: ReturnType<typeof roundOf> | null,
  ): Promise<boolean> => {
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!arming) return false
    if (opens === null)
      unsent.set(scopeEntry, { text, round, requestId: turn.requestId, armId: arming.id, goal: arming.text })
    const entryId = deps.random.uuid()
    try {
      // Written before the entry, with the review and the stop it answers: a start that finds no such entry takes the
      // stop up again.
      await commit(scopeEntry, transaction, { type: 'fire', entryId, text, round: opens })
      await transaction.add({
        id: entryId,
        sessionId: turn.sessionId,
        text,
        source: 'stopMessage',
        // the goal's own words are a person's, all others are a reviewer's
        writtenBy: text === arming.text ? 'person' : 'model',
        round,
        group: arming.id,
      })
      unsent.delete(scopeEntry)
      excerpts.delete(scopeEntry)
      return true
    } catch (error) {
      return await notQueued(scopeEntry, transaction, entryId, error)
    }
  }

  /** The stop is not forgotten while the disk is full; a text that cannot be typed at all is given up. */
  const notQueued = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction,
    entryId: string,
    error: unknown,
  ): Promise<boolean> => {
    const code = OnwardError.isInstance(error) ? error.code : 'queue-failed'
    if (code === 'empty-text') {
      return commit(scopeEntry, transaction, {
        type: 'give-up',
        at: clock.now(),
        reason: { code: 'typing-failed', message: messageOf(error) },
      })
    }
    record(
      { sessionId: transaction.conversation(), scope: scopeEntry.scope },
      { type: 'engine-problem', code, message: messageOf(error) },
    )
    await commit(scopeEntry, transaction, { type: 'ended', entryId })
    retries.get(scopeEntry)?.dispose()
    retries.set(
      scopeEntry,
      clock.after(retryMs, () => {
        retries.delete(scopeEntry)
        scopeEntry
          .exclusive((again) => decideAgain(scopeEntry, again))
          .catch((failure: unknown) => tellEngine(scopeEntry, failure))
      }),
    )
    return false
  }

  const readyFor = (scopeEntry: ScopeEntry, turn: EndedTurn, arming: Arming): Unsent | null => {
    const ready = unsent.get(scopeEntry)
    return ready &&
      ready.requestId === turn.requestId &&
      ready.armId === arming.id &&
      ready.goal === arming.text &&
      ready.round === arming.used + 1
      ? ready
      : null
  }

  /** @returns whether the state was written */
  const act = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
  ): Promise<boolean> => {
    // Requests other than the stop's own may end after it: a title, a sub-agent.
    if (scopeEntry.kept.value.lastStop?.requestId === turn.requestId && armingOf(scopeEntry.kept.value.state))
      excerpts.set(scopeEntry, { requestId: turn.requestId, excerpt })
    if (looksFirst(scopeEntry, turn)) {
      looked.set(scopeEntry, turn.requestId)
      const look = lookFirst(scopeEntry, turn, excerpt)
        .catch((error: unknown) => tellEngine(scopeEntry, error))
        .finally(() => looking.delete(scopeEntry))
      looking.set(scopeEntry, look)
      return false
    }
    const { fire, written } = await decide(scopeEntry, transaction, turn, excerpt)
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!fire || !arming) return written
    const ready = readyFor(scopeEntry, turn, arming)
    if (ready) return send(scopeEntry, transaction, turn, ready, null)
    if (!(await preSendReview.isNeeded(arming, deps.goal.folderOf(scopeEntry.scope))))
      return send(scopeEntry, transaction, turn, fire, roundOf(fire.round, excerpt))
    const order = await begin(scopeEntry, transaction, turn, fire.round, excerpt)
    if (order) startReview(scopeEntry, turn, order)
    return true
  }

  const stopWaiting = (scopeEntry: ScopeEntry): void => {
    waiting.get(scopeEntry)?.timer.dispose()
    waiting.delete(scopeEntry)
  }

  const wait = (scopeEntry: ScopeEntry, until: number, looks = 0): void => {
    stopWaiting(scopeEntry)
    const timer = clock.after(Math.max(0, Math.min(LOOK_MS, until - clock.now())), () => {
      waited(scopeEntry, until).catch((error: unknown) => tellEngine(scopeEntry, error))
    })
    waiting.set(scopeEntry, { timer, looks })
  }

  const waited = async (scopeEntry: ScopeEntry, until: number): Promise<void> => {
    const was = waiting.get(scopeEntry)
    const shown = await deps.shownWork?.look(scopeEntry.scope)
    await scopeEntry.exclusive(async (transaction) => {
      const { state, lastStop, movedTo } = scopeEntry.kept.value
      // Another wait, or none any more: a turn began, or a person stepped in.
      if (!was || waiting.get(scopeEntry) !== was) return
      if (state.kind !== 'armed' || !lastStop || movedTo !== null) return stopWaiting(scopeEntry)
      const looks = shown === null ? was.looks + 1 : 0
      if (looks < LOOKS && clock.now() < until) return wait(scopeEntry, until, looks)
      if (looks >= LOOKS) await commit(scopeEntry, transaction, { type: 'background-is', is: 'over' }, 'later')
      await decideAgain(scopeEntry, transaction)
      deps.onChange(scopeEntry.scope)
    })
  }

  /** The screen may show work that requests do not: work from before a compaction, or from before there was a goal. */
  const looksFirst = (scopeEntry: ScopeEntry, turn: EndedTurn): boolean => {
    const { state, lastStop, background } = scopeEntry.kept.value
    return (
      state.kind === 'armed' &&
      lastStop?.requestId === turn.requestId &&
      looked.get(scopeEntry) !== turn.requestId &&
      background.every(({ sessionId, is }) => sessionId !== turn.sessionId || is === 'over') &&
      deps.shownWork?.known(scopeEntry.scope) === true
    )
  }

  const lookFirst = async (scopeEntry: ScopeEntry, turn: EndedTurn, excerpt: TurnExcerpt | null): Promise<void> => {
    const shown = await deps.shownWork?.look(scopeEntry.scope)
    await scopeEntry.exclusive(async (transaction) => {
      const { lastStop, movedTo } = scopeEntry.kept.value
      if (!transaction || lastStop?.requestId !== turn.requestId || movedTo !== null) return
      const running = typeof shown === 'string' ? [{ id: 'screen', kind: 'other' as const, what: shown }] : []
      await sawWork(scopeEntry, transaction, turn, { running, ended: [] })
      await act(scopeEntry, transaction, turn, excerpt)
      await scopeEntry.kept.writeOwed()
    })
  }

  const sawWork = (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    { sessionId }: Pick<EndedTurn, 'sessionId'>,
    found: BackgroundFound,
  ): Promise<boolean> =>
    commit(scopeEntry, transaction, { type: 'background', at: clock.now(), sessionId, found }, 'later')

  const decideAgain: GoalController['decideAgain'] = async (scopeEntry, transaction) => {
    const { lastStop } = scopeEntry.kept.value
    if (!transaction || !lastStop || scopeEntry.kept.value.state.kind === 'reviewing') return
    // A turn in flight is decided when it ends; any other request does not answer the stop, which waits for its end.
    if (transaction.running()) return void owed.add(scopeEntry)
    const seen = excerpts.get(scopeEntry)
    await act(scopeEntry, transaction, lastStop, seen?.requestId === lastStop.requestId ? seen.excerpt : null)
  }

  /** A person's order replaces a stop. The goal's own words are sent: there is nothing to review yet. */
  const startNow: GoalController['startNow'] = async (scopeEntry, transaction) => {
    // A running turn ends, and is answered then.
    if (transaction.running()) return
    const turn = wordOf(transaction.conversation(), deps.random.uuid())
    const decision = decideStopMessage(
      scopeEntry.kept.value.state,
      facts(scopeEntry, transaction, turn),
      clock.now(),
      deps.config().budgets,
    )
    if (decision.kind === 'skip') return void (await skip(scopeEntry, transaction, turn, decision))
    const { text, round } = decision
    const entry = await transaction.add({
      sessionId: turn.sessionId,
      text,
      source: 'stopMessage',
      round,
      group: armingOf(scopeEntry.kept.value.state)?.id ?? null,
    })
    await commit(scopeEntry, transaction, { type: 'fire', entryId: entry.id, text, round: roundOf(round, null) })
  }

  return {
    act,
    decideAgain,
    startNow,
    /** The reason why the last stop was not decided may be gone. */
    async takeUp(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void> {
      if (owed.delete(scopeEntry)) await decideAgain(scopeEntry, transaction)
    },
    /** A followup that was not for the last stop is no longer on its way: a stop that waits for its end is answered. */
    async entryEnded(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void> {
      if (behind.delete(scopeEntry)) await decideAgain(scopeEntry, transaction)
    },
    waitsNoLonger: (scopeEntry: ScopeEntry): boolean => behind.delete(scopeEntry),
    waitBehind(scopeEntry: ScopeEntry): void {
      behind.add(scopeEntry)
    },
    async answerInstead(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<void> {
      if (transaction?.pendingAutomation()) behind.add(scopeEntry)
      else {
        behind.delete(scopeEntry)
        await decideAgain(scopeEntry, transaction)
      }
    },
    sawWork,
    looked: async (scopeEntry: ScopeEntry): Promise<void> => looking.get(scopeEntry),
    /**
     * A sub-agent finished. After the last one Claude Code continues by itself, with a turn that replaces this one;
     * Codex 0.169.0 does not, and its stop stays unanswered until it is decided again.
     */
    async helperEnded(
      scopeEntry: ScopeEntry,
      transaction: OutboxTransaction | null,
      { sessionId, background }: EndedTurn,
    ): Promise<void> {
      const ended = background?.ended ?? []
      if (ended.length === 0) return
      const changed = await sawWork(scopeEntry, transaction, { sessionId }, { running: [], ended })
      if (changed && waiting.has(scopeEntry)) await decideAgain(scopeEntry, transaction)
      await scopeEntry.kept.writeOwed()
    },
    async passBackground(scopeEntry: ScopeEntry, transaction: OutboxTransaction | null): Promise<boolean> {
      if (!waiting.has(scopeEntry)) return false
      await commit(scopeEntry, transaction, { type: 'background-is', is: 'passed' })
      await decideAgain(scopeEntry, transaction)
      return true
    },
    owe(scopeEntry: ScopeEntry): void {
      owed.add(scopeEntry)
    },
    /** the agent goes on, or the scope is gone: drops what was seen of its last stop */
    forget(scopeEntry: ScopeEntry): void {
      excerpts.delete(scopeEntry)
      unsent.delete(scopeEntry)
      owed.delete(scopeEntry)
      behind.delete(scopeEntry)
      stopWaiting(scopeEntry)
      retries.get(scopeEntry)?.dispose()
      retries.delete(scopeEntry)
    },
    /** reenter mode: the HTTP call waits for the review */
    async within(
      scopeEntry: ScopeEntry,
      turn: EndedTurn,
      excerpt: TurnExcerpt | null,
      { spent, left }: OpenCallFacts,
    ): Promise<Followup | null> {
      /** Counted before it is sent: a text that could not be counted is not sent, or it might never end. */
      const counted = async (
        transaction: OutboxTransaction | null,
        { text, round }: Followup,
        opens: ReturnType<typeof roundOf> | null,
      ): Promise<Followup> => {
        await commit(scopeEntry, transaction, { type: 'reenter', at: clock.now(), text, round: opens }, 'durable')
        return { text, round }
      }
      const begun = await scopeEntry.exclusive(async (transaction) => {
        const { fire } = await decide(scopeEntry, transaction, turn, excerpt, spent)
        const arming = armingOf(scopeEntry.kept.value.state)
        if (!fire || !arming) return { followup: null, order: null }
        if (await preSendReview.isNeeded(arming, deps.goal.folderOf(scopeEntry.scope)))
          return { followup: null, order: await begin(scopeEntry, transaction, turn, fire.round, excerpt) }
        return { followup: await counted(transaction, fire, roundOf(fire.round, excerpt)), order: null }
      })
      const { order } = begun
      if (!order) return begun.followup
      // The client is gone: the review is not counted, and the next HTTP call begins its own.
      const drop = (transaction: OutboxTransaction | null) =>
        commit(scopeEntry, transaction, { type: 'review-dropped', reviewId: order.reviewId })
      const onLeft = () => {
        scopeEntry.exclusive(drop).catch((error: unknown) => tellEngine(scopeEntry, error))
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
          return followup && counted(transaction, followup, null).finally(scopeEntry.kept.writeOwed)
        })
      )
    },
    dispose() {
      for (const timer of retries.values()) timer.dispose()
      retries.clear()
      for (const { timer } of waiting.values()) timer.dispose()
      waiting.clear()
    },
  }
}

/** A person's manual start, as the decision sees it. */
const wordOf = (sessionId: string | null, id: string): EndedTurn => ({
  requestId: `now-${id}`,
  sessionId,
  kind: 'turn',
  reentered: false,
  finish: 'stop',
  clientLeft: false,
  registeredClientOnly: false,
  notFinished: null,
})
