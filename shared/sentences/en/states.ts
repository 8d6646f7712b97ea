import { areDays, everyDay, workdays, type RepeatRule } from '../../alarms/repeat.ts'
import { providerOfTarget } from '../../outage.ts'
import type { FinishKind, FollowupSource } from '../../events.ts'
import type { FailedTurn, OutboxState, SessionSay } from '../../state.ts'
import type { RequestKind, SessionShape } from '../../words.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf, plural } from '../figures.ts'
import { clockTime, endDay, inZone, type RepeatFacts } from '../repeat-facts.ts'
import { callFailure } from './call-failure.ts'
import { driveName } from './drives.ts'
import { background, budget, done, fail, hold, need, pause, rests } from './reasons.ts'

const figures = figuresOf('en')

export function say(said: SessionSay, now: number): string {
  switch (said.code) {
    case 'working':
      return `Turn ${said.turn} running for ${figures.span(now - said.since)}`
    case 'needs-you':
      return need(said.what)
    case 'held':
      return hold(said.reason)
    case 'queued':
      return 'Followup queued, typed once the agent is idle'
    case 'awaiting-receipt':
      return 'Followup typed, waiting for its receipt'
    case 'reviewing':
      return `Reviewer is looking at round ${said.round}`
    case 'paused':
      return said.failure
        ? `${pause(said.reason)}. ${say({ code: 'turn-failed', ...said.failure, waiting: said.waiting }, now)}`
        : `${pause(said.reason)}${waiting(said.waiting)}`
    case 'done':
      return done(said.reason)
    case 'failed':
      return fail(said.reason)
    case 'armed':
      return 'Armed: goes on when the next turn ends'
    case 'background-work':
      return (
        `Waits for ${background(said)} ` +
        `(since ${figures.minute(said.since)}, goes on at ${figures.minute(said.until)})`
      )
    case 'limited':
      return limited(said, now)
    case 'idle':
      if (said.but === 'marker-held') return 'Idle: a marker waits for your word'
      return said.but ? 'Idle: the goal of its terminal was set in another conversation' : 'Idle: nothing is armed'
    case 'gone':
      if (said.rests) return `The agent ended by itself, and is not started again: ${rests(said.rests)}`
      return said.quit ? 'Gone: its agent has quit' : 'Gone: its terminal has ended'
    case 'retrying':
      return `The agent retries: ${turnFailure(said)}, ${plural(said.tries, 'try', 'tries')}`
    case 'drives-ask':
      return said.drive
        ? `Asks: its own ${driveName(said.drive)} has used ${budget(said.budget, said.limit)}`
        : `Goes on by itself, and asks: ${budget(said.budget, said.limit)} of its own are used`
    case 'stalled':
      return `No sign of life since ${figures.minute(said.since)}: a tool may hang`
    case 'turn-failed':
      return (
        `Its last turn failed: ${turnFailure(said)}, ${said.tries === 1 ? 'at' : 'since'} ` +
        `${figures.minute(said.since)}${waiting(said.waiting)}${behindLimit(said)}` +
        (said.goesOn ? `. ${goesOn(said.goesOn)}` : '')
      )
    case 'left':
      return 'Gone: its terminal has another conversation now'
    case 'left-goal':
      return `Carry on here? The goal “${excerpt(said.text, 60)}” was set in the conversation before`
  }
}

const waiting = (count = 0): string =>
  count === 0 ? '' : `, ${plural(count, 'followup')} ${count === 1 ? 'waits' : 'wait'}`

const failure = ({ provider, status }: { provider: string | null; status: number }): string =>
  `${status < 400 ? 'the answer broke off' : status}${provider === null ? '' : ` from ${provider}`}`

/** Where nothing answered, the status is of our own making and says less than why. */
function turnFailure(said: Pick<FailedTurn, 'provider' | 'status' | 'tried'>): string {
  const last = said.tried.at(-1)
  return last?.status === null ? `${last.provider}, ${callFailure(last.code)}` : failure(said)
}

/** When what it failed for is over: a person may wait for that. */
function behindLimit({ limit }: FailedTurn): string {
  if (!limit) return ''
  return limit.lifts === null
    ? `. ${limit.provider} does not say when its limit lifts`
    : `. The limit of ${limit.provider} lifts at ${figures.minute(limit.lifts)}`
}

export function goesOn({ targets, tryAt }: NonNullable<FailedTurn['goesOn']>): string {
  const [first, ...others] = targets
  if (tryAt !== null) return `Goes on by itself: the next try is at ${figures.minute(tryAt)}`
  if (first === undefined) return 'Goes on by itself'
  const another = others.length > 0 ? ', or another of its route' : ''
  return `Goes on by itself when ${providerOfTarget(first)} answers${another}`
}

function limited({ provider, since, lifts, resumeAt }: Extract<SessionSay, { code: 'limited' }>, now: number): string {
  const reached = `Limit of ${provider} reached at ${figures.minute(since)}`
  if (resumeAt !== null) return `${reached}. Goes on at ${figures.minute(resumeAt)}, in ${figures.left(resumeAt, now)}`
  return lifts === null
    ? `${reached}. It does not say when it lifts`
    : `${reached}. It lifts at ${figures.minute(lifts)}, in ${figures.left(lifts, now)}`
}

export function lastSeen(said: SessionSay): string {
  switch (said.code) {
    case 'working':
      return `Last seen: turn ${said.turn} was running`
    case 'needs-you':
      return 'Last seen: it waited for you'
    case 'held':
      return 'Last seen: a followup was held'
    case 'queued':
      return 'Last seen: a followup was queued'
    case 'awaiting-receipt':
      return 'Last seen: a followup waited for its receipt'
    case 'reviewing':
      return 'Last seen: the reviewer was looking'
    case 'paused':
      return 'Last seen: paused'
    case 'done':
      return 'Last seen: done'
    case 'failed':
      return 'Last seen: failed'
    case 'armed':
      return 'Last seen: armed'
    case 'background-work':
      return `Last seen: it waited for ${background(said)}`
    case 'limited':
      return 'Last seen: at its provider’s limit'
    case 'idle':
      return 'Last seen: idle'
    case 'gone':
    case 'left':
      return say(said, 0)
    case 'retrying':
      return 'Last seen: the agent tried again'
    case 'drives-ask':
      return 'Last seen: it asked whether it may go on by itself'
    case 'stalled':
      return 'Last seen: no sign of life for long'
    case 'turn-failed':
      return 'Last seen: its last turn had failed'
    case 'left-goal':
      return 'Last seen: it waited for your word on its goal'
  }
}

export function turn(number: number | null, kind: RequestKind): string {
  switch (kind) {
    case 'turn':
      return number === null ? 'A turn' : `Turn ${number}`
    case 'subagent':
      return 'A sub-agent’s turn'
    case 'title':
      return 'Title request'
    case 'compaction':
      return 'Compaction'
    case 'count':
      return 'Token count'
    case 'probe':
      return 'Probe'
    case 'aside':
      return 'Side request'
    case 'warm':
      return 'Kept warm'
  }
}

const endedWords: Readonly<Record<FinishKind, string>> = {
  stop: 'ended with a plain stop',
  'tool-calls': 'ended with a tool call',
  length: 'ended at its length limit',
  'content-filter': 'was ended by the content filter',
  refusal: 'was refused by the model',
  'pause-turn': 'was paused by the provider',
  incomplete: 'ended incomplete',
  error: 'failed',
  'broken-off': 'broke off',
}
export const ended = (finish: FinishKind): string => endedWords[finish]

const finishWords: Readonly<Record<FinishKind, string>> = {
  stop: 'stop',
  'tool-calls': 'tool call',
  length: 'length limit',
  'content-filter': 'content filter',
  refusal: 'refused',
  'pause-turn': 'paused',
  incomplete: 'incomplete',
  error: 'failed',
  'broken-off': 'broke off',
}
export const finish = (kind: FinishKind): string => finishWords[kind]

const shapeWords: Readonly<Record<SessionShape, string>> = {
  working: 'Working',
  needs: 'Needs you',
  held: 'Held',
  idle: 'Idle',
  done: 'Done',
  failed: 'Failed',
  paused: 'Paused',
  gone: 'Gone',
}
export const shape = (kind: SessionShape): string => shapeWords[kind]

const outboxWords: Readonly<Record<OutboxState, string>> = {
  queued: 'Queued',
  typing: 'Typing',
  submitted: 'Submitted',
  confirmed: 'Confirmed',
  unknown: 'Not certain',
  failed: 'Failed',
  cancelled: 'Cancelled',
  superseded: 'Dropped',
  expired: 'Expired',
}
export const outbox = (state: OutboxState): string => outboxWords[state]

const sourceWords: Readonly<Record<FollowupSource, string>> = {
  stopMessage: 'keep going',
  clock: 'alarm',
  continue_execution: 'asked for by the model',
  revive: 'after its agent was started again',
  recover: 'after a failure',
  user: 'from you',
  program: 'from another program',
}
export const source = (from: FollowupSource): string => sourceWords[from]

const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function rule(said: RepeatRule): string {
  if (said.kind === 'interval') return `every ${figuresOf('en').span(said.ms)}`
  const { weekdays, monthDay } = said
  if (monthDay !== undefined) return `every month on day ${monthDay} at ${clockTime(said)}`
  const days = weekdays.map((day) => names[day] ?? '')
  const which = areDays(weekdays, everyDay)
    ? 'day'
    : areDays(weekdays, workdays)
      ? 'weekday'
      : [days.slice(0, -1).join(', '), days.at(-1)].filter(Boolean).join(' and ')
  return `every ${which} at ${clockTime(said)}`
}

/** “every day at 9:00” */
const briefly = (repeat: RepeatFacts): string => `${rule(repeat.rule)}${inZone(repeat, (zone) => `, ${zone}`)}`

export const repeats = {
  /** “every day at 9:00 until Tuesday 22 December, 30 times” */
  repeat: (repeat: RepeatFacts): string =>
    repeat.times === 1
      ? `${briefly(repeat)}, once`
      : `${briefly(repeat)} until ${endDay('en', repeat)}, ${repeat.times} times`,
  /** “every day at 9:00, 2 of 30” */
  repeatNow: (repeat: RepeatFacts & { nth: number }): string => `${briefly(repeat)}, ${repeat.nth} of ${repeat.times}`,
}
