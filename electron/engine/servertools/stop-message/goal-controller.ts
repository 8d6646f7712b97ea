import type { EventBody } from '../../../../shared/events.ts'
import { addSpent, type Spent } from '../../../../shared/cost/cost.ts'
import type { Clock } from '../../base/clock.ts'
import type { OutboxTransaction } from '../../terminals/outbox/listener.ts'
import { apply, type StopMessageEvent } from './reducer/apply.ts'
import { waitFor } from './reducer/background.ts'
import type { Effect } from './reducer/decide.ts'
import type { ScopeEntry } from './persistence/scope-store.ts'
import { markOf } from './review/did.ts'
import { isPlainStop, type EndedTurn } from './ended-turn.ts'
import { createFiring } from './firing/firing.ts'
import { createPreSendReview, type PreSendReview } from './review/pre-send-review.ts'
import { noticeOf } from './notice.ts'
import { madeProgress } from './reducer/progress.ts'
import { armingOf, isElsewhere } from './reducer/state.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'
import { forgetStop } from './stop-memory.ts'
import type { StopMessageDeps } from './deps.ts'
import type { GoalController } from './types.ts'

export function createGoalController(deps: StopMessageDeps): GoalController {
  const { clock, record } = deps
  const preSendReview = createPreSendReview(deps.goal, clock)

  const commit = committing(deps, preSendReview)
  const facts: GoalController['facts'] = (scopeEntry, transaction, turn, spent) => ({
    ...turn,
    scope: scopeEntry.scope,
    paused: deps.outboxes.pausedAll() ? 'global' : transaction?.paused() ? 'session' : null,
    terminalGone: transaction ? deps.terminalGone(scopeEntry.scope) : null,
    conversation: transaction ? transaction.conversation() : undefined,
    pendingEntryId: transaction?.pendingAutomation()?.id ?? null,
    totals: within(deps.goal.totalsOf(turn.sessionId), spent),
    // Within an HTTP call nothing can be typed later: a goal that waited there would never go on.
    waitsFor: transaction
      ? waitFor(scopeEntry.kept.value.background, turn.sessionId, clock.now(), deps.config().backgroundWaitMs)
      : null,
  })

  const skip: GoalController['skip'] = async (scopeEntry, transaction, turn, { reason, steps, effect }) => {
    record(
      { sessionId: turn.sessionId, scope: scopeEntry.scope, requestId: turn.requestId },
      { type: 'skipped', reason, steps },
    )
    return effect !== null && (await commit(scopeEntry, transaction, eventOf(effect, clock.now())))
  }

  const firing = createFiring({ deps, preSendReview, commit, facts, skip })

  const takeUp: GoalController['takeUp'] = async (scopeEntry, transaction) => {
    if (!scopeEntry.memory.owed) return
    scopeEntry.memory.owed = false
    await firing.decideAgain(scopeEntry, transaction)
  }
  const waitsNoLonger: GoalController['waitsNoLonger'] = ({ memory }) => {
    const waited = memory.behind
    memory.behind = false
    return waited
  }

  /** Kept on disk only while something is armed; a change from nothing to nothing is none. */
  const remember = (scopeEntry: ScopeEntry, turn: EndedTurn | null): boolean => {
    const { value } = scopeEntry.kept
    if (value.lastStop === turn) return false
    scopeEntry.kept.keepInMemory({ ...value, lastStop: turn })
    return armingOf(value.state) !== null
  }

  const mark = marking(deps, commit)

  return {
    commit,
    facts,
    skip,
    decideAgain: firing.decideAgain,
    startNow: firing.startNow,
    takeUp,
    passBackground: firing.background.passBackground,
    async entryEnded(scopeEntry, transaction) {
      if (waitsNoLonger(scopeEntry)) await firing.decideAgain(scopeEntry, transaction)
    },
    waitsNoLonger,
    async answerInstead(scopeEntry, transaction) {
      scopeEntry.memory.behind = Boolean(transaction?.pendingAutomation())
      if (!scopeEntry.memory.behind) await firing.decideAgain(scopeEntry, transaction)
    },
    looked: async ({ memory }) => memory.looking ?? undefined,
    endReviews: preSendReview.dispose,
    dispose: preSendReview.dispose,
    async ended(scopeEntry, transaction, turn, excerpt) {
      if (!transaction || scopeEntry.kept.value.movedTo !== null) return
      const main = turn.kind === 'turn' && !turn.reentered
      const owed = main && remember(scopeEntry, isPlainStop(turn) ? turn : null)
      // The agent went on by itself, without a new message: the stop that is under review is over.
      if (main) await commit(scopeEntry, transaction, { type: 'review-dropped' })
      try {
        await mark(scopeEntry, transaction, turn, excerpt)
        if (isPlainStop(turn) && turn.background)
          await firing.background.sawWork(scopeEntry, transaction, turn, turn.background)
        const written = await firing.act(scopeEntry, transaction, turn, excerpt)
        if (owed && !written) scopeEntry.kept.writeLater(scopeEntry.kept.value)
      } finally {
        await scopeEntry.kept.writeOwed()
      }
      if (!main) await takeUp(scopeEntry, transaction)
      if (turn.kind === 'subagent') await firing.background.helperEnded(scopeEntry, transaction, turn)
    },
    async within(scopeEntry, turn, excerpt, openCall) {
      await scopeEntry.exclusive((transaction) =>
        mark(scopeEntry, transaction, turn, excerpt).finally(scopeEntry.kept.writeOwed),
      )
      return firing.within(scopeEntry, turn, excerpt, openCall)
    },
    async begun(scopeEntry, transaction, byPerson) {
      forgetStop(scopeEntry.memory)
      const owed = remember(scopeEntry, null)
      const sessionId = transaction?.conversation() ?? null
      if (sessionId !== null) await commit(scopeEntry, transaction, { type: 'conversation', sessionId })
      const written = await commit(scopeEntry, transaction, {
        type: 'main-turn',
        byPerson,
        pendingEntryId: transaction?.pendingAutomation()?.id ?? null,
      })
      if (owed && !written) await scopeEntry.kept.writeBestEffort(scopeEntry.kept.value)
    },
  }
}

function committing(deps: StopMessageDeps, preSendReview: PreSendReview): GoalController['commit'] {
  const tell = (scopeEntry: ScopeEntry, sessionId: string | null, body: EventBody) => {
    const where = { sessionId, scope: scopeEntry.scope }
    deps.record(where, body)
    const notice = noticeOf(body)
    if (notice) deps.notify(where, notice)
  }

  return async (scopeEntry, transaction, event, how = 'best-effort') => {
    const { kept } = scopeEntry
    const before = kept.value
    const { state: after, events } = apply(before, event)
    if (after === before) return false
    const was = before.state
    if (was.kind === 'reviewing' && !(after.state.kind === 'reviewing' && after.state.reviewId === was.reviewId))
      preSendReview.stop(was.reviewId)
    // A pause takes effect before it is reported, and is reported as over before it ends.
    if (after.state.kind === 'paused' && was.kind !== 'paused') await transaction?.pause(after.state.reason)
    if (how === 'durable') await kept.writeDurable(after)
    else if (how === 'later') kept.writeLater(after)
    else await kept.writeBestEffort(after)
    const asked = was.kind === 'paused' && (was.reason.code !== 'by-user' || event.type === 'resume')
    if (asked && after.state.kind !== 'paused') await transaction?.resume()
    const sessionId =
      transaction?.conversation() ?? armingOf(after.state)?.sessionId ?? armingOf(was)?.sessionId ?? null
    for (const body of events) tell(scopeEntry, sessionId, body)
    deps.onChange(scopeEntry.scope)
    return true
  }
}

/**
 * Compares the stop with the one before: did the round between them get anywhere? The finding is written with the
 * next decision.
 */
const marking =
  ({ clock, goal }: StopMessageDeps, commit: GoalController['commit']) =>
  async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
  ): Promise<void> => {
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!arming || !isPlainStop(turn) || isElsewhere(arming, turn.sessionId)) return
    const totals = arming.budgetFrom.agent ? null : goal.totalsOf(turn.sessionId)
    if (totals) await commit(scopeEntry, transaction, { type: 'count-from', totals }, 'later')
    if (!excerpt) return
    const { before } = arming.progress
    // Within one HTTP call (reenter mode) every round stops under the same request.
    const now = markOf(`${turn.requestId}#${arming.used}`, excerpt, clock.now())
    if (before?.requestId === now.requestId) return
    const folder = goal.folderOf(scopeEntry.scope)
    const changed = async () =>
      folder !== null &&
      (await inTime(clock, (signal) => goal.changedSince(folder, arming.lastUsedAt ?? arming.armedAt, signal)))
    const progressed = before === null || (await madeProgress(before, now, changed))
    await commit(scopeEntry, transaction, { type: 'stopped', mark: now, progressed }, 'later')
  }

/**
 * Decisions and pauses wait for it: for a folder that does not answer the result is unknown, which counts as changed.
 */
const CHECKS_MS = 3_000

async function inTime(clock: Clock, review: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const ends = new AbortController()
  const late = new Promise<boolean>((resolve) => ends.signal.addEventListener('abort', () => resolve(true)))
  const timer = clock.after(CHECKS_MS, () => ends.abort())
  return Promise.race([review(ends.signal), late]).finally(() => timer.dispose())
}

const within = (totals: Spent | null, spent: Spent | undefined): Spent | null =>
  totals && spent ? addSpent(totals, spent) : totals

function eventOf(effect: Effect, at: number): StopMessageEvent {
  switch (effect.type) {
    case 'done':
      return { type: 'rounds-used', at }
    case 'failed':
      return { type: 'give-up', at, reason: effect.reason }
    case 'pause':
      return { type: 'budget', at, reason: effect.reason }
    case 'ask-here':
      return { type: 'left', sessionId: effect.sessionId }
  }
}
