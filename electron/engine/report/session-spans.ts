import type { EventBody, NearLimit, TimelineEvent } from '../../../shared/events.ts'
import { providerOfTarget } from '../../../shared/outage.ts'
import type { ReportRecovery, ReportRevival, ReportStall, Span, SpanKind } from '../../../shared/report.ts'
import { failedCalls, outageAt, type Troubles } from './outages.ts'

/** After a call of tools so long without a request an agent no longer counts as working (sessions/activity.ts). */
const TOOLS_MS = 30 * 60_000

/** A session's state while no request of it is open. `ends`: by itself, at that time, and the state after that */
interface Rest {
  kind: SpanKind
  provider?: string
  ends?: { at: number; next: Rest }
  /** what is to go on waits: it ends with that */
  waits?: true
}

export interface SessionSpans {
  spans: readonly Span[]
  stalls: readonly ReportStall[]
  recoveries: readonly ReportRecovery[]
  revivals: readonly ReportRevival[]
}

export interface SpanFold {
  /** of this session, or of none; in their order. `alive`: the time of the event before it, of any session */
  add(event: TimelineEvent, alive: number): void
  /** to `until`, which is no earlier than any event */
  end(until: number): SessionSpans
}

type Kind = Pick<Span, 'kind' | 'provider'>

interface Track {
  readonly session: string
  readonly troubles: Troubles
  readonly spans: Span[]
  readonly stalls: { session: string; from: number; until: number | null }[]
  readonly recoveries: ReportRecovery[]
  readonly revivals: ReportRevival[]
  /** open requests of its main agent, by id, with their beginnings */
  readonly open: Map<string, number>
  /** followups that wait or are under way */
  readonly queued: Set<string>
  rest: Rest
  /** what it did when its agent began to ask */
  before: Rest
  /** where the last span ended */
  last: number
  paused: boolean
  pausedAll: boolean
  armed: boolean
  /** Onward does not run */
  off: boolean
  down: { why: 'outage' | 'limit'; provider: string; from: number; typed: boolean } | null
}

const idle: Rest = { kind: 'idle' }
const person: Rest = { kind: 'person' }
const followup: Rest = { kind: 'followup' }
const tools = (at: number): Rest => ({ kind: 'working', ends: { at: at + TOOLS_MS, next: idle } })
const atRest = ({ queued }: Track): Rest => (queued.size > 0 ? followup : idle)

/** One session's time, cut into what it did, event by event. */
export function foldSpans(session: string, from: number, troubles: Troubles): SpanFold {
  const track: Track = {
    session,
    troubles,
    spans: [],
    stalls: [],
    recoveries: [],
    revivals: [],
    open: new Map(),
    queued: new Set(),
    rest: idle,
    before: idle,
    last: from,
    paused: false,
    pausedAll: false,
    armed: false,
    off: false,
    down: null,
  }
  return {
    add(event, alive) {
      const { body, at } = event
      if (event.sessionId === session) own(track, event)
      else if (body.type === 'engine') engine(track, body.did, at, alive)
      else if (body.type === 'paused' || body.type === 'resumed') {
        mark(track, at)
        track.pausedAll = body.type === 'paused'
      }
    },
    end(until) {
      mark(track, until)
      const { spans, stalls, recoveries, revivals } = track
      return { spans, stalls, recoveries, revivals }
    },
  }
}

function kindNow({ open, rest, queued, off, paused, pausedAll, armed }: Track): Kind {
  const needsEngine = open.size > 0 || rest.kind === 'followup' || rest.kind === 'outage' || rest.kind === 'limit'
  if (off && needsEngine) return { kind: 'off' }
  if (open.size > 0) return { kind: 'working' }
  const holdsBack = paused || (pausedAll && (armed || queued.size > 0))
  if (holdsBack && (rest.kind === 'idle' || rest.kind === 'followup')) return { kind: 'paused' }
  return rest.provider === undefined ? { kind: rest.kind } : { kind: rest.kind, provider: rest.provider }
}

function push(track: Track, until: number, what: Kind): void {
  const { spans, last } = track
  if (until <= last) return
  const same = spans.at(-1)
  if (same?.kind === what.kind && same.provider === what.provider) spans[spans.length - 1] = { ...same, until }
  else spans.push({ ...what, from: last, until })
  track.last = until
}

/** Adds the span up to `at`. `was`: a state that only the event at `at` reveals */
function mark(track: Track, at: number, was?: Kind): void {
  while (track.open.size === 0 && track.rest.ends && track.rest.ends.at < at) {
    push(track, track.rest.ends.at, kindNow(track))
    track.rest = track.rest.ends.next
  }
  push(track, at, was ?? kindNow(track))
}

function turn(track: Track, next: Rest): void {
  if (track.rest.kind === 'stalled') endStall(track)
  track.rest = next
}

function endStall({ stalls, last }: Track): void {
  const stall = stalls.at(-1)
  if (stall?.until === null) stall.until = Math.max(stall.from, last)
}

function engine(track: Track, did: 'started' | 'stopped', at: number, alive: number): void {
  if (did === 'stopped') {
    mark(track, at)
    track.off = true
    return
  }
  if (!track.off) {
    // The engine before crashed: open requests are known only up to its last sign of life.
    mark(track, Math.min(alive, at))
    track.off = true
  }
  mark(track, at)
  track.off = false
  if (track.open.size > 0) track.rest = atRest(track)
  track.open.clear()
}

function own(track: Track, event: TimelineEvent): void {
  const { body, at } = event
  const requestId = event.requestId ?? ''
  if (body.type === 'turn-ended') {
    if (body.kind === 'turn') return ended(track, body, at, requestId)
    mark(track, at)
    return void track.open.delete(requestId)
  }
  if (body.type === 'stalled') {
    mark(track, Math.max(track.last, body.since))
    turn(track, { kind: 'stalled' })
    track.stalls.push({ session: track.session, from: track.last, until: null })
    return mark(track, at)
  }
  mark(track, at)
  if (body.type === 'turn-started') return began(track, body.kind, at, requestId)
  ofFollowups(track, body)
  if (body.type === 'revived')
    track.revivals.push({ session: track.session, at, exitCode: body.exitCode, signal: body.signal })
  const next = restAfter(track, event)
  if (next) turn(track, next)
}

function began(track: Track, kind: Extract<EventBody, { type: 'turn-started' }>['kind'], at: number, id: string): void {
  const { rest, open } = track
  if (kind === 'turn' || kind === 'compaction') {
    if (rest.kind === 'stalled') endStall(track)
    open.set(id, at)
  } else if (kind === 'subagent' && (rest.kind === 'working' || rest.kind === 'stalled')) turn(track, tools(at))
}

function ended(track: Track, body: Extract<EventBody, { type: 'turn-ended' }>, at: number, id: string): void {
  const { open, session, down } = track
  const start = open.get(id) ?? at - body.durationMs
  const failed = !body.clientLeft && (body.finish === 'error' || body.finish === 'broken-off')
  const calls = failed ? failedCalls({ body, at }) : []
  const provider = calls.at(-1)?.target.split('.', 1)[0]
  // No answer came in it: it was part of the outage.
  const inVain = provider !== undefined && body.status >= 400 && open.size === 1
  mark(track, at, inVain ? { kind: 'outage', provider } : undefined)
  open.delete(id)
  if (!failed) {
    if (down && !body.clientLeft)
      track.recoveries.push({
        session,
        why: down.why,
        provider: down.provider,
        from: down.from,
        until: Math.max(down.from, start),
        by: down.typed ? 'onward' : 'other',
      })
    track.down = null
    return turn(track, body.finish === 'tool-calls' || body.finish === 'pause-turn' ? tools(at) : atRest(track))
  }
  if (provider === undefined) return turn(track, person)
  track.down ??= { why: 'outage', provider, from: inVain ? start : at, typed: false }
  const back = calls.map(({ target }) => outageAt(track.troubles.outages.get(target) ?? [], at)?.until ?? Infinity)
  const answers = Math.min(...back)
  turn(track, { kind: 'outage', provider, ...(answers < Infinity && { ends: { at: answers, next: person } }) })
}

/** Keeps track of followups that wait, and of whether the session is armed or paused. */
function ofFollowups(track: Track, body: EventBody): void {
  switch (body.type) {
    case 'queued':
      track.queued.add(body.entryId)
      if (track.down && body.source !== 'user' && body.source !== 'program') track.down.typed = true
      return
    case 'confirmed':
    case 'failed':
    case 'unknown':
    case 'superseded':
    case 'cancelled':
    case 'expired':
      track.queued.delete(body.entryId)
      return
    case 'armed':
    case 'goal-carried-on':
      track.armed = true
      return
    case 'done':
    case 'cleared':
    case 'stop-message-failed':
      track.armed = false
      return
    case 'paused':
      track.paused ||= body.reason.code === 'by-user'
      return
    case 'resumed':
      track.paused = false
      return
    case 'terminal-closed':
      track.open.clear()
      track.queued.clear()
      return
    default:
  }
}

/** The state from an event on; null: as before. */
function restAfter(track: Track, event: TimelineEvent): Rest | null {
  const { body, at } = event
  const { rest, before, troubles } = track
  const is = (...kinds: readonly SpanKind[]) => kinds.includes(rest.kind)
  switch (body.type) {
    case 'needs-you':
      track.before = rest
      return person
    case 'over':
      if (body.what === 'question') return is('person') ? resumed(before, at) : null
      if (body.what === 'stall') return is('stalled') ? tools(at) : null
      return is('working', 'stalled', 'person') ? atRest(track) : null
    case 'dialog-answered':
      return body.closedMs !== null && is('person') ? resumed(before, at) : null
    case 'goal-left':
    case 'stop-message-failed':
    case 'resume-failed':
      return person
    case 'limit-reached': {
      const { provider, lifts, resumeAt } = body
      track.down = { why: 'limit', provider, from: track.down?.from ?? at, typed: false }
      const until = resumeAt ?? lifts ?? limitEnd(troubles, provider, at)
      const next = resumeAt === null ? person : followup
      return { kind: 'limit', provider, ...(until !== null && { ends: { at: until, next } }) }
    }
    case 'recover-waits': {
      if (is('outage')) return goesOn(rest, followup)
      const [target] = body.targets
      // It asked too fast; that is no outage.
      return is('person') && target !== undefined && !isNow(body.trialAt, at) ? atLimit(track, target, at) : null
    }
    case 'recover-ended':
      if (body.why === 'went-on') return null
      return is('outage') ? goesOn(rest, person) : rest.waits ? person : null
    case 'held':
      if (body.reason.code === 'near-limit') return nearLimit(track, event, body.reason)
      return rest.waits ? followup : null
    case 'skipped':
      if (body.reason.code === 'near-limit') return nearLimit(track, event, body.reason)
      return body.reason.code === 'background-work'
        ? { kind: 'working', ends: { at: Math.max(at, body.reason.until), next: idle } }
        : null
    case 'review-started':
      return followup
    case 'queued':
      return is('idle') || body.source === 'recover' ? followup : null
    case 'typed':
    case 'submitted':
      return is('working') ? null : followup
    case 'confirmed':
    case 'failed':
    case 'unknown':
    case 'superseded':
    case 'cancelled':
    case 'expired':
      return is('followup') || rest.waits ? atRest(track) : null
    case 'paused':
      return body.reason.code === 'by-user' ? null : person
    case 'resumed':
      return is('person') ? atRest(track) : null
    case 'done':
    case 'cleared':
      return is('followup', 'person') ? atRest(track) : null
    case 'terminal-closed':
      return { kind: 'closed' }
    case 'terminal-opened':
      return idle
    default:
      return null
  }
}

/** Followups wait for the reset; an answer that is kept open until then goes on in the same request. */
function nearLimit(track: Track, { requestId, body }: TimelineEvent, reason: NearLimit): Rest | null {
  const { provider, until } = reason
  const isOpen = body.type === 'held' && track.open.delete(requestId ?? '')
  if (!isOpen && track.rest.kind !== 'followup' && track.rest.kind !== 'idle' && !track.rest.waits) return null
  const next: Rest = isOpen ? { kind: 'working' } : body.type === 'held' ? followup : person
  return { kind: 'limit', provider, waits: true, ends: { at: until, next } }
}

/** Onward tries at once: the context was full. */
const isNow = (trialAt: number | null, at: number): boolean => trialAt !== null && trialAt - at < 1_000

function atLimit(track: Track, target: string, at: number): Rest {
  const provider = providerOfTarget(target)
  track.down ??= { why: 'limit', provider, from: at, typed: false }
  return { kind: 'limit', provider, waits: true }
}

/** The question is gone: its agent runs the tool it asked about, or is as it was. */
const resumed = (before: Rest, at: number): Rest => (before.kind === 'working' ? tools(at) : before)

const goesOn = (rest: Rest, next: Rest): Rest => (rest.ends ? { ...rest, ends: { at: rest.ends.at, next } } : rest)

function limitEnd({ limits }: Troubles, provider: string, at: number): number | null {
  const found = limits.findLast((one) => one.provider === provider && one.from <= at && (one.until ?? at) >= at)
  return found?.until ?? null
}
