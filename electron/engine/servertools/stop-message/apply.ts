import type { ClearedBy, DoneReason, EventBody, FailReason, PauseReason } from '../../../../shared/events.ts'
import { armingOf, withArming, type Arming, type ScopeState, type StopMessageState } from './state.ts'

/** Everything that can happen to a scope's stopMessage. Times are epoch milliseconds. */
export type StopMessageEvent =
  /** `paused`: the scope's own pause, which may have been chosen while nothing was set */
  | { type: 'arm'; at: number; armId: string; paused: PauseReason | null; by: 'marker' | 'user'; sessionId: string | null; text: string; max: number | null; review: boolean }
  /** one click brings back what the last clear took; rounds given on top of it */
  | { type: 'rearm'; at: number; armId: string; paused: PauseReason | null; more: number }
  | { type: 'add-rounds'; at: number; rounds: number }
  | { type: 'clear'; at: number; by: ClearedBy }
  | { type: 'pause'; at: number; reason: PauseReason }
  | { type: 'resume'; at: number }
  /** a followup was queued */
  | { type: 'fire'; entryId: string }
  | { type: 'submitted'; at: number; entryId: string; group: string | null; round: number | null }
  | { type: 'confirmed'; at: number; entryId: string; group: string | null }
  /** cancelled, superseded or expired */
  | { type: 'ended'; entryId: string }
  | { type: 'failed'; at: number; entryId: string; group: string | null; reason: FailReason }
  /** its fate stayed unknown for the time a receipt may take */
  | { type: 'unconfirmed'; at: number; entryId: string }
  /** nothing can be typed for it any more */
  | { type: 'give-up'; at: number; reason: FailReason }
  | { type: 'rounds-used'; at: number }
  | { type: 'budget'; at: number; reason: PauseReason }
  /** reenter mode: counted before the inner request is sent */
  | { type: 'reenter'; at: number }
  /** a main turn began; `pendingEntryId`: the followup still under way */
  | { type: 'main-turn'; byPerson: boolean; pendingEntryId: string | null }

export interface Applied { state: ScopeState; events: readonly EventBody[] }

/** counted entries remembered: more than the outbox keeps of its own */
const COUNTED = 64

/** The states of spec 03, stopMessage. What does not fit the present state changes nothing. */
export function apply(scope: ScopeState, event: StopMessageEvent): Applied {
  const { state } = scope
  const arming = armingOf(state)
  const none: Applied = { state: scope, events: [] }
  const to = (next: StopMessageState, ...events: EventBody[]): Applied => ({ state: { ...scope, state: next }, events })

  switch (event.type) {
    case 'arm': {
      const fresh = newArming(event)
      return armed(scope, event, fresh, { type: 'armed', text: fresh.text, max: fresh.max, review: fresh.review, by: event.by })
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
      // A person who pauses what had paused by itself has seen why; from then on only a person ends it.
      if (state.kind === 'paused') return state.reason.code === 'by-user' ? none : to({ kind: 'paused', arming: answered(state, event.at), reason: event.reason, at: event.at, entryId: null })
      return to({ kind: 'paused', arming, reason: event.reason, at: event.at, entryId: entryOf(state) })
    case 'resume': {
      if (state.kind !== 'paused') return none
      const next = answered(state, event.at)
      const underWay = state.reason.code === 'not-received' ? null : state.entryId
      return to(underWay === null ? { kind: 'armed', arming: next } : { kind: 'injecting', arming: next, entryId: underWay })
    }
    case 'fire':
      return arming ? to({ kind: 'injecting', arming, entryId: event.entryId }) : none
    case 'submitted': {
      if (!arming || event.group !== arming.id || arming.counted.includes(event.entryId)) return none
      const used = arming.used + 1
      const next = { ...arming, used, lastUsedAt: event.at, counted: [...arming.counted, event.entryId].slice(-COUNTED) }
      return to(withArming(state, next), { type: 'used', used, max: arming.max })
    }
    case 'reenter': {
      if (!arming) return none
      const used = arming.used + 1
      return to({ kind: 'armed', arming: { ...arming, used, lastUsedAt: event.at } }, { type: 'used', used, max: arming.max })
    }
    case 'confirmed':
      return confirmed(scope, event)
    case 'ended':
      return { state: over(scope, event.entryId), events: [] }
    case 'failed':
      if (!arming || event.group !== arming.id) return none
      if (event.reason.code !== 'not-received') return failed(scope, event.at, event.reason)
      return state.kind === 'paused' ? { state: over(scope, event.entryId), events: [] } : lost(scope, event.at, event.entryId)
    case 'unconfirmed':
      return state.kind === 'injecting' && state.entryId === event.entryId ? lost(scope, event.at, event.entryId) : none
    case 'give-up':
      return arming ? failed(scope, event.at, event.reason) : none
    case 'rounds-used':
      return arming ? done(scope, event.at, { code: 'rounds-used', used: arming.used, max: arming.max ?? arming.used }) : none
    case 'budget':
      if (!arming || state.kind === 'paused') return none
      return to({ kind: 'paused', arming, reason: event.reason, at: event.at, entryId: entryOf(state) }, { type: 'paused', reason: event.reason, what: 'session' })
    case 'main-turn':
      if (state.kind === 'injecting' && state.entryId !== event.pendingEntryId) return to({ kind: 'armed', arming: state.arming })
      return event.byPerson && (state.kind === 'done' || state.kind === 'failed') ? to({ kind: 'none' }) : none
  }
}

function newArming(event: Extract<StopMessageEvent, { type: 'arm' }>): Arming {
  return {
    id: event.armId, sessionId: event.sessionId, text: event.text, max: event.max, used: 0, review: event.review, stageMode: 'auto', armedAt: event.at,
    lastUsedAt: null, budgetFrom: { used: 0, at: event.at }, counted: [], ai: { seedPrompt: null, history: [] },
  }
}

/** The question a budget asked was answered by a person: it begins anew. */
function answered({ arming, reason }: Extract<StopMessageState, { kind: 'paused' }>, at: number): Arming {
  return reason.code === 'budget' ? { ...arming, budgetFrom: { used: arming.used, at } } : arming
}

/** A pause that a person chose outlives a new setting; one that only asked is answered by it. */
function armed(scope: ScopeState, { at, paused }: { at: number; paused: PauseReason | null }, arming: Arming, event: EventBody): Applied {
  const reason = scope.state.kind === 'paused' ? scope.state.reason : paused
  const next: StopMessageState = reason?.code === 'by-user' ? { kind: 'paused', arming, reason, at, entryId: null } : { kind: 'armed', arming }
  return { state: { ...scope, state: next, updatedAt: stamp(scope, at) }, events: [event] }
}

/** Grows with every setting and clear, also when the clock was set back. */
const stamp = (scope: ScopeState, at: number): number => Math.max(at, (scope.updatedAt ?? -1) + 1)

/** After a failure it goes on where it was; what had ended by itself begins anew, or goes on with the rounds added. */
function rearm(scope: ScopeState, last: NonNullable<ScopeState['last']>, event: Extract<StopMessageEvent, { type: 'rearm' }>): Applied {
  const goesOn = scope.state.kind === 'failed' || last.clearedBy === 'failure' || last.clearedBy === 'terminal-gone' || event.more > 0
  const used = goesOn ? last.used : 0
  const arming: Arming = {
    ...newArming({ ...event, type: 'arm', by: 'user', sessionId: last.sessionId ?? null, text: last.text, max: last.max, review: last.review }),
    used, budgetFrom: { used, at: event.at }, lastUsedAt: goesOn ? last.lastUsedAt : null,
  }
  const next = withMore(arming, event.more)
  return armed(scope, event, next, { type: 'armed', text: next.text, max: next.max, review: next.review, by: 're-arm' })
}

/** Unbounded stays unbounded: more rounds then mean a later question. */
function withMore(arming: Arming, rounds: number): Arming {
  if (arming.max === null) return { ...arming, budgetFrom: { ...arming.budgetFrom, used: arming.budgetFrom.used + rounds } }
  return { ...arming, max: arming.max + rounds }
}

function confirmed(scope: ScopeState, event: Extract<StopMessageEvent, { type: 'confirmed' }>): Applied {
  const { state } = scope
  const arming = armingOf(state)
  if (!arming || event.group !== arming.id) return { state: scope, events: [] }
  if (arming.max !== null && arming.used >= arming.max) return done(scope, event.at, { code: 'rounds-used', used: arming.used, max: arming.max })
  // The proof came after all: what the session was paused for has not happened.
  if (state.kind === 'paused' && state.reason.code === 'not-received' && state.entryId === event.entryId) {
    return { state: { ...scope, state: { kind: 'armed', arming } }, events: [{ type: 'resumed', what: 'session' }] }
  }
  return { state: over(scope, event.entryId), events: [] }
}

const entryOf = (state: StopMessageState): string | null => (state.kind === 'injecting' ? state.entryId : null)

/** The followup is not under way any more. */
function over(scope: ScopeState, entryId: string): ScopeState {
  const { state } = scope
  if (state.kind === 'injecting' && state.entryId === entryId) return { ...scope, state: { kind: 'armed', arming: state.arming } }
  return state.kind === 'paused' && state.entryId === entryId ? { ...scope, state: { ...state, entryId: null } } : scope
}

/** Nobody knows whether the agent has it: the text is kept, and a person is asked. */
function lost(scope: ScopeState, at: number, entryId: string): Applied {
  const { state } = scope
  const arming = armingOf(state)
  if (!arming) return { state: scope, events: [] }
  const reason: PauseReason = { code: 'not-received' }
  return { state: { ...scope, state: { kind: 'paused', arming, reason, at, entryId } }, events: [{ type: 'paused', reason, what: 'session' }] }
}

function done(scope: ScopeState, at: number, reason: DoneReason): Applied {
  const applied = cleared(scope, { kind: 'done', reason, at }, at, reason.code === 'rounds-used' ? 'rounds-used' : 'goal-reached')
  return { ...applied, events: [{ type: 'done', reason }, ...applied.events] }
}

function failed(scope: ScopeState, at: number, reason: FailReason): Applied {
  const applied = cleared(scope, { kind: 'failed', reason, at }, at, reason.code === 'terminal-gone' ? 'terminal-gone' : 'failure')
  return { ...applied, events: [{ type: 'stop-message-failed', reason, text: armingOf(scope.state)?.text ?? '' }, ...applied.events] }
}

/** A clear keeps a tombstone and what is needed to arm again, nothing else. */
function cleared(scope: ScopeState, next: StopMessageState, at: number, by: ClearedBy): Applied {
  const arming = armingOf(scope.state)
  const last = arming && {
    text: arming.text, used: arming.used, max: arming.max, review: arming.review, clearedAt: at, clearedBy: by,
    sessionId: arming.sessionId, armedAt: arming.armedAt, lastUsedAt: arming.lastUsedAt,
  }
  return { state: { ...scope, state: next, updatedAt: stamp(scope, at), last: last ?? scope.last }, events: arming ? [{ type: 'cleared', by }] : [] }
}
