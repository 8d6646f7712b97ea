import type { Spent } from '../../../../../shared/cost/cost.ts'
import { problemOf } from '../../../base/errors.ts'
import type { OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { EndedTurn, OpenCallFacts } from '../ended-turn.ts'
import type { ScopeEntry } from '../persistence/scope-store.ts'
import type { RoundBegun } from '../reducer/apply.ts'
import { decideStopMessage, type Decision } from '../reducer/decide.ts'
import { armingOf } from '../reducer/state.ts'
import { didOf } from '../review/did.ts'
import type { TurnExcerpt } from '../turn-excerpt.ts'
import { stopWaiting, type Followup } from '../stop-memory.ts'
import type { FiringDeps, GoalController } from '../types.ts'
import { createBackgroundWait } from './background-wait.ts'
import { createFollowups } from './followups.ts'
import { createReviews } from './reviews.ts'

type Fire = Extract<Decision, { kind: 'fire' }>

/** From a stop to its followup: the decision, the review before it, the entry in the outbox. */
export function createFiring({ deps, preSendReview, commit, facts, skip }: FiringDeps) {
  const { clock, record } = deps
  const roundOf = (n: number, excerpt: TurnExcerpt | null): RoundBegun => ({ n, at: clock.now(), did: didOf(excerpt) })
  const failed = ({ scope }: ScopeEntry, error: unknown) =>
    record({ scope }, { type: 'engine-problem', ...problemOf(error, 'stop-message') })

  const decide = async (
    scopeEntry: ScopeEntry,
    transaction: OutboxTransaction | null,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    spent?: Spent,
  ): Promise<{ fire: Fire | null; written: boolean }> => {
    const { state } = scopeEntry.kept.value
    const seen = facts(scopeEntry, transaction, turn, spent)
    const decision = decideStopMessage(state, seen, clock.now(), deps.config().budgets)
    if (decision.kind === 'skip') {
      if (decision.reason.code === 'entry-pending') scopeEntry.memory.behind = true
      if (decision.reason.code === 'background-work') background.wait(scopeEntry, decision.reason.until)
      return { fire: null, written: await skip(scopeEntry, transaction, turn, decision) }
    }
    stopWaiting(scopeEntry.memory)
    const { steps, used, max } = decision
    record(
      { sessionId: turn.sessionId, scope: scopeEntry.scope, requestId: turn.requestId },
      { type: 'matched', steps, used, max, ...(excerpt ? { did: didOf(excerpt) } : {}) },
    )
    return { fire: decision, written: false }
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
      scopeEntry.memory.excerpt = { requestId: turn.requestId, excerpt }
    if (background.looksFirst(scopeEntry, turn, excerpt)) return false
    const { fire, written } = await decide(scopeEntry, transaction, turn, excerpt)
    const arming = armingOf(scopeEntry.kept.value.state)
    if (!fire || !arming) return written
    const unsent = followups.unsentFor(scopeEntry, turn, arming)
    if (unsent) return followups.send(scopeEntry, transaction, turn, unsent, null)
    const round = roundOf(fire.round, excerpt)
    if (!(await preSendReview.isNeeded(arming, deps.goal.folderOf(scopeEntry.scope))))
      return followups.send(scopeEntry, transaction, turn, fire, round)
    const order = await reviews.begin(scopeEntry, transaction, turn, round, excerpt)
    if (order) reviews.start(scopeEntry, turn, order)
    return true
  }

  const decideAgain: GoalController['decideAgain'] = async (scopeEntry, transaction) => {
    const { lastStop } = scopeEntry.kept.value
    if (!transaction || !lastStop || scopeEntry.kept.value.state.kind === 'reviewing') return
    // A turn in flight is decided when it ends; any other request does not answer the stop, which waits for its end.
    if (transaction.running()) return void (scopeEntry.memory.owed = true)
    const seen = scopeEntry.memory.excerpt
    await act(scopeEntry, transaction, lastStop, seen?.requestId === lastStop.requestId ? seen.excerpt : null)
  }

  const background = createBackgroundWait({ deps, commit, decideAgain, act, failed })
  const followups = createFollowups({ deps, commit, decideAgain, failed })
  const reviews = createReviews({
    deps,
    preSendReview,
    commit,
    failed,
    send: (scopeEntry, transaction, turn, followup) => followups.send(scopeEntry, transaction, turn, followup, null),
  })

  /** A person's order replaces a stop. The goal's own words are sent: there is nothing to review yet. */
  const startNow: GoalController['startNow'] = async (scopeEntry, transaction) => {
    // A running turn ends, and is answered then.
    if (transaction.running()) return
    const turn = wordOf(transaction.conversation(), deps.random.uuid())
    const { state } = scopeEntry.kept.value
    const seen = facts(scopeEntry, transaction, turn)
    const decision = decideStopMessage(state, seen, clock.now(), deps.config().budgets)
    if (decision.kind === 'skip') return void (await skip(scopeEntry, transaction, turn, decision))
    const { text, round } = decision
    const { sessionId } = turn
    const group = armingOf(state)?.id ?? null
    const entry = await transaction.add({ sessionId, text, source: 'stopMessage', round, group })
    await commit(scopeEntry, transaction, { type: 'fire', entryId: entry.id, text, round: roundOf(round, null) })
  }

  /** reenter mode: the HTTP call waits for the review */
  const within = async (
    scopeEntry: ScopeEntry,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    { spent, left }: OpenCallFacts,
  ): Promise<Followup | null> => {
    /** Counted before it is sent: a text that could not be counted is not sent, or it might never end. */
    const counted = async (
      transaction: OutboxTransaction | null,
      { text, round }: Followup,
      opens: RoundBegun | null,
    ): Promise<Followup> => {
      await commit(scopeEntry, transaction, { type: 'reenter', at: clock.now(), text, round: opens }, 'durable')
      return { text, round }
    }
    const { followup, order } = await scopeEntry.exclusive(async (transaction) => {
      const { fire } = await decide(scopeEntry, transaction, turn, excerpt, spent)
      const arming = armingOf(scopeEntry.kept.value.state)
      if (!fire || !arming) return { followup: null, order: null }
      const round = roundOf(fire.round, excerpt)
      return (await preSendReview.isNeeded(arming, deps.goal.folderOf(scopeEntry.scope)))
        ? { followup: null, order: await reviews.begin(scopeEntry, transaction, turn, round, excerpt) }
        : { followup: await counted(transaction, fire, round), order: null }
    })
    if (!order) return followup
    return reviews.within(scopeEntry, turn, order, left, (transaction, said) => counted(transaction, said, null))
  }

  return { act, decideAgain, startNow, within, background }
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
