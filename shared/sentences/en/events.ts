import type { AlarmBy, AlarmRoute, ClockSync, MissedWhy } from '../../alarms/alarms.ts'
import type { AlarmReleased, EventBody, FollowupSource, RecoverEnd, HoldEnded, TimelineEvent } from '../../events.ts'
import { withoutTried } from '../../setup/tried.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { detailOf } from '../needs.ts'
import { noticeClass } from './notices.ts'
import { callFailure } from './call-failure.ts'
import { outageOver, outageSet } from './outage.ts'
import { outside } from './outside.ts'
import { cleared, done, fail, hold, markerHeld, need, pause, rests, skip } from './reasons.ts'
import { checkRan, reviewed } from './review.ts'
import { rest } from './routing.ts'
import { ended, turn } from './states.ts'

const figures = figuresOf('en')
const overs = {
  question: 'Its question is gone',
  stall: 'A sign of life: the tool does not hang any more',
  tools: 'The agent is at rest: no tool of it runs',
} as const
const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
const rounds = (max: number | null): string => (max === null ? 'no limit' : plural(max, 'round'))

export function event({ body, at }: TimelineEvent): string {
  switch (body.type) {
    case 'turn-started':
      return `${turn(null, body.kind)} started${body.retry ? ', a retry of the one before' : ''}`
    case 'turn-ended':
      if (body.clientLeft) return `${turn(body.turn, body.kind)}: the client left before the answer was complete`
      return (
        `${turn(body.turn, body.kind)} ${ended(body.finish)}` +
        `${body.error ? `: ${failedTurn(body.error.message, body.tried ?? [])}` : ''}`
      )
    case 'marker-applied':
      return `Marker “${excerpt(body.marker, 60)}” read: ${body.effect}`
    case 'marker-refused':
      return `Marker “${excerpt(body.marker, 60)}” refused: ${body.message}`
    case 'marker-held':
      return `${markerHeld(body.why)}: “${excerpt(body.marker, 60)}”`
    case 'marker-forgotten':
      return `You forgot the marker “${excerpt(body.marker, 60)}”`
    case 'armed':
      return armed(body)
    case 'goal-left':
      return `Carry on here? The goal “${excerpt(body.text)}” was set in the conversation before`
    case 'goal-carried-on':
      return (
        `You carried the goal “${excerpt(body.text)}” on here: ` +
        `${plural(body.used, 'round')} used, ${rounds(body.max)}`
      )
    case 'stop-message-edited':
      return `You changed the goal: “${excerpt(body.text)}”, ${rounds(body.max)}${body.review ? ', review on' : ''}`
    case 'review-started':
      return `The reviewer looks at round ${body.round}`
    case 'review-done':
      return `Reviewer: ${lower(reviewed(body.review))}`
    case 'check-ran':
      return checkRan(body.run)
    case 'check-approved':
      return `You allowed the check ${body.name}: ${body.argv.join(' ')}`
    case 'check-forgotten':
      return `The check ${body.name} may not run any more`
    case 'matched':
      return body.max === null
        ? `Fired: the agent stopped, round ${body.used + 1}`
        : `Fired: the agent stopped and round ${body.used + 1} of ${body.max} was free`
    case 'skipped':
      return skip(body.reason)
    case 'queued':
      return queued(body.source, body.round)
    case 'mentions-escaped':
      return 'A model wrote this text: its @file and $skill have a backslash, so that the agent opens nothing for them'
    case 'edited':
      return 'You edited the followup'
    case 'held':
      return hold(body.reason)
    case 'typed':
      return 'Followup typed into the terminal'
    case 'submitted':
      return body.extraEnter ? 'Submitted with a second Enter' : 'Submitted'
    case 'confirmed':
      if (body.withWords) return 'Sent with your words'
      return body.late
        ? `Confirmed late, after ${figures.took(body.afterMs)}`
        : `Confirmed by the next request after ${figures.took(body.afterMs)}`
    case 'failed':
      return fail(body.reason)
    case 'unknown':
      return fail({ code: 'unknown-after-crash' })
    case 'text-removed':
      return body.by === 'onward'
        ? 'Taken out of the input line again'
        : 'Gone from the input line before Enter, so it does not count as sent'
    case 'superseded':
      return superseded(body.by)
    case 'cancelled':
      return cancelled(body.by)
    case 'expired':
      return 'Expired: the alarm was too old to be typed'
    case 'used':
      return body.max === null
        ? `${plural(body.used, 'round')} used`
        : `${body.used} of ${plural(body.max, 'round')} used`
    case 'paused':
      return body.what === 'all' && body.reason.code === 'by-user' ? 'All automation paused by you' : pause(body.reason)
    case 'resumed':
      if (body.unanswered) return 'Went on: nobody answered, and its rounds were given'
      return body.what === 'all' ? 'All automation resumed' : 'Resumed'
    case 'done':
      return done(body.reason)
    case 'stop-message-failed':
      return `Stopped: ${lower(fail(body.reason))}`
    case 'cleared':
      return cleared(body.by)
    case 'rebound':
      return `Moved from ${body.from} to ${body.to}, with its goal and queue`
    case 'terminal-opened':
      return `Terminal ${body.terminalId} opened for ${body.client}`
    case 'terminal-closed':
      return (
        `Terminal ${body.terminalId} closed${body.exitCode === null ? '' : ` with exit code ${body.exitCode}`}` +
        `${body.why ? `: ${excerpt(body.why)}` : ''}`
      )
    case 'needs-you':
      return need(body.what)
    case 'stalled':
      return `No sign of life since ${figures.minute(body.since)}: a tool may hang`
    case 'over':
      return overs[body.what]
    case 'dialog-answered':
      return (
        `You ${body.key === null ? 'chose' : `pressed ${body.key}`} “${excerpt(body.choice, 60)}”` +
        `${about(body.what)}. ` +
        (body.closedMs === null ? 'The dialog still stood' : `The dialog closed after ${figures.took(body.closedMs)}`)
      )
    case 'notified':
      return body.to === undefined
        ? notified(noticeClass(body.class), body.result, body.why)
        : `Notification “${noticeClass(body.class)}” ${outside.went(body.to, body.result, body.why)}`
    case 'provider-resting':
      return `${body.provider}${body.key === null ? '' : `, key ${body.key}`}: ${rest(body.rest, at)}`
    case 'provider-back':
      return `${body.provider}${body.key === null ? '' : `, key ${body.key}`} is back`
    case 'outage-set':
      return outageSet(body)
    case 'outage-over':
      return outageOver(body)
    case 'limit-reached':
      return [
        `${body.provider}: limit reached`,
        body.lifts === null ? ', and it does not say when it lifts' : `. It lifts at ${figures.minute(body.lifts)}`,
        body.resumeAt === null ? '' : '. The session is continued then',
      ].join('')
    case 'resume-set':
      return body.at === null
        ? 'The session is continued when a limit lifts'
        : `The session is continued at ${figures.minute(body.at)}`
    case 'resume-cancelled':
      return resumeCancelled(body.why)
    case 'resume-failed':
      return `Not continued at the reset: ${body.message}`
    case 'recover-waits':
      return recoverWaits(body)
    case 'recover-ended':
      return recoverEnded(body.why)
    case 'revived':
      return (
        `The agent ended by itself (${body.signal ?? `code ${body.exitCode ?? 'unknown'}`}) and is started again, ` +
        `${plural(body.times, 'time')} by now`
      )
    case 'revive-refused':
      return `The agent ended and is not started again: ${rests(body.why)}`
    case 'servertool-called':
      return `The model called ${body.tool}`
    case 'servertool-ran':
      return (
        `${body.tool} ran in ${figures.took(body.ms)}, ${figures.bytes(body.bytes)}` +
        `${body.note ? `: ${excerpt(body.note)}` : ''}`
      )
    case 'servertool-failed':
      return `${body.tool} failed after ${figures.took(body.ms)}: ${unended(excerpt(body.message))}`
    case 'servertool-round':
      return (
        `The answer went on with the ${body.tools.length === 1 ? 'result' : 'results'} ` +
        `of ${listed(body.tools)}, round ${body.round}`
      )
    case 'servertool-stripped':
      return (
        `${stripped(body.why)}: ` +
        `${plural(body.calls ?? body.tools.length, 'call')} of ${listed(body.tools)} taken out`
      )
    case 'servertool-reacted':
      return `${body.tool}: ${excerpt(body.note)}`
    case 'alarm-set':
      return body.taskIds.length === 1
        ? `${byWhom(body.by)} set an alarm for ${figures.instant(body.earliest)}`
        : `${byWhom(body.by)} set ${body.taskIds.length} alarms, the first for ${figures.instant(body.earliest)}`
    case 'alarm-changed':
      return `${byWhom(body.by)} changed an alarm: it rings at ${figures.instant(body.dueAt)}`
    case 'alarm-cancelled':
      return `${byWhom(body.by)} cancelled ${alarms(body.taskIds)}`
    case 'alarm-rang':
      return body.taskIds.length === 1
        ? `The alarm of ${figures.minute(body.dueAt)} rang`
        : `${body.taskIds.length} alarms of ${figures.minute(body.dueAt)} rang`
    case 'alarm-claimed':
      return `${capital(alarms(body.taskIds))} ${body.taskIds.length === 1 ? 'goes' : 'go'} ${alarmRoute(body.route)}`
    case 'alarm-delivered':
      return `${capital(alarms(body.taskIds))} delivered ${alarmRoute(body.route)}`
    case 'alarm-released':
      return [
        `Not delivered ${alarmRoute(body.route)}: ${alarmReleased(body.why)}. `,
        body.taskIds.length === 1 ? 'The alarm waits on' : `${body.taskIds.length} alarms wait on`,
      ].join('')
    case 'alarm-missed':
      return `${capital(alarms(body.taskIds))} missed: ${alarmMissed(body.why)}`
    case 'alarm-settled':
      return alarmSettled(body.how, body.taskIds)
    case 'hold-started':
      return `The answer is held open for the alarm of ${figures.instant(body.dueAt)}`
    case 'hold-ended':
      return `Held for ${figures.took(body.ms)}: ${holdEnded(body.why)}`
    case 'time-sync':
      return timeSync(body.sync)
    case 'engine':
      return body.did === 'started' ? 'Onward started' : 'Onward stopped'
    case 'store-problem':
      return `Could not save ${body.file}: ${body.message}`
    case 'config-problem':
      return (
        `The config file was not taken over: ${body.message.replace(/\.$/, '')}` +
        `${body.trouble ? '' : '. The running one stays in force'}`
      )
    case 'engine-problem':
      return body.message
  }
}

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

function alarmRoute(route: AlarmRoute): string {
  switch (route) {
    case 'terminal':
      return 'into the terminal'
    case 'request':
      return 'with the session’s request'
    case 'hold':
      return 'within the answer that was held open'
  }
}

function alarmReleased(why: AlarmReleased): string {
  switch (why) {
    case 'upstream-failed':
      return 'the provider did not answer'
    case 'client-left':
      return 'the client left'
    case 'taken-back':
      return 'it was taken back'
    case 'not-typed':
      return 'it could not be typed'
  }
}

function alarmMissed(why: MissedWhy): string {
  switch (why) {
    case 'expired':
      return 'nobody could be told in time'
    case 'failed':
      return 'the terminal did not take it'
    case 'unknown':
      return 'Onward ended in the middle, so nobody knows whether it arrived'
  }
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

function holdEnded(why: HoldEnded): string {
  switch (why) {
    case 'due':
      return 'the alarm was due'
    case 'client-left':
      return 'the client left'
    case 'gone':
      return 'the alarm was cancelled, moved, or delivered otherwise'
    case 'paused':
      return 'automation is paused'
    case 'failed':
      return 'the alarm could not be taken'
  }
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

const listed = (tools: readonly string[]): string => [...new Set(tools)].join(', ')
/** A line of the timeline has no full stop: “Why” may follow it. */
const unended = (text: string): string => text.replace(/[.。]$/, '')

function stripped(why: Extract<EventBody, { type: 'servertool-stripped' }>['why']): string {
  switch (why) {
    case 'depth':
      return 'Too many rounds in one answer'
    case 'time':
      return 'The rounds of this answer took too long'
    case 'not-a-turn':
      return 'Tools of Onward are not run in this kind of request'
    case 'calls':
      return 'Too many calls in one answer'
    case 'not-declared':
      return 'The model called a tool of Onward that this request does not have'
  }
}

function resumeCancelled(why: Extract<EventBody, { type: 'resume-cancelled' }>['why']): string {
  switch (why) {
    case 'user':
      return 'You cancelled the continuation at the reset'
    case 'went-on':
      return 'Not continued at the reset: the session went on by itself'
    case 'switched-off':
      return 'Not continued at the reset: you switched it off'
  }
}

function recoverWaits({ targets, trialAt }: Extract<EventBody, { type: 'recover-waits' }>): string {
  if (trialAt !== null) return `The session tries again by itself at ${figures.minute(trialAt)}`
  return `The session goes on by itself when ${targets.join(' or ')} answers again`
}

function recoverEnded(why: RecoverEnd): string {
  switch (why) {
    case 'went-on':
      return 'Not continued after the failure: the session went on without it'
    case 'switched-off':
      return 'Not continued after the failure: nothing is armed any more, or it was switched off'
    case 'no-terminal':
      return 'Not continued after the failure: its terminal has ended'
    case 'too-often':
      return 'Not continued after the failure: it was continued as often as the settings allow'
  }
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
  }
}

function superseded(by: 'new-turn' | 're-arm' | 'clear' | 'other-way'): string {
  switch (by) {
    case 'new-turn':
      return 'Dropped: a new turn came first'
    case 're-arm':
      return 'Dropped: a new goal replaced it'
    case 'clear':
      return 'Dropped: the goal was cleared'
    case 'other-way':
      return 'Taken out of the queue: the alarm goes another way'
  }
}

function cancelled(by: 'user' | 'clear' | 'pause'): string {
  switch (by) {
    case 'user':
      return 'You cancelled the followup'
    case 'clear':
      return 'Cancelled: the goal was cleared'
    case 'pause':
      return 'Cancelled: the session was paused'
  }
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
