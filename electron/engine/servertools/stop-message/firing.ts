import type { Spent } from '../../../../shared/cost.ts'
import type { ReviewView } from '../../../../shared/review.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Inside } from '../../terminals/outbox/listener.ts'
import { afterLook } from './after-look.ts'
import { spentBy } from './course.ts'
import { decideStopMessage, type Decision } from './decide.ts'
import type { Desk } from './desks.ts'
import { didOf } from './did.ts'
import type { EndedTurn, ExchangeFacts } from './ended-turn.ts'
import type { Looked, Looking, LookOrder } from './looking.ts'
import type { Office, StopMessageDeps } from './office.ts'
import { armingOf, type Arming } from './state.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

export interface FiringDeps extends Pick<Office, 'commit' | 'facts' | 'skip'> {
  deps: StopMessageDeps
  looking: Looking
}

/** when the disk refused: so long until it is tried again */
export const WRITE_AGAIN_MS = 5_000

/** why an agent is not finished by itself */
const helpers = 'background-agents'

type Fire = Extract<Decision, { kind: 'fire' }>
interface Followup {
  text: string
  round: number
}
/** A reviewer's text that could not be queued: the same stop does not ask again, it would be paid twice. */
interface Unsent extends Followup {
  requestId: string
  armId: string
  goal: string
}

/** From a stop to its followup: the decision, the look before it, the entry in the outbox. */
export function createFiring({ deps, looking, commit, facts, skip }: FiringDeps) {
  const { clock, record } = deps
  const retryMs = deps.writeAgainMs ?? WRITE_AGAIN_MS
  const retries = new Map<Desk, Disposable>()
  const unsent = new WeakMap<Desk, Unsent>()
  const excerpts = new WeakMap<Desk, { requestId: string; excerpt: TurnExcerpt | null }>()
  /** to be looked at again as soon as what is in the way has ended */
  const owed = new WeakSet<Desk>()
  /** their last stop was not answered because a followup was on its way already */
  const behind = new WeakSet<Desk>()
  /** their last stop was left alone because sub-agents still worked */
  const besideHelpers = new WeakSet<Desk>()

  const decide = async (
    desk: Desk,
    inside: Inside | null,
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    spent?: Spent,
  ): Promise<{ fire: Fire | null; written: boolean }> => {
    const decision = decideStopMessage(
      desk.kept.value.state,
      facts(desk, inside, turn, spent),
      clock.now(),
      deps.config().budgets,
    )
    if (decision.kind === 'skip') {
      if (decision.reason.code === 'entry-pending') behind.add(desk)
      if (turn.notFinished === helpers) besideHelpers.add(desk)
      return { fire: null, written: await skip(desk, inside, turn, decision) }
    }
    const { steps, used, max } = decision
    record(
      { sessionId: turn.sessionId, scope: desk.scope, requestId: turn.requestId },
      { type: 'matched', steps, used, max, ...(excerpt ? { did: didOf(excerpt) } : {}) },
    )
    return { fire: decision, written: false }
  }

  const tellEngine = (desk: Desk, error: unknown) =>
    record(
      { scope: desk.scope },
      {
        type: 'engine-problem',
        code: OnwardError.isInstance(error) ? error.code : 'stop-message',
        message: messageOf(error),
      },
    )

  const roundOf = (n: number, excerpt: TurnExcerpt | null) => ({ n, at: clock.now(), did: didOf(excerpt) })

  /** Opens the look; what it comes to is asked for outside of the scope's queue. */
  const begin = async (
    desk: Desk,
    inside: Inside | null,
    turn: EndedTurn,
    round: number,
    excerpt: TurnExcerpt | null,
  ): Promise<LookOrder | null> => {
    const lookId = deps.random.uuid()
    if (!(await commit(desk, inside, { type: 'look', lookId, round: roundOf(round, excerpt) }))) return null
    const arming = armingOf(desk.kept.value.state)
    if (!arming) return null
    const { sessionId } = turn
    if (arming.review)
      record(
        { sessionId, scope: desk.scope, requestId: turn.requestId },
        { type: 'review-started', round, backend: deps.goal.backend() },
      )
    return {
      lookId,
      round,
      sessionId,
      folder: deps.goal.folderOf(desk.scope),
      arming,
      turn: excerpt,
      language: deps.config().language,
    }
  }

  const discard = (desk: Desk, { sessionId, requestId }: EndedTurn, view: ReviewView) =>
    record(
      { sessionId, scope: desk.scope, requestId },
      { type: 'review-done', review: { ...view, outcome: { code: 'discarded' } } },
    )

  /** @returns what is to be sent; null: nothing is, or the look counts for nothing any more */
  const end = async (
    desk: Desk,
    inside: Inside | null,
    turn: EndedTurn,
    order: LookOrder,
    looked: Looked,
  ): Promise<Followup | null> => {
    const { state } = desk.kept.value
    const { view } = looked
    if (state.kind !== 'reviewing' || state.lookId !== order.lookId) {
      if (!view) return null
      discard(desk, turn, view)
      await commit(desk, inside, { type: 'review-spent', armId: order.arming.id, spent: spentBy(view) })
      return null
    }
    const { next, text } = afterLook(state.arming, looked)
    await commit(desk, inside, {
      type: 'looked',
      at: clock.now(),
      lookId: order.lookId,
      review: view,
      next,
      totals: deps.goal.totalsOf(turn.sessionId),
    })
    return next.kind === 'send' ? { text, round: order.round } : null
  }

  const look = (desk: Desk, turn: EndedTurn, order: LookOrder): void => {
    looking
      .look(order)
      .then(async (looked) => {
        if (!looked) return
        // The old terminal's queue would be opened again.
        if (desk.kept.value.movedTo !== null) return looked.view ? discard(desk, turn, looked.view) : undefined
        await desk.exclusive(async (inside) => {
          const followup = await end(desk, inside, turn, order, looked)
          if (followup && inside) await send(desk, inside, turn, followup, null)
        })
      })
      .catch((error: unknown) => tellEngine(desk, error))
  }

  /** @returns whether the state was written */
  const send = async (
    desk: Desk,
    inside: Inside,
    turn: EndedTurn,
    { text, round }: Followup,
    opens: ReturnType<typeof roundOf> | null,
  ): Promise<boolean> => {
    const arming = armingOf(desk.kept.value.state)
    if (!arming) return false
    if (opens === null)
      unsent.set(desk, { text, round, requestId: turn.requestId, armId: arming.id, goal: arming.text })
    try {
      const entry = await inside.add({
        sessionId: turn.sessionId,
        text,
        source: 'stopMessage',
        // the goal's own words are a person's, all others are a reviewer's
        writtenBy: text === arming.text ? 'person' : 'model',
        round,
        group: arming.id,
      })
      unsent.delete(desk)
      excerpts.delete(desk)
      return await commit(desk, inside, { type: 'fire', entryId: entry.id, text, round: opens })
    } catch (error) {
      return await notQueued(desk, inside, error)
    }
  }

  /** The stop is not forgotten while the disk is full; a text that cannot be typed at all is given up. */
  const notQueued = async (desk: Desk, inside: Inside, error: unknown): Promise<boolean> => {
    const code = OnwardError.isInstance(error) ? error.code : 'queue-failed'
    if (code === 'empty-text') {
      return commit(desk, inside, {
        type: 'give-up',
        at: clock.now(),
        reason: { code: 'typing-failed', message: messageOf(error) },
      })
    }
    record(
      { sessionId: inside.conversation(), scope: desk.scope },
      { type: 'engine-problem', code, message: messageOf(error) },
    )
    retries.get(desk)?.dispose()
    retries.set(
      desk,
      clock.after(retryMs, () => {
        retries.delete(desk)
        desk.exclusive((again) => lookAgain(desk, again)).catch((failure: unknown) => tellEngine(desk, failure))
      }),
    )
    return false
  }

  const readyFor = (desk: Desk, turn: EndedTurn, arming: Arming): Unsent | null => {
    const ready = unsent.get(desk)
    return ready &&
      ready.requestId === turn.requestId &&
      ready.armId === arming.id &&
      ready.goal === arming.text &&
      ready.round === arming.used + 1
      ? ready
      : null
  }

  /** @returns whether the state was written */
  const act = async (desk: Desk, inside: Inside, turn: EndedTurn, excerpt: TurnExcerpt | null): Promise<boolean> => {
    // Other requests than the stop's own may end behind it: a title, a sub-agent.
    if (desk.kept.value.lastStop?.requestId === turn.requestId && armingOf(desk.kept.value.state))
      excerpts.set(desk, { requestId: turn.requestId, excerpt })
    const { fire, written } = await decide(desk, inside, turn, excerpt)
    const arming = armingOf(desk.kept.value.state)
    if (!fire || !arming) return written
    const ready = readyFor(desk, turn, arming)
    if (ready) return send(desk, inside, turn, ready, null)
    if (!(await looking.isNeeded(arming, deps.goal.folderOf(desk.scope))))
      return send(desk, inside, turn, fire, roundOf(fire.round, excerpt))
    const order = await begin(desk, inside, turn, fire.round, excerpt)
    if (order) look(desk, turn, order)
    return true
  }

  const lookAgain: Office['lookAgain'] = async (desk, inside) => {
    const { lastStop } = desk.kept.value
    if (!inside || !lastStop || desk.kept.value.state.kind === 'reviewing') return
    // A turn in flight is decided when it ends; anything else is no answer to the stop, which waits for its end.
    if (inside.running()) return void owed.add(desk)
    const seen = excerpts.get(desk)
    await act(desk, inside, lastStop, seen?.requestId === lastStop.requestId ? seen.excerpt : null)
  }

  /** A person's word takes the place of a stop. The goal's own words are sent: there is nothing to review yet. */
  const startNow: Office['startNow'] = async (desk, inside) => {
    // What runs ends, and is answered then.
    if (inside.running()) return
    const turn = wordOf(inside.conversation(), deps.random.uuid())
    const decision = decideStopMessage(
      desk.kept.value.state,
      facts(desk, inside, turn),
      clock.now(),
      deps.config().budgets,
    )
    if (decision.kind === 'skip') return void (await skip(desk, inside, turn, decision))
    const { text, round } = decision
    const entry = await inside.add({
      sessionId: turn.sessionId,
      text,
      source: 'stopMessage',
      round,
      group: armingOf(desk.kept.value.state)?.id ?? null,
    })
    await commit(desk, inside, { type: 'fire', entryId: entry.id, text, round: roundOf(round, null) })
  }

  return {
    act,
    lookAgain,
    startNow,
    /** What kept the last stop from being looked at may have ended. */
    async takeUp(desk: Desk, inside: Inside | null): Promise<void> {
      if (owed.delete(desk)) await lookAgain(desk, inside)
    },
    /** A followup that another goal had asked for is on its way no more: a stop that waits behind it is answered. */
    async entryEnded(desk: Desk, inside: Inside | null): Promise<void> {
      if (behind.delete(desk)) await lookAgain(desk, inside)
    },
    waitsBehind: (desk: Desk): boolean => behind.has(desk),
    waitBehind(desk: Desk): void {
      behind.add(desk)
    },
    async answerInstead(desk: Desk, inside: Inside | null): Promise<void> {
      if (inside?.pendingAutomation()) behind.add(desk)
      else {
        behind.delete(desk)
        await lookAgain(desk, inside)
      }
    },
    /**
     * A sub-agent is through. After the last one Claude Code comes back by itself, with a turn that takes this one's
     * place; Codex 0.169.0 does not, and its stop stays unanswered until it is looked at again.
     */
    async helperEnded(desk: Desk, inside: Inside | null, { notFinished }: EndedTurn): Promise<void> {
      const { lastStop } = desk.kept.value
      if (notFinished === helpers || lastStop?.notFinished !== helpers) return
      const excerpt = excerpts.get(desk)?.excerpt ?? null
      desk.kept.note({ ...desk.kept.value, lastStop: { ...lastStop, notFinished: excerpt?.drivenBy ?? null } })
      if (besideHelpers.delete(desk)) await lookAgain(desk, inside)
    },
    owe(desk: Desk): void {
      owed.add(desk)
    },
    /** the agent goes on, or the scope is no more: what was seen of its last stop is let go of */
    forget(desk: Desk): void {
      excerpts.delete(desk)
      unsent.delete(desk)
      owed.delete(desk)
      behind.delete(desk)
      besideHelpers.delete(desk)
      retries.get(desk)?.dispose()
      retries.delete(desk)
    },
    /** reenter mode: the exchange waits for the look */
    async within(
      desk: Desk,
      turn: EndedTurn,
      excerpt: TurnExcerpt | null,
      { spent, left }: ExchangeFacts,
    ): Promise<Followup | null> {
      /** Counted before it is sent: what could not be counted is not sent, it might never end. */
      const counted = async (
        inside: Inside | null,
        { text, round }: Followup,
        opens: ReturnType<typeof roundOf> | null,
      ): Promise<Followup> => {
        await commit(desk, inside, { type: 'reenter', at: clock.now(), text, round: opens }, 'wish')
        return { text, round }
      }
      const begun = await desk.exclusive(async (inside) => {
        const { fire } = await decide(desk, inside, turn, excerpt, spent)
        const arming = armingOf(desk.kept.value.state)
        if (!fire || !arming) return { followup: null, order: null }
        if (await looking.isNeeded(arming, deps.goal.folderOf(desk.scope)))
          return { followup: null, order: await begin(desk, inside, turn, fire.round, excerpt) }
        return { followup: await counted(inside, fire, roundOf(fire.round, excerpt)), order: null }
      })
      const { order } = begun
      if (!order) return begun.followup
      // Nobody is there any more that it could be sent for: it is not counted, and the next exchange begins its own.
      const drop = (inside: Inside | null) => commit(desk, inside, { type: 'look-dropped', lookId: order.lookId })
      const onLeft = () => {
        desk.exclusive(drop).catch((error: unknown) => tellEngine(desk, error))
      }
      left?.addEventListener('abort', onLeft, { once: true })
      const look = looking.look(order)
      if (left?.aborted) onLeft()
      const looked = await look
      left?.removeEventListener('abort', onLeft)
      return (
        looked &&
        desk.exclusive(async (inside) => {
          if (left?.aborted) await drop(inside)
          const followup = await end(desk, inside, turn, order, looked)
          return followup && counted(inside, followup, null)
        })
      )
    },
    dispose() {
      for (const timer of retries.values()) timer.dispose()
      retries.clear()
    },
  }
}

/** What a person starts by hand, as the decision sees it. */
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
