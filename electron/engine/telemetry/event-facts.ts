import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { Attributes, BodyOf } from './types.ts'

/** A timeline event as OpenTelemetry has it. */
export interface EventFacts {
  name: string
  severity: 'info' | 'warn'
  attributes: Attributes
}

type Rows = { [K in EventBody['type']]: ((body: BodyOf<K>, texts: boolean) => Attributes) | null }

/**
 * Returns the event to send; null: it is none of telemetry's. Only what the table names goes out, so a new member of an
 * event does not, and a new event is decided on here.
 */
export function eventFacts({ sessionId, requestId, body }: TimelineEvent, texts: boolean): EventFacts | null {
  const row = rows[body.type] as ((body: EventBody, texts: boolean) => Attributes) | null
  if (row === null || isEveryday(body)) return null
  return {
    name: `onward.${body.type.replaceAll('-', '_')}`,
    severity: warnings.has(body.type) ? 'warn' : 'info',
    attributes: {
      'gen_ai.conversation.id': sessionId,
      'onward.request.id': requestId,
      ...row(body, texts),
    },
  }
}

/** Nothing was to be decided; most turns of an engine without goals are such, and a metric counts them. */
const isEveryday = (body: EventBody): boolean =>
  body.type === 'skipped' &&
  (body.reason.code === 'no-scope' || body.reason.code === 'nothing-armed' || body.reason.code === 'not-a-turn')

const warnings: ReadonlySet<EventBody['type']> = new Set<EventBody['type']>([
  'failed',
  'unknown',
  'expired',
  'stop-message-failed',
  'needs-you',
  'stalled',
  'drives-ask',
  'provider-resting',
  'limit-reached',
  'resume-failed',
  'revive-refused',
  'servertool-failed',
  'alarm-missed',
  'store-problem',
  'config-problem',
  'engine-problem',
])

const nothing = (): Attributes => ({})
const entry = ({ entryId }: { entryId: string }): Attributes => ({ 'onward.followup.id': entryId })
const tasks = ({ taskIds }: { taskIds: readonly string[] }): Attributes => ({ 'onward.alarm.ids': taskIds })
const arming = ({ max, text }: { max: number | null; text: string }, texts: boolean): Attributes => ({
  'onward.rounds.max': max,
  'onward.text': texts ? text : null,
})
const problem = ({ code, message }: { code: string; message: string }, texts: boolean): Attributes => ({
  'onward.problem': code,
  'onward.text': texts ? message : null,
})

const rows: Rows = {
  // spans tell of turns
  'turn-started': null,
  'turn-ended': null,

  // decisions
  matched: ({ used, max }) => ({ 'onward.decision': 'fire', 'onward.rounds.used': used, 'onward.rounds.max': max }),
  skipped: ({ reason }) => ({
    'onward.decision': 'skip',
    'onward.decision.reason': reason.code,
    'onward.budget': reason.code === 'budget' ? reason.budget : null,
    'onward.decision.failed_check': reason.code === 'not-a-plain-stop' ? reason.finish : null,
  }),
  armed: (body, texts) => ({ ...arming(body, texts), 'onward.review': body.review, 'onward.set_by': body.by }),
  'goal-left': arming,
  'goal-carried-on': arming,
  'stop-message-edited': arming,
  'review-started': ({ round, backend }) => ({ 'onward.round': round, 'onward.review.backend': backend }),
  'review-done': ({ review }, texts) => ({
    'onward.round': review.round,
    'onward.review.outcome': review.outcome.code,
    'onward.review.backend': review.backend,
    'onward.review.seconds': review.ms / 1000,
    'onward.cost.usd': review.costUsd,
    'onward.text': texts ? review.say : null,
  }),
  used: ({ used, max }) => ({ 'onward.rounds.used': used, 'onward.rounds.max': max }),
  paused: ({ reason, what }) => ({
    'onward.pause.reason': reason.code,
    'onward.budget': reason.code === 'budget' ? reason.budget : null,
    'onward.pause.of': what,
  }),
  resumed: ({ what, unanswered }) => ({ 'onward.pause.of': what, 'onward.resume.unanswered': unanswered }),
  done: ({ reason, spent }) => ({
    'onward.done.reason': reason.code,
    'onward.cost.usd': spent?.costUsd,
    'onward.tokens': spent?.tokens,
  }),
  'stop-message-failed': ({ reason, text }, texts) => ({
    'onward.failure': reason.code,
    'onward.text': texts ? text : null,
  }),
  cleared: ({ by }) => ({ 'onward.cleared_by': by }),

  // followups
  queued: ({ entryId, source, round, text }, texts) => ({
    'onward.followup.id': entryId,
    'onward.followup.source': source,
    'onward.round': round,
    'onward.text': texts ? text : null,
  }),
  held: ({ entryId, reason }) => ({ 'onward.followup.id': entryId, 'onward.hold.reason': reason.code }),
  typed: entry,
  submitted: (body) => ({ ...entry(body), 'onward.followup.extra_enter': body.extraEnter }),
  confirmed: (body) => ({
    ...entry(body),
    'onward.receipt.late': body.late,
    'onward.receipt.delay': body.afterMs / 1000,
  }),
  failed: (body) => ({
    ...entry(body),
    'onward.followup.source': body.source,
    'onward.failure': body.reason.code,
  }),
  unknown: entry,
  superseded: (body) => ({ ...entry(body), 'onward.superseded_by': body.by }),
  cancelled: (body) => ({ ...entry(body), 'onward.cancelled_by': body.by }),
  expired: entry,

  // sessions and terminals
  'terminal-opened': ({ terminalId, client }) => ({ 'onward.terminal.id': terminalId, 'onward.client': client }),
  'terminal-closed': ({ terminalId, exitCode }) => ({
    'onward.terminal.id': terminalId,
    'onward.exit_code': exitCode,
  }),
  'needs-you': ({ what }, texts) => ({ 'onward.text': texts ? what : null }),
  drive: ({ did, kind, what }, texts) => ({
    'onward.drive.did': did,
    'onward.drive.kind': kind,
    'onward.text': texts ? what : null,
  }),
  'drives-ask': ({ budget }) => ({ 'onward.budget': budget }),
  stalled: ({ since }) => ({ 'onward.since': new Date(since).toISOString() }),
  over: ({ what }) => ({ 'onward.over': what }),

  // recoveries
  'provider-resting': ({ provider, key, rest }) => ({
    'onward.provider': provider,
    'onward.route.key': key,
    'onward.rest.reason': rest.why,
    'onward.until': new Date(rest.until).toISOString(),
  }),
  'provider-back': ({ provider, key }) => ({ 'onward.provider': provider, 'onward.route.key': key }),
  'outage-set': ({ failed, standIn }) => ({ 'onward.outage.failed': failed, 'onward.outage.stand_in': standIn }),
  'outage-over': ({ failed, target }) => ({ 'onward.outage.failed': failed, 'onward.outage.back': target }),
  'limit-reached': ({ provider, lifts }) => ({
    'onward.provider': provider,
    'onward.until': lifts === null ? null : new Date(lifts).toISOString(),
  }),
  'resume-set': ({ at }) => ({ 'onward.until': at === null ? null : new Date(at).toISOString() }),
  'resume-cancelled': ({ why }) => ({ 'onward.recovery.end': why }),
  'resume-failed': ({ message }, texts) => ({ 'onward.text': texts ? message : null }),
  'recover-waits': ({ targets }) => ({ 'onward.outage.failed': targets }),
  'cache-kept': ({ tokens, costUsd, until }) => ({
    'gen_ai.usage.input_tokens': tokens,
    'onward.cost': costUsd,
    'onward.until': new Date(until).toISOString(),
  }),
  'cache-not-kept': ({ why, status }) => ({ 'onward.recovery.end': why, 'http.response.status_code': status }),
  'recover-ended': ({ why }) => ({ 'onward.recovery.end': why }),
  revived: ({ exitCode, signal, times }) => ({
    'onward.exit_code': exitCode,
    'onward.exit_signal': signal,
    'onward.revived.times': times,
  }),
  'revive-refused': ({ why }) => ({ 'onward.recovery.end': why }),

  // Onward's tools
  'servertool-ran': ({ tool, round, ms, bytes }) => ({
    'gen_ai.tool.name': tool,
    'onward.round': round,
    'onward.tool.seconds': ms / 1000,
    'onward.tool.bytes': bytes,
  }),
  'servertool-failed': ({ tool, round, ms, code, message }, texts) => ({
    'gen_ai.tool.name': tool,
    'onward.round': round,
    'onward.tool.seconds': ms / 1000,
    ...problem({ code, message }, texts),
  }),
  'servertool-called': null,
  'servertool-round': null,
  'servertool-stripped': null,
  'servertool-reacted': null,

  // alarms
  'alarm-set': (body) => ({ ...tasks(body), 'onward.set_by': body.by }),
  'alarm-changed': ({ taskId, by }) => ({ 'onward.alarm.ids': [taskId], 'onward.set_by': by }),
  'alarm-cancelled': (body) => ({ ...tasks(body), 'onward.cancelled_by': body.by }),
  'alarm-rang': tasks,
  'alarm-claimed': (body) => ({ ...tasks(body), 'onward.alarm.route': body.route }),
  'alarm-delivered': (body) => ({ ...tasks(body), 'onward.alarm.route': body.route }),
  'alarm-released': (body) => ({
    ...tasks(body),
    'onward.alarm.route': body.route,
    'onward.alarm.released': body.why,
  }),
  'alarm-missed': (body) => ({ ...tasks(body), 'onward.alarm.missed': body.why }),
  'alarm-settled': (body) => ({ ...tasks(body), 'onward.alarm.settled': body.how }),
  'hold-started': nothing,
  'hold-ended': ({ why, ms }) => ({ 'onward.hold.end': why, 'onward.hold.seconds': ms / 1000 }),
  'time-sync': ({ sync }) => ({ 'onward.time_sync': sync.status, 'onward.time_sync.offset': sync.offsetMs / 1000 }),

  // the engine
  engine: ({ did }) => ({ 'onward.engine': did }),
  'store-problem': problem,
  'config-problem': ({ message }, texts) => ({ 'onward.text': texts ? message : null }),
  'engine-problem': problem,

  // what a person does, and what the timeline alone tells
  'marker-applied': null,
  'marker-refused': null,
  'marker-held': null,
  'marker-forgotten': null,
  'check-ran': null,
  'check-approved': null,
  'check-forgotten': null,
  'mentions-escaped': null,
  edited: null,
  'text-removed': null,
  rebound: null,
  'dialog-answered': null,
  notified: null,
}
