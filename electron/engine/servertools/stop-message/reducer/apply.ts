import type { ClearedBy, DoneReason, EventBody, FailReason, PauseReason } from '../../../../../shared/events.ts'
import { addSpent, type Spent } from '../../../../../shared/cost/cost.ts'
import type { ReviewView, RoundView } from '../../../../../shared/review.ts'
import { answered, goneOn, movedTo, newArming, rearmed, rested, withMore } from './arming.ts'
import type { BackgroundFound } from '../../../sessions/activity.ts'
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
  const follow = transitions[event.type] as (now: Now, event: StopMessageEvent) => Applied
  return follow(
    {
      scope,
      state,
      arming: armingOf(state),
      none: { state: scope, events: [] },
      to: (next, ...events) => ({ state: { ...scope, state: next }, events }),
    },
    event,
  )
}

/** The state that an event is applied to. */
interface Now {
  scope: ScopeState
  state: StopMessageState
  arming: Arming | null
  none: Applied
  to(next: StopMessageState, ...events: EventBody[]): Applied
}

type Transitions = {
  [Type in StopMessageEvent['type']]: (now: Now, event: Extract<StopMessageEvent, { type: Type }>) => Applied
}

const transitions: Transitions = {
  arm({ scope }, event) {
    const fresh = newArming(event)
    const { text, max, review } = fresh
    return armed(scope, event, fresh, { type: 'armed', text, max, review, by: event.by })
  },
  rearm({ scope, arming, none }, event) {
    if (arming || !scope.last) return none
    const next = rearmed(scope, scope.last, event)
    const { text, max, review } = next
    return armed(scope, event, next, { type: 'armed', text, max, review, by: 're-arm' })
  },
  'add-rounds': ({ state, arming, none, to }, { rounds }) =>
    arming ? to(withArming(state, withMore(arming, rounds))) : none,
  clear: ({ scope, state, none }, { at, by }) =>
    state.kind === 'none' ? none : cleared(scope, { kind: 'none' }, at, by),
  pause({ state, arming, none, to }, { at, reason, totals }) {
    if (!arming) return none
    if (state.kind !== 'paused') return to({ kind: 'paused', arming, reason, at, entryId: entryOf(state) })
    // A person who pauses a goal that had paused by itself has seen why; from then on only a person ends the pause.
    if (state.reason.code === 'by-user') return none
    return to({ kind: 'paused', arming: answered(state, at, totals), reason, at, entryId: null })
  },
  resume({ state, none, to }, event) {
    if (state.kind !== 'paused') return none
    const arming = event.unanswered ? goneOn(state, event.at) : answered(state, event.at, event.totals)
    const entryId = asksOfEntry(state.reason) ? null : state.entryId
    return to(entryId === null ? { kind: 'armed', arming } : { kind: 'injecting', arming, entryId })
  },
  left({ state, arming, none, to }, { sessionId }) {
    if (!arming || arming.sessionId === null || arming.askedIn?.includes(sessionId)) return none
    const { sessionId: from, text, used, max, askedIn = [] } = arming
    const asked = { ...arming, askedIn: [...askedIn, sessionId].slice(-ASKED) }
    return to(withArming(state, asked), { type: 'goal-left', from, text, used, max })
  },
  'carry-on'({ scope, arming, none }, event) {
    if (!arming) return none
    const { sessionId: from, text, used, max } = arming
    const next = movedTo(event.sessionId, arming, event)
    return armed(scope, event, next, { type: 'goal-carried-on', from, text, used, max })
  },
  edit: ({ scope, arming, none }, event) => (arming ? edited(scope, arming, event) : none),
  stopped({ state, arming, none, to }, event) {
    if (!arming) return none
    const progress = stopped(arming.progress, arming.used, event.mark, event.progressed)
    return progress === arming.progress ? none : to(withArming(state, { ...arming, progress }))
  },
  'review-begun'({ state, none, to }, { reviewId, round }) {
    // `injecting` if its entry ended and the event has not come yet: the decision saw that none is under way.
    if (state.kind !== 'armed' && state.kind !== 'injecting') return none
    const arming = { ...state.arming, progress: openRound(state.arming.progress, round) }
    return to({ kind: 'reviewing', arming, reviewId, since: round.at, round: round.n })
  },
  'review-ended': ({ scope, state, none }, event) =>
    state.kind === 'reviewing' && state.reviewId === event.reviewId ? reviewEnded(scope, state.arming, event) : none,
  'review-spent'({ state, arming, none, to }, { armId, spent }) {
    if (arming?.id !== armId) return none
    const progress = { ...arming.progress, reviewSpent: addSpent(arming.progress.reviewSpent, spent) }
    return to(withArming(state, { ...arming, progress }))
  },
  'count-from': ({ state, arming, none, to }, { totals }) =>
    arming && !arming.budgetFrom.agent
      ? to(withArming(state, { ...arming, budgetFrom: { ...arming.budgetFrom, agent: totals } }))
      : none,
  'review-dropped': ({ state, none, to }, event) =>
    state.kind === 'reviewing' && (event.reviewId ?? state.reviewId) === state.reviewId
      ? to({ kind: 'armed', arming: state.arming })
      : none,
  background({ scope, arming, none }, event) {
    const background = seen(scope.background, event.sessionId, event.found, event.at)
    return arming && background !== scope.background ? { state: { ...scope, background }, events: [] } : none
  },
  'background-is': ({ scope }, { is }) => ({
    state: { ...scope, background: scope.background.map((work) => ({ ...work, is })) },
    events: [],
  }),
  fire: ({ arming, none, to }, event) =>
    arming ? to({ kind: 'injecting', arming: sending(arming, event), entryId: event.entryId }) : none,
  submitted({ state, arming, none, to }, { at, entryId, group, round, text }) {
    if (!arming || group !== arming.id || arming.counted.includes(entryId)) return none
    const used = arming.used + 1
    // A person may have edited it on its way.
    const progress = round === null ? arming.progress : changeRound(arming.progress, round, { sent: text })
    const counted = [...arming.counted, entryId].slice(-COUNTED)
    const next = { ...arming, progress, used, lastUsedAt: at, counted }
    return to(withArming(state, next), { type: 'used', used, max: arming.max })
  },
  reenter({ arming, none, to }, event) {
    if (!arming) return none
    const used = arming.used + 1
    const next = { ...sending(arming, event), used, lastUsedAt: event.at }
    return to({ kind: 'armed', arming: next }, { type: 'used', used, max: arming.max })
  },
  confirmed: ({ scope }, event) => confirmed(scope, event),
  ended({ scope }, { entryId }) {
    const after = over(scope, entryId)
    const was = armingOf(after.state)
    // Taken back before it was sent: its round does not claim otherwise.
    if (after === scope || !was || was.counted.includes(entryId)) return { state: after, events: [] }
    const progress = changeRound(was.progress, was.used + 1, { sent: null })
    return { state: { ...after, state: withArming(after.state, { ...was, progress }) }, events: [] }
  },
  failed({ scope, state, arming, none }, { at, entryId, group, reason }) {
    if (!arming || group !== arming.id) return none
    if (reason.code !== 'not-received' && reason.code !== 'not-submitted') return failed(scope, at, reason)
    return state.kind === 'paused'
      ? { state: over(scope, entryId), events: [] }
      : lost(scope, at, entryId, { code: reason.code })
  },
  unconfirmed({ scope, state, none }, { at, entryId }) {
    // Paused meanwhile: no followup is waited for, so that resuming decides the stop again.
    if (state.kind === 'paused' && !asksOfEntry(state.reason)) return { state: over(scope, entryId), events: [] }
    return state.kind === 'injecting' && state.entryId === entryId
      ? lost(scope, at, entryId, { code: 'not-received' })
      : none
  },
  'give-up': ({ scope, arming, none }, { at, reason }) => (arming ? failed(scope, at, reason) : none),
  'rounds-used': ({ scope, arming, none }, { at }) =>
    arming ? done(scope, at, { code: 'rounds-used', used: arming.used, max: arming.max ?? arming.used }) : none,
  budget({ state, arming, none, to }, { at, reason }) {
    if (!arming || state.kind === 'paused') return none
    const paused: StopMessageState = { kind: 'paused', arming, reason, at, entryId: entryOf(state) }
    return to(paused, { type: 'paused', reason, what: 'session' })
  },
  conversation: ({ state, arming, none, to }, { sessionId }) =>
    arming?.sessionId === null ? to(withArming(state, { ...arming, sessionId })) : none,
  renamed: ({ scope }, event) => ({ state: renamed(scope, event), events: [] }),
  'main-turn'({ state, none, to }, { byPerson, pendingEntryId }) {
    if (state.kind === 'reviewing' || (state.kind === 'injecting' && state.entryId !== pendingEntryId))
      return to({ kind: 'armed', arming: state.arming })
    return byPerson && (state.kind === 'done' || state.kind === 'failed') ? to({ kind: 'none' }) : none
  },
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
