import type { AlarmBy, AlarmRoute, ClockSync, MissedWhy } from '../../alarms/alarms.ts'
import type {
  AlarmReleased,
  DriveDid,
  EventBody,
  FollowupSource,
  RecoverEnd,
  HoldEnded,
  TimelineEvent,
} from '../../events.ts'
import { withoutTried } from '../../setup/tried.ts'
import { targetText } from '../../target-text.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf, plural } from '../figures.ts'
import { detailOf } from '../needs.ts'
import { driveKind, driveName } from './drives.ts'
import { noticeClass } from './notices.ts'
import { outside } from './outside.ts'
import { budget, cleared, done, fail, hold, markerHeld, need, pause, rests, skip } from './reasons.ts'
import { checkRan, reviewed } from './review.ts'
import { callFailure } from './call-failure.ts'
import { rest } from './routing.ts'
import { ended, turn } from './states.ts'

const figures = figuresOf('en')
const overs = {
  question: 'Its question is gone',
  stall: 'A sign of life: the tool does not hang any more',
  tools: 'The agent is at rest: no tool of it runs',
} as const
const rounds = (max: number | null): string => (max === null ? 'no limit' : plural(max, 'round'))

const events: { [K in EventBody['type']]: (body: Extract<EventBody, { type: K }>, at: number) => string } = {
  'turn-started': (body) => `${turn(null, body.kind)} started${body.retry ? ', a retry of the one before' : ''}`,
  'turn-ended'(body) {
    if (body.clientLeft) return `${turn(body.turn, body.kind)}: the client left before the answer was complete`
    return (
      `${turn(body.turn, body.kind)} ${ended(body.finish)}` +
      `${body.error ? `: ${failedTurn(body.error.message, body.tried ?? [])}` : ''}`
    )
  },
  'marker-applied': (body) => `Marker “${excerpt(body.marker, 60)}” read: ${body.effect}`,
  'marker-refused': (body) => `Marker “${excerpt(body.marker, 60)}” refused: ${body.message}`,
  'marker-held': (body) => `${markerHeld(body.why)}: “${excerpt(body.marker, 60)}”`,
  'marker-forgotten': (body) => `You forgot the marker “${excerpt(body.marker, 60)}”`,
  armed: (body) => armed(body),
  'goal-left': (body) => `Carry on here? The goal “${excerpt(body.text)}” was set in the conversation before`,
  'goal-carried-on': (body) =>
    `You carried the goal “${excerpt(body.text)}” on here: ` +
    `${plural(body.used, 'round')} used, ${rounds(body.max)}`,
  'stop-message-edited': (body) =>
    `You changed the goal: “${excerpt(body.text)}”, ${rounds(body.max)}${body.review ? ', review on' : ''}`,
  'review-started': (body) => `The reviewer looks at round ${body.round}`,
  'review-done': (body) => `Reviewer: ${lower(reviewed(body.review))}`,
  'check-ran': (body) => checkRan(body.run),
  'check-approved': (body) => `You allowed the check ${body.name}: ${body.argv.join(' ')}`,
  'check-forgotten': (body) => `The check ${body.name} may not run any more`,
  matched: (body) =>
    body.max === null
      ? `Fired: the agent stopped, round ${body.used + 1}`
      : `Fired: the agent stopped and round ${body.used + 1} of ${body.max} was free`,
  skipped: (body) => skip(body.reason),
  queued: (body) => queued(body.source, body.round),
  'mentions-escaped': () =>
    'A model wrote this text: its @file and $skill have a backslash, so that the agent opens nothing for them',
  edited: () => 'You edited the followup',
  held: (body) => hold(body.reason),
  typed: () => 'Followup typed into the terminal',
  submitted(body) {
    if (body.inbox) return 'Handed to the agent’s own inbox'
    return body.extraEnter ? 'Submitted with a second Enter' : 'Submitted'
  },
  confirmed(body) {
    if (body.withWords) return 'Sent with your words'
    return body.late
      ? `Confirmed late, after ${figures.took(body.afterMs)}`
      : `Confirmed by the next request after ${figures.took(body.afterMs)}`
  },
  failed: (body) => fail(body.reason),
  unknown: () => fail({ code: 'unknown-after-crash' }),
  'text-removed': (body) =>
    body.by === 'onward'
      ? 'Taken out of the input line again'
      : 'Gone from the input line before Enter, so it does not count as sent',
  superseded: (body) => superseded[body.by],
  cancelled: (body) => cancelled[body.by],
  expired: () => 'Expired: the alarm was too old to be typed',
  used: (body) =>
    body.max === null ? `${plural(body.used, 'round')} used` : `${body.used} of ${plural(body.max, 'round')} used`,
  paused: (body) =>
    body.what === 'all' && body.reason.code === 'by-user' ? 'All automation paused by you' : pause(body.reason),
  resumed(body) {
    if (body.unanswered) return 'Went on: nobody answered, and its rounds were given'
    return body.what === 'all' ? 'All automation resumed' : 'Resumed'
  },
  done: (body) => done(body.reason),
  'stop-message-failed': (body) => `Stopped: ${lower(fail(body.reason))}`,
  cleared: (body) => cleared(body.by),
  rebound: (body) => `Moved from ${body.from} to ${body.to}, with its goal and queue`,
  'terminal-opened': (body) => `Terminal ${body.terminalId} opened for ${body.client}`,
  'terminal-closed': (body) =>
    `Terminal ${body.terminalId} closed${body.exitCode === null ? '' : ` with exit code ${body.exitCode}`}` +
    `${body.why ? `: ${excerpt(body.why)}` : ''}`,
  'needs-you': (body) => need(body.what),
  stalled: (body) => `No sign of life since ${figures.minute(body.since)}: a tool may hang`,
  drive: ({ did, kind, what }) => {
    const subject = kind === null ? 'all that it set itself' : `its own ${lower(driveKind(kind))}`
    return `${drove[did](subject)}${what === null ? '' : `: “${excerpt(what)}”`}`
  },
  'drives-ask': ({ budget: of, limit, drive }) =>
    `${drive ? `The agent’s own ${driveName(drive)}` : 'What the agent set itself'} has used ${budget(of, limit)}: ` +
    'it asks whether it may go on',
  over: (body) => overs[body.what],
  'dialog-answered': (body) =>
    `You ${body.key === null ? 'chose' : `pressed ${body.key}`} “${excerpt(body.choice, 60)}”` +
    `${about(body.what)}. ` +
    (body.closedMs === null ? 'The dialog still stood' : `The dialog closed after ${figures.took(body.closedMs)}`),
  notified: (body) =>
    body.to === undefined
      ? notified(noticeClass(body.class), body.result, body.why)
      : `Notification “${noticeClass(body.class)}” ${outside.went(body.to, body.result, body.why)}`,
  'provider-resting': (body, at) =>
    `${body.provider}${body.key === null ? '' : `, key ${body.key}`}: ${rest(body.rest, at)}`,
  'provider-back': (body) => `${body.provider}${body.key === null ? '' : `, key ${body.key}`} is back`,
  'outage-set': (body) => outageSet(body),
  'outage-over': (body) => outageOver(body),
  'limit-reached': (body) =>
    [
      `${body.provider}: limit reached`,
      body.lifts === null ? ', and it does not say when it lifts' : `. It lifts at ${figures.minute(body.lifts)}`,
      body.resumeAt === null ? '' : '. The session is continued then',
    ].join(''),
  'resume-set': (body) =>
    body.at === null
      ? 'The session is continued when a limit lifts'
      : `The session is continued at ${figures.minute(body.at)}`,
  'resume-cancelled': (body) => resumeCancelled[body.why],
  'resume-failed': (body) => `Not continued at the reset: ${body.message}`,
  'recover-waits': (body) => recoverWaits(body),
  'recover-ended': (body) => recoverEnded[body.why],
  'cache-kept': ({ tokens, costUsd, savesUsd, until }) =>
    `Kept ${figures.tokens(tokens)} tokens in the provider’s cache until ${figures.minute(until)}, for ` +
    `${figures.money(costUsd)}; a cold cache costs ${figures.money(savesUsd)} more`,
  'cache-not-kept': ({ why, status }) =>
    why === 'cold'
      ? 'The provider’s cache was cold already, so it is kept no longer'
      : `The provider’s cache is not kept: the provider ${status === 0 ? 'did not answer' : `answered ${status}`}`,
  revived: (body) =>
    `The agent ended by itself (${body.signal ?? `code ${body.exitCode ?? 'unknown'}`}) and is started again, ` +
    `${plural(body.times, 'time')} by now`,
  'revive-refused': (body) => `The agent ended and is not started again: ${rests(body.why)}`,
  'servertool-called': (body) => `The model called ${body.tool}`,
  'servertool-ran': (body) =>
    `${body.tool} ran in ${figures.took(body.ms)}, ${figures.bytes(body.bytes)}` +
    `${body.note ? `: ${excerpt(body.note)}` : ''}`,
  'servertool-failed': (body) =>
    `${body.tool} failed after ${figures.took(body.ms)}: ${unended(excerpt(body.message))}`,
  'servertool-round': (body) =>
    `The answer went on with the ${body.tools.length === 1 ? 'result' : 'results'} ` +
    `of ${listed(body.tools)}, round ${body.round}`,
  'servertool-stripped': (body) =>
    `${stripped[body.why]}: ` + `${plural(body.calls ?? body.tools.length, 'call')} of ${listed(body.tools)} taken out`,
  'servertool-reacted': (body) => `${body.tool}: ${excerpt(body.note)}`,
  'alarm-set': (body) =>
    body.taskIds.length === 1
      ? `${byWhom(body.by)} set an alarm for ${figures.instant(body.earliest)}`
      : `${byWhom(body.by)} set ${body.taskIds.length} alarms, the first for ${figures.instant(body.earliest)}`,
  'alarm-changed': (body) => `${byWhom(body.by)} changed an alarm: it rings at ${figures.instant(body.dueAt)}`,
  'alarm-cancelled': (body) => `${byWhom(body.by)} cancelled ${alarms(body.taskIds)}`,
  'alarm-rang': (body) =>
    body.taskIds.length === 1
      ? `The alarm of ${figures.minute(body.dueAt)} rang`
      : `${body.taskIds.length} alarms of ${figures.minute(body.dueAt)} rang`,
  'alarm-claimed': (body) =>
    `${capital(alarms(body.taskIds))} ${body.taskIds.length === 1 ? 'goes' : 'go'} ${alarmRoute[body.route]}`,
  'alarm-delivered': (body) => `${capital(alarms(body.taskIds))} delivered ${alarmRoute[body.route]}`,
  'alarm-released': (body) =>
    [
      `Not delivered ${alarmRoute[body.route]}: ${alarmReleased[body.why]}. `,
      body.taskIds.length === 1 ? 'The alarm waits on' : `${body.taskIds.length} alarms wait on`,
    ].join(''),
  'alarm-missed': (body) => `${capital(alarms(body.taskIds))} missed: ${alarmMissed[body.why]}`,
  'alarm-settled': (body) => alarmSettled(body.how, body.taskIds),
  'hold-started': (body) => `The answer is held open for the alarm of ${figures.instant(body.dueAt)}`,
  'hold-ended': (body) => `Held for ${figures.took(body.ms)}: ${holdEnded[body.why]}`,
  'time-sync': (body) => timeSync(body.sync),
  engine: (body) => (body.did === 'started' ? 'Onward started' : 'Onward stopped'),
  'store-problem': (body) => `Could not save ${body.file}: ${body.message}`,
  'config-problem': (body) =>
    `The config file was not taken over: ${body.message.replace(/\.$/, '')}` +
    `${body.trouble ? '' : '. The running one stays in force'}`,
  'engine-problem': (body) => body.message,
}

type Say = (body: EventBody, at: number) => string

/** A newer engine may have events that this page does not know: they have their names. */
export const event = ({ body, at }: TimelineEvent): string =>
  (events[body.type] as Say | undefined)?.(body, at) ?? body.type

/** Each upstream that was asked, by name and in words, instead of the list in the message that the client got. */
/** Why a turn failed, without its subject. */
export const turnFailure = ({ error, tried, finish }: Extract<EventBody, { type: 'turn-ended' }>): string =>
  error ? failedTurn(error.message, tried ?? []) : ended(finish)

function failedTurn(message: string, tried: NonNullable<Extract<EventBody, { type: 'turn-ended' }>['tried']>): string {
  if (tried.length === 0) return excerpt(message)
  const said = tried.map(({ provider, code }) => `${provider}: ${callFailure(code)}`)
  return `${unended(excerpt(withoutTried(message)))} (${[...new Set(said)].join('; ')})`
}

const byWhom = (by: AlarmBy): string => (by === 'model' ? 'The model' : by === 'marker' ? 'A marker' : 'You')
const alarms = (ids: readonly string[]): string => (ids.length === 1 ? 'an alarm' : `${ids.length} alarms`)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const alarmRoute: Readonly<Record<AlarmRoute, string>> = {
  terminal: 'into the terminal',
  request: 'with the session’s request',
  hold: 'within the answer that was held open',
}

const alarmReleased: Readonly<Record<AlarmReleased, string>> = {
  'upstream-failed': 'the provider did not answer',
  'client-left': 'the client left',
  'taken-back': 'it was taken back',
  'not-typed': 'it could not be typed',
}

const alarmMissed: Readonly<Record<MissedWhy, string>> = {
  expired: 'nobody could be told in time',
  failed: 'the terminal did not take it',
  unknown: 'Onward ended in the middle, so nobody knows whether it arrived',
}

function alarmSettled(how: Extract<EventBody, { type: 'alarm-settled' }>['how'], ids: readonly string[]): string {
  switch (how) {
    case 'delivered-late':
      return `${capital(alarms(ids))} arrived after all`
    case 'dismissed':
      return ids.length === 1 ? 'You dismissed a missed alarm' : `You dismissed ${ids.length} missed alarms`
    case 'rescheduled':
      return 'You set a missed alarm again'
  }
}

const holdEnded: Readonly<Record<HoldEnded, string>> = {
  due: 'the alarm was due',
  'client-left': 'the client left',
  gone: 'the alarm was cancelled, moved, or delivered otherwise',
  paused: 'automation is paused',
  failed: 'the alarm could not be taken',
}

function timeSync({ status, offsetMs, lastError }: ClockSync): string {
  const off = `${offsetMs < 0 ? '−' : '+'}${figures.took(Math.abs(offsetMs))}`
  switch (status) {
    case 'synced':
      return Math.abs(offsetMs) < 1000
        ? 'Time checked with a time server'
        : `Time checked with a time server: this computer is off by ${off}`
    case 'stale':
      return 'The time was not checked for long: no time server answers'
    case 'error':
      return `The time could not be checked${lastError === null ? '' : `: ${unended(excerpt(lastError))}`}`
    case 'disabled':
      return 'The time is not checked with time servers'
  }
}

const drove: Readonly<Record<DriveDid, (subject: string) => string>> = {
  stop: (subject) => `You had the agent stop ${subject}`,
  refused: (subject) => `Refused a turn of ${subject}, which you stopped`,
  missed: (subject) => `Nothing came at the time of ${subject}`,
  rescued: (subject) => `An alarm takes the place of ${subject}, which did not come`,
  let: (subject) => `You let the agent go on with ${subject}`,
  bound: (subject) => `You set a bound for ${subject}`,
  unbound: (subject) => `You took the bound off ${subject}`,
}

const listed = (tools: readonly string[]): string => [...new Set(tools)].join(', ')
/** A line of the timeline has no full stop: “Why” may follow it. */
const unended = (text: string): string => text.replace(/[.。]$/, '')

const stripped: Readonly<Record<Extract<EventBody, { type: 'servertool-stripped' }>['why'], string>> = {
  depth: 'Too many rounds in one answer',
  time: 'The rounds of this answer took too long',
  'not-a-turn': 'Tools of Onward are not run in this kind of request',
  calls: 'Too many calls in one answer',
  'not-declared': 'The model called a tool of Onward that this request does not have',
}

const resumeCancelled: Readonly<Record<Extract<EventBody, { type: 'resume-cancelled' }>['why'], string>> = {
  user: 'You cancelled the continuation at the reset',
  'went-on': 'Not continued at the reset: the session went on by itself',
  'switched-off': 'Not continued at the reset: you switched it off',
}

function recoverWaits({ targets, trialAt }: Extract<EventBody, { type: 'recover-waits' }>): string {
  if (trialAt !== null) return `The session tries again by itself at ${figures.minute(trialAt)}`
  return `The session goes on by itself when ${targets.join(' or ')} answers again`
}

const recoverEnded: Readonly<Record<RecoverEnd, string>> = {
  'went-on': 'Not continued after the failure: the session went on without it',
  'switched-off': 'Not continued after the failure: nothing is armed any more, or it was switched off',
  'no-terminal': 'Not continued after the failure: its terminal has ended',
  'too-often': 'Not continued after the failure: it was continued as often as the settings allow',
}

function armed({ text, max, review, by }: Extract<EventBody, { type: 'armed' }>): string {
  const what = `“${excerpt(text)}”, ${rounds(max)}${review ? ', review on' : ''}`
  switch (by) {
    case 'marker':
      return `A marker set the goal ${what}`
    case 'user':
      return `You set the goal ${what}`
    case 're-arm':
      return `Armed again: ${what}`
  }
}

function queued(from: FollowupSource, round: number | null): string {
  switch (from) {
    case 'stopMessage':
      return round === null ? 'Followup queued' : `Followup of round ${round} queued`
    case 'clock':
      return 'The alarm’s text is queued'
    case 'continue_execution':
      return 'The model asked to go on, its followup is queued'
    case 'revive':
      return 'The agent is started again, the text that goes on is queued'
    case 'recover':
      return 'The provider may answer again, the text that goes on is queued'
    case 'user':
      return 'Your message is queued'
    case 'program':
      return 'A message of another program is queued'
  }
}

const superseded: Readonly<Record<'new-turn' | 're-arm' | 'clear' | 'other-way', string>> = {
  'new-turn': 'Dropped: a new turn came first',
  're-arm': 'Dropped: a new goal replaced it',
  clear: 'Dropped: the goal was cleared',
  'other-way': 'Taken out of the queue: the alarm goes another way',
}

const cancelled: Readonly<Record<'user' | 'clear' | 'pause', string>> = {
  user: 'You cancelled the followup',
  clear: 'Cancelled: the goal was cleared',
  pause: 'Cancelled: the session was paused',
}

function notified(what: string, result: 'shown' | 'suppressed' | 'failed', why: string | undefined): string {
  const because = why ? `: ${excerpt(why)}` : ''
  switch (result) {
    case 'shown':
      return `Notification “${what}” shown`
    case 'suppressed':
      return `Notification “${what}” not shown${because}`
    case 'failed':
      return `Notification “${what}” failed${because}`
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** what was asked about, where that is known */
function about(what: string): string {
  const detail = detailOf(what)
  return detail === null ? '' : ` for ${excerpt(detail, 60)}`
}

const either = (targets: readonly string[]): string => targets.map(targetText).join(' or ')

function outageSet({ failed, tell, standIn }: Extract<EventBody, { type: 'outage-set' }>): string {
  const waits = either(failed)
  if (standIn === null) return `You are told when ${waits} answers again`
  return `${targetText(standIn)} takes the turns until ${waits} answers again${tell ? ', and you are told then' : ''}`
}

function outageOver({ target, failed, standIn }: Extract<EventBody, { type: 'outage-over' }>): string {
  const meanwhile = standIn === null ? '' : `, ${targetText(standIn)} takes no more turns for it`
  return target === null
    ? `${either(failed)} is not waited for any more${meanwhile}`
    : `${targetText(target)} answers again${meanwhile}`
}
