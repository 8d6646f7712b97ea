import type { NoticeKind } from '../../notice-classes.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { shapeGlyphs, type NoticeFact, type TrayWords } from '../types.ts'
import { used } from './cost.ts'
import { budget, done, fail, hold, need, offered, pause, thenGoesOn } from './reasons.ts'
import { say } from './states.ts'

const figures = figuresOf('en')

const noticeClassWords: Readonly<Record<NoticeKind, string>> = {
  'goal-reached': 'Goal reached, rounds used',
  'needs-you': 'A session needs you',
  'injection-failed': 'A followup failed',
  'held-long': 'A followup is held for long',
  budget: 'A budget is reached',
  limit: 'A provider is at its limit, or answers again',
  'alarm-due': 'An alarm rings',
  'alarm-missed': 'An alarm was missed',
  'proxy-error': 'Something is wrong with the engine',
  'quiet-over': 'What came in quiet hours',
}
export const noticeClass = (kind: NoticeKind): string => noticeClassWords[kind]

export function notice(fact: NoticeFact): { title: string; body: string } {
  switch (fact.class) {
    case 'goal-reached':
      return {
        title: fact.reason.code === 'goal-reached' ? `Goal reached in ${fact.name}` : `${fact.name} is done`,
        body: proof(fact),
      }
    case 'needs-you':
      return {
        title: fact.failure ? stopped(fact.name, fact.failure.provider) : `${fact.name} needs you`,
        body: asked(fact),
      }
    case 'injection-failed':
      return { title: `${fact.name} stopped`, body: fail(fact.reason) }
    case 'held-long':
      return {
        title: `A followup waits in ${fact.name}`,
        body: `${hold(fact.reason)}, for ${figures.span(fact.heldMs)}`,
      }
    case 'budget':
      return {
        title: `Paused to ask: ${fact.name}`,
        body: `Its budget is used up: ${budget(fact.budget, fact.limit)}${thenGoesOn(fact.goesOnAt)}`,
      }
    case 'limit':
      if (fact.change === 'back')
        return {
          title: `${fact.provider} answers again`,
          body: fact.waited?.length ? `${fact.waited.join(', ')} can go on` : 'Turns go there again',
        }
      return fact.change === 'lifted'
        ? { title: `${fact.provider}: limit lifted`, body: 'Turns go there again' }
        : {
            title: `${fact.provider}: limit reached`,
            body:
              fact.liftsAt === null ? 'It does not say when it lifts' : `It lifts at ${figures.minute(fact.liftsAt)}`,
          }
    case 'alarm-due':
      return {
        title: `Alarm in ${fact.name}`,
        body: `${at(fact.at, fact.message)}${andMore(fact.more)}`,
      }
    case 'alarm-missed':
      return fact.more === 0
        ? { title: `Alarm missed in ${fact.name}`, body: at(fact.at, fact.message) }
        : {
            title: `${fact.more + 1} alarms missed`,
            body: `${fact.name}, ${at(fact.at, fact.message)}${andMore(fact.more)}`,
          }
    case 'proxy-error':
      return { title: 'Onward has a problem', body: excerpt(fact.message) }
    case 'quiet-over':
      return {
        title: fact.count === 1 ? '1 notice came in quiet hours' : `${fact.count} notices came in quiet hours`,
        body: waiting(fact.needs),
      }
  }
}

/** Adds how a goal was found reached, where the sentence does not say it. */
const proof = ({ reason, spent }: Extract<NoticeFact, { class: 'goal-reached' }>): string => {
  const said = `${done(reason)}${spent && spent.tokens > 0 ? ` (${used(spent)})` : ''}`
  return reason.code === 'goal-reached' && reason.checks && reason.evidence
    ? `${said}. ${excerpt(reason.evidence)}`
    : said
}
const MOST_NAMES = 5
const waiting = (names: readonly string[]): string => {
  const shown = names.slice(0, MOST_NAMES)
  const left = names.length - shown.length
  if (names.length === 0) return 'No session waits for you'
  return `${shown.join(', ')}${andMore(left)} ${names.length === 1 ? 'needs' : 'need'} you`
}
const at = (instant: number, message: string): string => `${figures.minute(instant)}  ${excerpt(message)}`.trimEnd()
const stopped = (name: string, provider: string | null): string =>
  provider === null ? `${name} stopped: its turn failed` : `${name} stopped: ${provider} fails`
const andMore = (more: number): string => (more === 0 ? '' : `, and ${more} more`)
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const asked = ({
  pause: reason,
  leftGoal,
  what,
  choices,
  failure,
  stalledSince,
  drives,
  rests,
}: Extract<NoticeFact, { class: 'needs-you' }>): string => {
  if (rests) return say({ code: 'gone', rests }, 0)
  if (drives) return say({ code: 'drives-ask', ...drives }, 0)
  if (stalledSince !== undefined) return say({ code: 'stalled', since: stalledSince }, 0)
  if (failure) return say({ code: 'turn-failed', ...failure }, 0)
  if (reason) return pause(reason)
  if (leftGoal === null) return 'Carry on here? A goal was set in the conversation before'
  return leftGoal === undefined ? `${need(what)}${offered(choices)}` : say({ code: 'left-goal', text: leftGoal }, 0)
}

export const tray: TrayWords = {
  status: ({ host, port, working, paused }) =>
    `Engine on ${host}:${port}, ${paused ? 'all paused' : working === 0 ? 'idle' : `${working} working`}`,
  stopped: 'The engine is not running',
  awake: ({ goals, problem }) =>
    problem === undefined
      ? `Keeps the machine awake for ${goals} ${goals === 1 ? 'goal' : 'goals'}`
      : `The machine can’t be kept awake: ${problem}`,
  finishing: (answers) => `Finishing ${answers} ${answers === 1 ? 'answer' : 'answers'}`,
  session: (name, shape, said, now) => `${shapeGlyphs[shape]} ${name}: ${lower(say(said, now))}`,
  more: (count) => `${count} more in the dashboard`,
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  newTerminal: 'New terminal…',
  copyBaseUrl: 'Copy base URL',
  openDashboard: 'Open dashboard',
  settings: 'Settings…',
  startAtLogin: 'Start at login, in the tray',
  checkForUpdates: 'Check for updates',
  quit: 'Quit',
  fails: (provider, since, now) =>
    `${shapeGlyphs.failed} ${provider} fails${since === null ? '' : ` since ${figures.minuteOfDay(since, now)}`}`,
  limit: (provider, lifts) =>
    `${provider}: limit reached${lifts === null ? '' : `, lifts at ${figures.minute(lifts)}`}`,
  tooltip: ({ working, needsYou, paused }) =>
    'Onward: ' +
    (needsYou > 0
      ? `${needsYou} ${needsYou === 1 ? 'needs' : 'need'} you`
      : paused
        ? 'all paused'
        : working > 0
          ? `${working} working`
          : 'idle'),
  open: 'Open',
  nextAlarm: (dueAt, task, now) => `Next alarm ${figures.minuteOfDay(dueAt, now)}: ${excerpt(task, 40)}`,
  missedAlarms: (count) => (count === 1 ? '1 missed alarm' : `${count} missed alarms`),
  snooze: 'Snooze 10 min',
  cancelAlarm: 'Cancel',
  reArm: 'Re-arm',
  continue: 'Go on',
}
