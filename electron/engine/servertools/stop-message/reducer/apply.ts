import type { ClearedBy, DoneReason, EventBody, FailReason, PauseReason } from '../../../../../shared/events.ts'
import { addSpent, type Spent } from '../../../../../shared/cost/cost.ts'
import type { ReviewView, RoundView } from '../../../../../shared/review.ts'
import { answered, goneOn, movedTo, newArming, rearmed, rested, withMore } from './arming.ts'
import type { BackgroundFound } from '../../../sessions/background/background-work.ts'
import { seen, type SeenWork } from './background.ts'
import { spentOf } from './budget.ts'
import { changeRound, openRound, reviewed, stopped, type StopMark } from './goal-progress.ts'
import { armingOf, withArming, type Arming, type Proof, type ScopeState, type StopMessageState } from './state.ts'

export type RoundBegun = Pick<RoundView, 'n' | 'at' | 'did'>

/** Everything that can happen to a scope's stopMessage. Times are epoch milliseconds. */
export type StopMessageEvent =
  /**
   * `paused`: the scope's own pause, which may have been chosen while nothing was set. `totals`: what the session has
   * used so far; null: not known
   */
  | {
      type: 'arm'
      at: number
      armId: string
      paused: PauseReason | null
      by: 'marker' | 'user'
      sessionId: string | null
      text: string
      max: number | null
      review: boolean
      totals: Spent | null
    }
  /** one click brings back what the last clear took; rounds given on top of it */
  | { type: 'rearm'; at: number; armId: string; paused: PauseReason | null; more: number; totals: Spent | null }
  /** the agent stopped in another conversation: a person is asked whether it goes on there */
  | { type: 'left'; sessionId: string }
  /** the person's word: it goes on in that conversation. `paused`: the scope's own pause */
  | {
      type: 'carry-on'
      at: number
      armId: string
      sessionId: string
      paused: PauseReason | null
      totals: Spent | null
    }
  /** a person changes the goal while it runs; rounds used stay */
  | { type: 'edit'; at: number; text?: string; max?: number | null; review?: boolean }
  | { type: 'add-rounds'; at: number; rounds: number }
  | { type: 'clear'; at: number; by: ClearedBy }
  | { type: 'pause'; at: number; reason: PauseReason; totals: Spent | null }
  /** `unanswered`: not ordered by a person, who did not answer a guard's question */
  | { type: 'resume'; at: number; totals: Spent | null; unanswered?: true }
  /** the agent came to a plain stop; whether its last round got anywhere */
  | { type: 'stopped'; mark: StopMark; progressed: boolean }
  /** a round is being decided: a reviewer or beads are asked before anything is sent */
  | { type: 'review-begun'; reviewId: string; round: RoundBegun }
  /** their answer; `next` is its consequence */
  | {
      type: 'review-ended'
      at: number
      reviewId: string
      review: ReviewView | null
      next: AfterReview
      totals: Spent | null
    }
  /** the cost of a review whose result came too late */
  | { type: 'review-spent'; armId: string; spent: Spent }
  /** the session's usage is known only now: budgets count from here */
  | { type: 'count-from'; totals: Spent }
  /** a look at the agent's work in the background */
  | { type: 'background'; at: number; sessionId: string | null; found: BackgroundFound }
  /** known work is not waited for any more: by a person's order, or since the screen shows none */
  | { type: 'background-is'; is: NonNullable<SeenWork['is']> }
  /** the result of that review is not waited for any more */
  | { type: 'review-dropped'; reviewId?: string }
  /** a followup was queued; `round`: where no review opened one */
  | { type: 'fire'; entryId: string; text: string; round: RoundBegun | null }
  | { type: 'submitted'; at: number; entryId: string; group: string | null; round: number | null; text: string }
  | { type: 'confirmed'; at: number; entryId: string; group: string | null }
  /** cancelled, superseded or expired */
  | { type: 'ended'; entryId: string }
  | { type: 'failed'; at: number; entryId: string; group: string | null; reason: FailReason }
  /** its fate was still unknown after the time a receipt may take */
  | { type: 'unconfirmed'; at: number; entryId: string }
  /** nothing can be typed for it any more */
  | { type: 'give-up'; at: number; reason: FailReason }
  | { type: 'rounds-used'; at: number }
  | { type: 'budget'; at: number; reason: PauseReason }
  /** reenter mode: counted before the inner request is sent */
  | { type: 'reenter'; at: number; text: string; round: RoundBegun | null }
  /** a main turn began; `pendingEntryId`: the followup still under way */
  | { type: 'main-turn'; byPerson: boolean; pendingEntryId: string | null }
  /** a goal set before the first message belongs to the conversation that the terminal's first turn began */
  | { type: 'conversation'; sessionId: string }
  /** the conversation goes on under another id */
  | { type: 'renamed'; from: string; to: string }

export type AfterReview =
  | { kind: 'send' }
  | { kind: 'done'; reason: DoneReason }
  | { kind: 'pause'; reason: PauseReason }

export interface Applied {
  state: ScopeState
  events: readonly EventBody[]
}

/** counted entries remembered: more than the outbox keeps of its own */
const COUNTED = 64
/** conversations remembered in which a person was asked */
const ASKED = 64

/** The states of stopMessage. An event that does not fit the state changes nothing. */
export function apply(scope: ScopeState, event: StopMessageEvent): Applied {
  const { state } = scope
  const arming = armingOf(state)
  const none: Applied = { state: scope, events: [] }
  const to = (next: StopMessageState, ...events: EventBody[]): Applied => ({ state: { ...scope, state: next }, events })

  switch (event.type) {
    case 'arm': {
      const fresh = newArming(event)
      return armed(scope, event, fresh, {
        type: 'armed',
        text: fresh.text,
        max: fresh.max,
        review: fresh.review,
        by: event.by,
      })
    }
    case 'rearm':
      return arming || !scope.last ? none : rearm(scope, scope.last, event)
    case 'add-rounds':
      if (!arming) return none
      return to(withArming(state, withMore(arming, event.rounds)))
    case 'clear':
      return arming || state.kind !== 'none' ? cleared(scope, { kind: 'none' }, event.at, event.by) : none
    case 'pause':
      if (!arming) return none
      // A person who pauses a goal that had paused by itself has seen why; from then on only a person ends the pause.
      if (state.kind === 'paused')
        return state.reason.code === 'by-user'
          ? none
          : to({
              kind: 'paused',
              arming: answered(state, event.at, event.totals),
              reason: event.reason,
              at: event.at,
              entryId: null,
            })
      return to({ kind: 'paused', arming, reason: event.reason, at: event.at, entryId: entryOf(state) })
    case 'resume': {
      if (state.kind !== 'paused') return none
      const next = event.unanswered ? goneOn(state, event.at) : answered(state, event.at, event.totals)
      const underWay = asksOfEntry(state.reason) ? null : state.entryId
      return to(
        underWay === null ? { kind: 'armed', arming: next } : { kind: 'injecting', arming: next, entryId: underWay },
      )
    }
    case 'left': {
      const { sessionId } = event
      if (!arming || arming.sessionId === null || arming.askedIn?.includes(sessionId)) return none
      const { sessionId: from, text, used, max, askedIn = [] } = arming
      return to(withArming(state, { ...arming, askedIn: [...askedIn, sessionId].slice(-ASKED) }), {
        type: 'goal-left',
        from,
        text,
        used,
        max,
      })
    }
    case 'carry-on': {
      if (!arming) return none
      const { sessionId: from, text, used, max } = arming
      const next = movedTo(event.sessionId, arming, event)
      return armed(scope, event, next, { type: 'goal-carried-on', from, text, used, max })
    }
    case 'edit':
      return arming ? edited(scope, arming, event) : none
    case 'stopped': {
      if (!arming) return none
      const progress = stopped(arming.progress, arming.used, event.mark, event.progressed)
      return progress === arming.progress ? none : to(withArming(state, { ...arming, progress }))
    }
    case 'review-begun':
      // `injecting` if its entry ended and the event has not come yet: the decision saw that none is under way.
      if (state.kind !== 'armed' && state.kind !== 'injecting') return none
      return to({
        kind: 'reviewing',
        arming: { ...state.arming, progress: openRound(state.arming.progress, event.round) },
        reviewId: event.reviewId,
        since: event.round.at,
        round: event.round.n,
      })
    case 'review-ended':
      return state.kind === 'reviewing' && state.reviewId === event.reviewId
        ? reviewEnded(scope, state.arming, event)
        : none
    case 'review-spent':
      if (arming?.id !== event.armId) return none
      return to(
        withArming(state, {
          ...arming,
          progress: { ...arming.progress, reviewSpent: addSpent(arming.progress.reviewSpent, event.spent) },
        }),
      )
    case 'count-from':
      return arming && !arming.budgetFrom.agent
        ? to(withArming(state, { ...arming, budgetFrom: { ...arming.budgetFrom, agent: event.totals } }))
        : none
    case 'review-dropped':
      return state.kind === 'reviewing' && (event.reviewId ?? state.reviewId) === state.reviewId
        ? to({ kind: 'armed', arming: state.arming })
        : none
    case 'background': {
      const background = seen(scope.background, event.sessionId, event.found, event.at)
      return arming && background !== scope.background ? { state: { ...scope, background }, events: [] } : none
    }
    case 'background-is':
      return {
        state: { ...scope, background: scope.background.map((work) => ({ ...work, is: event.is })) },
        events: [],
      }
    case 'fire':
      return arming ? to({ kind: 'injecting', arming: sending(arming, event), entryId: event.entryId }) : none
    case 'submitted': {
      if (!arming || event.group !== arming.id || arming.counted.includes(event.entryId)) return none
      const used = arming.used + 1
      // A person may have edited it on its way.
      const progress =
        event.round === null ? arming.progress : changeRound(arming.progress, event.round, { sent: event.text })
      const next = {
        ...arming,
        progress,
        used,
        lastUsedAt: event.at,
        counted: [...arming.counted, event.entryId].slice(-COUNTED),
      }
      return to(withArming(state, next), { type: 'used', used, max: arming.max })
    }
    case 'reenter': {
      if (!arming) return none
      const used = arming.used + 1
      return to(
        { kind: 'armed', arming: { ...sending(arming, event), used, lastUsedAt: event.at } },
        { type: 'used', used, max: arming.max },
      )
    }
    case 'confirmed':
      return confirmed(scope, event)
    case 'ended': {
      const after = over(scope, event.entryId)
      const was = armingOf(after.state)
      // Taken back before it was sent: its round does not claim otherwise.
      if (after === scope || !was || was.counted.includes(event.entryId)) return { state: after, events: [] }
      return {
        state: {
          ...after,
          state: withArming(after.state, { ...was, progress: changeRound(was.progress, was.used + 1, { sent: null }) }),
        },
        events: [],
      }
    }
    case 'failed':
      if (!arming || event.group !== arming.id) return none
      if (event.reason.code !== 'not-received' && event.reason.code !== 'not-submitted')
        return failed(scope, event.at, event.reason)
      return state.kind === 'paused'
        ? { state: over(scope, event.entryId), events: [] }
        : lost(scope, event.at, event.entryId, { code: event.reason.code })
    case 'unconfirmed':
      // Paused meanwhile: no followup is waited for, so that resuming decides the stop again.
      if (state.kind === 'paused' && !asksOfEntry(state.reason))
        return { state: over(scope, event.entryId), events: [] }
      return state.kind === 'injecting' && state.entryId === event.entryId
        ? lost(scope, event.at, event.entryId, { code: 'not-received' })
        : none
    case 'give-up':
      return arming ? failed(scope, event.at, event.reason) : none
    case 'rounds-used':
      return arming
        ? done(scope, event.at, { code: 'rounds-used', used: arming.used, max: arming.max ?? arming.used })
        : none
    case 'budget':
      if (!arming || state.kind === 'paused') return none
      return to(
        { kind: 'paused', arming, reason: event.reason, at: event.at, entryId: entryOf(state) },
        { type: 'paused', reason: event.reason, what: 'session' },
      )
    case 'conversation':
      return arming?.sessionId === null ? to(withArming(state, { ...arming, sessionId: event.sessionId })) : none
    case 'renamed':
      return { state: renamed(scope, event), events: [] }
    case 'main-turn':
      if (state.kind === 'reviewing' || (state.kind === 'injecting' && state.entryId !== event.pendingEntryId))
        return to({ kind: 'armed', arming: state.arming })
      return event.byPerson && (state.kind === 'done' || state.kind === 'failed') ? to({ kind: 'none' }) : none
  }
}

function renamed(scope: ScopeState, { from, to }: { from: string; to: string }): ScopeState {
  const is = (one: { sessionId: string | null } | null): boolean => one?.sessionId === from
  const { state, last, lastStop } = scope
  const arming = armingOf(state)
  if (!is(arming) && !is(last) && !is(lastStop)) return scope
  return {
    ...scope,
    state: arming && is(arming) ? withArming(state, { ...arming, sessionId: to }) : state,
    last: last && is(last) ? { ...last, sessionId: to } : last,
    lastStop: lastStop && is(lastStop) ? { ...lastStop, sessionId: to } : lastStop,
  }
}

/** The round's followup is on its way. */
function sending(arming: Arming, { text, round }: { text: string; round: RoundBegun | null }): Arming {
  const progress = round ? openRound(arming.progress, round) : arming.progress
  return { ...arming, progress: changeRound(progress, round?.n ?? arming.used + 1, { sent: text }) }
}

/** The result of a review that still counts. */
function reviewEnded(
  scope: ScopeState,
  arming: Arming,
  { at, review, next, totals }: Extract<StopMessageEvent, { type: 'review-ended' }>,
): Applied {
  const after = review ? { ...arming, progress: reviewed(arming.progress, review) } : arming
  const first: EventBody[] = review ? [{ type: 'review-done', review }] : []
  const became = (state: ScopeState, events: readonly EventBody[]): Applied => ({
    state,
    events: [...first, ...events],
  })
  switch (next.kind) {
    case 'send':
      return became({ ...scope, state: { kind: 'armed', arming: after } }, [])
    case 'pause':
      return became({ ...scope, state: { kind: 'paused', arming: after, reason: next.reason, at, entryId: null } }, [
        { type: 'paused', reason: next.reason, what: 'session' },
      ])
    case 'done': {
      const { agent, review: reviewSpent } = spentOf(after, totals)
      const { state, events } = done(
        { ...scope, state: { kind: 'armed', arming: after } },
        at,
        next.reason,
        review && { review, spent: agent, reviewSpent },
      )
      return became(state, events)
    }
  }
}

/** Results for the old goal don't count; a text that is being typed finishes. */
function edited(scope: ScopeState, arming: Arming, event: Extract<StopMessageEvent, { type: 'edit' }>): Applied {
  const { text = arming.text, max = arming.max, review = arming.review } = event
  if (text === arming.text && max === arming.max && review === arming.review) return { state: scope, events: [] }
  const next = { ...arming, text, max, review }
  const isAnother = text !== arming.text || review !== arming.review
  const state: StopMessageState =
    scope.state.kind === 'reviewing' && isAnother ? { kind: 'armed', arming: next } : withArming(scope.state, next)
  return {
    state: { ...scope, state, updatedAt: stamp(scope, event.at) },
    events: [{ type: 'stop-message-edited', text, max, review }],
  }
}

/** A pause that a person chose outlives a new setting; a pause that only asked a question is answered by it. */
function armed(
  scope: ScopeState,
  { at, paused }: { at: number; paused: PauseReason | null },
  arming: Arming,
  event: EventBody,
): Applied {
  const reason = scope.state.kind === 'paused' ? scope.state.reason : paused
  const next: StopMessageState =
    reason?.code === 'by-user' ? { kind: 'paused', arming, reason, at, entryId: null } : { kind: 'armed', arming }
  return { state: { ...scope, state: next, updatedAt: stamp(scope, at) }, events: [event] }
}

/** Grows with every setting and clear, also when the clock was set back. */
const stamp = (scope: ScopeState, at: number): number => Math.max(at, (scope.updatedAt ?? -1) + 1)

function rearm(
  scope: ScopeState,
  last: NonNullable<ScopeState['last']>,
  event: Extract<StopMessageEvent, { type: 'rearm' }>,
): Applied {
  const next = rearmed(scope, last, event)
  return armed(scope, event, next, { type: 'armed', text: next.text, max: next.max, review: next.review, by: 're-arm' })
}

function confirmed(scope: ScopeState, event: Extract<StopMessageEvent, { type: 'confirmed' }>): Applied {
  const { state } = scope
  const arming = armingOf(state)
  if (!arming || event.group !== arming.id) return { state: scope, events: [] }
  if (arming.max !== null && arming.used >= arming.max)
    return done(scope, event.at, { code: 'rounds-used', used: arming.used, max: arming.max })
  // The receipt came after all: the reason for the pause did not happen.
  if (state.kind === 'paused' && asksOfEntry(state.reason) && state.entryId === event.entryId) {
    return {
      state: { ...scope, state: { kind: 'armed', arming: rested(state, event.at) } },
      events: [{ type: 'resumed', what: 'session' }],
    }
  }
  return { state: over(scope, event.entryId), events: [] }
}

const entryOf = (state: StopMessageState): string | null => (state.kind === 'injecting' ? state.entryId : null)

/** The followup is not under way any more. */
function over(scope: ScopeState, entryId: string): ScopeState {
  const { state } = scope
  if (state.kind === 'injecting' && state.entryId === entryId)
    return { ...scope, state: { kind: 'armed', arming: state.arming } }
  return state.kind === 'paused' && state.entryId === entryId ? { ...scope, state: { ...state, entryId: null } } : scope
}

/** True for a pause that asks about the fate of one followup. */
const asksOfEntry = ({ code }: PauseReason): boolean => code === 'not-received' || code === 'not-submitted'

/** It is unknown whether the agent has it, or the agent never took it: the goal is kept, and a person is asked. */
function lost(
  scope: ScopeState,
  at: number,
  entryId: string,
  reason: Extract<PauseReason, { code: 'not-received' | 'not-submitted' }>,
): Applied {
  const { state } = scope
  const arming = armingOf(state)
  if (!arming) return { state: scope, events: [] }
  return {
    state: { ...scope, state: { kind: 'paused', arming, reason, at, entryId } },
    events: [{ type: 'paused', reason, what: 'session' }],
  }
}

function done(scope: ScopeState, at: number, reason: DoneReason, proof: Proof | null = null): Applied {
  const applied = cleared(
    scope,
    { kind: 'done', reason, at, ...(proof ? { proof } : {}) },
    at,
    reason.code === 'rounds-used' ? 'rounds-used' : 'goal-reached',
  )
  const spent = proof ? { spent: addSpent(proof.spent, proof.reviewSpent) } : {}
  return { ...applied, events: [{ type: 'done', reason, ...spent }, ...applied.events] }
}

function failed(scope: ScopeState, at: number, reason: FailReason): Applied {
  const applied = cleared(
    scope,
    { kind: 'failed', reason, at },
    at,
    reason.code === 'terminal-gone' ? 'terminal-gone' : 'failure',
  )
  return {
    ...applied,
    events: [{ type: 'stop-message-failed', reason, text: armingOf(scope.state)?.text ?? '' }, ...applied.events],
  }
}

/** A clear keeps a tombstone and what arming again needs, nothing else. */
function cleared(scope: ScopeState, next: StopMessageState, at: number, by: ClearedBy): Applied {
  const arming = armingOf(scope.state)
  const last = arming && {
    text: arming.text,
    used: arming.used,
    max: arming.max,
    review: arming.review,
    clearedAt: at,
    clearedBy: by,
    sessionId: arming.sessionId,
    armedAt: arming.armedAt,
    lastUsedAt: arming.lastUsedAt,
    ...(arming.askedIn ? { askedIn: arming.askedIn } : {}),
  }
  return {
    state: { ...scope, state: next, updatedAt: stamp(scope, at), last: last ?? scope.last },
    events: arming ? [{ type: 'cleared', by }] : [],
  }
}
