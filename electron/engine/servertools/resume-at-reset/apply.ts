import type { EventBody } from '../../../../shared/events.ts'
import type { FailureCode } from './texts.ts'
import {
  FORGET_MS,
  hasStopped,
  isOver,
  isSameLimit,
  liftsNow,
  MOST_AGAIN,
  OVERDUE_MS,
  resumeAtFor,
  slotFrom,
  SOON_MS,
} from './schedule.ts'
import { most, type LimitedSession, type Phase, type ResumeState } from './state.ts'

/** Everything that can happen. `takenBack`: its followup was in the outbox and was taken out before it was typed. */
export type ResumeEvent =
  /** a provider is at its limit, however that was noticed */
  | { type: 'reached'; at: number; provider: string; since: number; lifts: number | null }
  /** a session's turn ended there */
  | {
      type: 'limited'
      at: number
      session: string
      id: string
      provider: string
      since: number
      lifts: number | null
      takenBack: boolean
      /** it goes on without its switch too */
      wanted: boolean
    }
  | { type: 'went-on'; session: string; takenBack: boolean }
  | { type: 'set'; at: number; session: string; on: boolean; takenBack: boolean }
  | { type: 'cancel'; session: string; takenBack: boolean }
  /** the provider answers again */
  | { type: 'lifted'; at: number; provider: string }
  | { type: 'time'; at: number }
  /** its followup is in the outbox */
  | { type: 'continued'; at: number; session: string; entryId: string }
  | { type: 'failed'; session: string; why: FailureCode }

export type ResumeEffect =
  | { kind: 'event'; session: string; body: EventBody }
  | { kind: 'failed'; session: string; why: FailureCode }
  | { kind: 'notice'; provider: string; change: 'reached' | 'lifted'; liftsAt: number | null }

export interface Applied {
  state: ResumeState
  effects: readonly ResumeEffect[]
}

/** The rules of resume at reset. An event that does not fit the state changes nothing. */
export function apply(state: ResumeState, event: ResumeEvent): Applied {
  switch (event.type) {
    case 'reached':
      return reached(state, event)
    case 'limited':
      return limited(state, event)
    case 'went-on':
      return takenAway(state, event.session, event.takenBack, 'went-on', null)
    case 'cancel':
      return takenAway(state, event.session, event.takenBack, 'user', { kind: 'stands' })
    case 'set':
      return event.on ? switchedOn(state, event) : switchedOff(state, event)
    case 'lifted':
      return lifted(state, event)
    case 'time':
      return passed(state, event.at)
    case 'continued': {
      const limit = state.limits.get(event.session)
      if (limit?.phase.kind !== 'waits') return { state, effects: [] }
      const phase: Phase = { kind: 'continued', at: event.at, entryId: event.entryId, early: limit.phase.early }
      return { state: put(state, event.session, { ...limit, phase }), effects: [] }
    }
    case 'failed':
      return state.limits.has(event.session)
        ? { state: drop(state, event.session), effects: [failed(event.session, event.why)] }
        : { state, effects: [] }
  }
}

function reached(
  before: ResumeState,
  { at, provider, since, lifts }: { at: number; provider: string; since: number; lifts: number | null },
): Applied {
  const known = before.providers.get(provider)
  const isKnown = known !== undefined && isSameLimit(known, { since, lifts }, at)
  const limit = isKnown ? { since: known.since, lifts: liftsNow(known.lifts, lifts) } : { since, lifts }
  let state = before
  if (known?.since !== limit.since || known.lifts !== limit.lifts)
    state = { ...state, providers: capped(new Map(state.providers).set(provider, limit), most.providers) }
  // A limit that lifts later than was stated would only send those who wait into the same refusal.
  for (const [session, other] of byAge(before)) {
    if (other.provider !== provider || other.phase.kind === 'continued' || limit.lifts === null) continue
    if (other.lifts === null || liftsNow(other.lifts, Math.max(other.lifts, limit.lifts)) !== other.lifts)
      state = put(state, session, retimed(state, session, { ...other, lifts: limit.lifts }, at))
  }
  return { state, effects: isKnown ? [] : [{ kind: 'notice', provider, change: 'reached', liftsAt: lifts }] }
}

function limited(before: ResumeState, event: Extract<ResumeEvent, { type: 'limited' }>): Applied {
  const { at, session, id, provider, since, lifts } = event
  const known = before.limits.get(session)
  const all = reached(before, event)
  if (known && known.provider === provider && known.phase.kind !== 'continued' && isSameLimit(known, event, at)) {
    const next = { ...known, lifts: liftsNow(known.lifts, lifts) }
    return next.lifts === known.lifts
      ? all
      : { ...all, state: put(all.state, session, retimed(all.state, session, next, at)) }
  }
  const again = againOf(known, event)
  const isOn = before.on.has(session) || event.wanted
  const wanted = isOn && again < MOST_AGAIN
  const fresh: LimitedSession = {
    id,
    provider,
    since,
    lifts,
    at,
    again,
    phase: wanted ? { kind: 'waits', resumeAt: null, early: false } : { kind: 'stands' },
  }
  const limit = retimed(all.state, session, fresh, at)
  const resumeAt = limit.phase.kind === 'waits' ? limit.phase.resumeAt : null
  const made = room(put(all.state, session, limit), session)
  const effects: ResumeEffect[] = [
    ...all.effects,
    // Nothing was typed in between: it is still the same end of the same turn.
    {
      kind: 'event',
      session,
      body: event.takenBack
        ? { type: 'resume-set', at: resumeAt }
        : { type: 'limit-reached', provider, lifts, resumeAt },
    },
    ...(again >= MOST_AGAIN && known?.phase.kind === 'continued' && isOn ? [failed(session, 'again')] : []),
    ...made.effects,
  ]
  return { state: made.state, effects }
}

function againOf(
  known: LimitedSession | undefined,
  { at, lifts, takenBack }: Extract<ResumeEvent, { type: 'limited' }>,
): number {
  if (known && hasStopped(known)) return known.again
  if (known?.phase.kind !== 'continued') return 0
  if (takenBack) return known.again
  return known.phase.early || lifts === null || lifts <= at + SOON_MS ? known.again + 1 : 0
}

/** `next` null: the limit is over for the session. */
function takenAway(
  state: ResumeState,
  session: string,
  takenBack: boolean,
  why: 'user' | 'went-on' | 'switched-off',
  next: Phase | null,
): Applied {
  const limit = state.limits.get(session)
  if (!limit) return { state, effects: [] }
  const waited = limit.phase.kind === 'waits' || (limit.phase.kind === 'continued' && takenBack)
  if (!waited && next !== null) return { state, effects: [] }
  // Once a followup is in the outbox, its limit is over.
  const over = next === null || limit.phase.kind === 'continued'
  return {
    state: over ? drop(state, session) : put(state, session, { ...limit, again: 0, phase: next }),
    effects: waited ? [{ kind: 'event', session, body: { type: 'resume-cancelled', why } }] : [],
  }
}

function switchedOn(state: ResumeState, event: Extract<ResumeEvent, { type: 'set' }>): Applied {
  const { at, session } = event
  const limit = state.limits.get(session)
  if (state.on.has(session) && limit?.phase.kind !== 'stands') return { state, effects: [] }
  // A person's order: a session that had stopped may try again.
  if (limit?.phase.kind === 'stands' && limit.lifts !== null && limit.lifts <= at)
    return switchedOn(drop(state, session), event)
  const on = capped(new Map(state.on).set(session, at), most.on)
  const next =
    limit?.phase.kind === 'stands'
      ? retimed(state, session, { ...limit, again: 0, phase: { kind: 'waits', resumeAt: null, early: false } }, at)
      : null
  const resumeAt = next?.phase.kind === 'waits' ? next.phase.resumeAt : null
  return {
    state: { ...(next ? put(state, session, next) : state), on },
    effects: [{ kind: 'event', session, body: { type: 'resume-set', at: resumeAt } }],
  }
}

function switchedOff(before: ResumeState, { session, takenBack }: Extract<ResumeEvent, { type: 'set' }>): Applied {
  const { state, effects } = takenAway(before, session, takenBack, 'switched-off', { kind: 'stands' })
  if (!state.on.has(session)) return { state, effects }
  const on = new Map(state.on)
  on.delete(session)
  return { state: { ...state, on }, effects }
}

function lifted(before: ResumeState, { at, provider }: Extract<ResumeEvent, { type: 'lifted' }>): Applied {
  let state = before
  for (const [session, limit] of byAge(before)) {
    if (limit.provider !== provider || limit.phase.kind === 'continued' || (limit.lifts !== null && limit.lifts <= at))
      continue
    if (hasStopped(limit)) state = put(state, session, { ...limit, lifts: at })
    else if (limit.phase.kind === 'stands') state = drop(state, session)
    else
      state = put(state, session, {
        ...limit,
        lifts: at,
        phase: {
          kind: 'waits',
          resumeAt: slotFrom(drop(state, session), provider, at, session),
          early: limit.lifts !== null,
        },
      })
  }
  return withoutProvider(state, provider)
}

/** Ends what time alone ends. */
function passed(before: ResumeState, at: number): Applied {
  let state = before
  const effects: ResumeEffect[] = []
  for (const [provider, limit] of before.providers) {
    if (!isOver(limit, at) && !(limit.lifts === null && at - limit.since > FORGET_MS)) continue
    const without = withoutProvider(state, provider)
    state = without.state
    if (limit.lifts !== null) effects.push(...without.effects)
  }
  for (const [session, limit] of before.limits) {
    const end = endOf(limit, at)
    if (end === null) continue
    state = drop(state, session)
    if (end !== 'over') effects.push(failed(session, end))
  }
  return { state, effects }
}

function endOf(limit: LimitedSession, at: number): FailureCode | 'over' | null {
  const { phase } = limit
  switch (phase.kind) {
    case 'stands':
      if (!hasStopped(limit) && isOver(limit, at)) return 'over'
      return (hasStopped(limit) || limit.lifts === null) && at - limit.at > FORGET_MS ? 'over' : null
    case 'continued':
      return at - phase.at > FORGET_MS ? 'over' : null
    case 'waits':
      if (phase.resumeAt === null) return at - limit.at > FORGET_MS ? 'never-lifted' : null
      return at - phase.resumeAt > OVERDUE_MS ? 'overdue' : null
  }
}

/** The oldest entries make room; those promised to a person go last, and not silently. */
function room(state: ResumeState, except: string): Applied {
  if (state.limits.size <= most.limits) return { state, effects: [] }
  const others = byAge(state).filter(([session]) => session !== except)
  const [session, limit] =
    others.find(([, l]) => l.phase.kind === 'continued') ??
    others.find(([, l]) => l.phase.kind === 'stands') ??
    others[0] ??
    []
  if (session === undefined) return { state, effects: [] }
  return { state: drop(state, session), effects: limit?.phase.kind === 'waits' ? [failed(session, 'too-many')] : [] }
}

const retimed = (state: ResumeState, session: string, limit: LimitedSession, at: number): LimitedSession =>
  limit.phase.kind === 'waits'
    ? { ...limit, phase: { ...limit.phase, resumeAt: resumeAtFor(state, session, limit, at) } }
    : limit

const failed = (session: string, why: FailureCode): ResumeEffect => ({ kind: 'failed', session, why })
const byAge = (state: ResumeState): [string, LimitedSession][] =>
  Array.from(state.limits).sort(([, a], [, b]) => a.at - b.at)
const put = (state: ResumeState, session: string, limit: LimitedSession): ResumeState => ({
  ...state,
  limits: new Map(state.limits).set(session, limit),
})

function drop(state: ResumeState, session: string): ResumeState {
  const limits = new Map(state.limits)
  limits.delete(session)
  return { ...state, limits }
}

function withoutProvider(state: ResumeState, provider: string): Applied {
  if (!state.providers.has(provider)) return { state, effects: [] }
  const providers = new Map(state.providers)
  providers.delete(provider)
  return { state: { ...state, providers }, effects: [{ kind: 'notice', provider, change: 'lifted', liftsAt: null }] }
}

/** A map keeps the order in which its keys came: the first is the oldest. */
function capped<V>(map: Map<string, V>, size: number): Map<string, V> {
  for (const key of map.keys()) {
    if (map.size <= size) break
    map.delete(key)
  }
  return map
}
