import type { DoneReason, NoticeClass } from '../../events.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf } from '../figures.ts'
import { shapeGlyphs, type NoticeFact, type TrayWords } from '../types.ts'
import { budget, done, fail, hold, need, pause } from './reasons.ts'
import { say } from './states.ts'

const figures = figuresOf('en')

export function noticeClass(kind: NoticeClass): string {
  switch (kind) {
    case 'goal-reached':
      return 'Goal reached, rounds used'
    case 'needs-you':
      return 'A session needs you'
    case 'injection-failed':
      return 'A followup failed'
    case 'held-long':
      return 'A followup is held for long'
    case 'budget':
      return 'A budget is reached'
    case 'limit':
      return 'A provider’s limit is reached or lifted'
    case 'alarm-due':
      return 'An alarm rings'
    case 'alarm-missed':
      return 'An alarm was missed'
    case 'proxy-error':
      return 'Something is wrong with the engine'
  }
}

export function notice(fact: NoticeFact): { title: string; body: string } {
  switch (fact.class) {
    case 'goal-reached':
      return {
        title: fact.reason.code === 'goal-reached' ? `Goal reached in ${fact.name}` : `${fact.name} is done`,
        body: proof(fact.reason),
      }
    case 'needs-you':
      return { title: `${fact.name} needs you`, body: asked(fact) }
    case 'injection-failed':
      return { title: `${fact.name} stopped`, body: fail(fact.reason) }
    case 'held-long':
      return {
        title: `A followup waits in ${fact.name}`,
        body: `${hold(fact.reason)}, for ${figures.span(fact.heldMs)}`,
      }
    case 'budget':
      return { title: `Paused to ask: ${fact.name}`, body: `Its budget is used up: ${budget(fact.budget, fact.limit)}` }
    case 'limit':
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
        body: `${figures.minute(fact.at)}  ${excerpt(fact.message)}${andMore(fact.more)}`,
      }
    case 'alarm-missed':
      return fact.more === 0
        ? { title: `Alarm missed in ${fact.name}`, body: `${figures.minute(fact.at)}  ${excerpt(fact.message)}` }
        : {
            title: `${fact.more + 1} alarms missed`,
            body: `${fact.name}, ${figures.minute(fact.at)}  ${excerpt(fact.message)}${andMore(fact.more)}`,
          }
    case 'proxy-error':
      return { title: 'Onward has a problem', body: excerpt(fact.message) }
  }
}

/** What a goal was found reached by is told along, where the sentence does not say it. */
const proof = (reason: DoneReason): string =>
  reason.code === 'goal-reached' && reason.checks && reason.evidence
    ? `${done(reason)}. ${excerpt(reason.evidence)}`
    : done(reason)
const andMore = (more: number): string => (more === 0 ? '' : `, and ${more} more`)
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const asked = ({ pause: reason, leftGoal, what }: Extract<NoticeFact, { class: 'needs-you' }>): string => {
  if (reason) return pause(reason)
  return leftGoal === undefined ? need(what) : say({ code: 'left-goal', text: leftGoal }, 0)
}

export const tray: TrayWords = {
  status: ({ host, port, working, paused }) =>
    `Engine on ${host}:${port}, ${paused ? 'all paused' : working === 0 ? 'idle' : `${working} working`}`,
  stopped: 'The engine is not running',
  session: (name, shape, said, now) => `${shapeGlyphs[shape]} ${name}: ${lower(say(said, now))}`,
  more: (count) => `${count} more in the dashboard`,
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  newTerminal: 'New terminal…',
  copyBaseUrl: 'Copy base URL',
  openDashboard: 'Open dashboard',
  settings: 'Settings…',
  checkForUpdates: 'Check for updates',
  quit: 'Quit',
  limit: (provider, lifts) =>
    `${provider}: limit reached${lifts === null ? '' : `, lifts at ${figures.minute(lifts)}`}`,
  tooltip: ({ working, needsYou, paused }) =>
    `Onward: ${needsYou > 0 ? `${needsYou} ${needsYou === 1 ? 'needs' : 'need'} you` : paused ? 'all paused' : working > 0 ? `${working} working` : 'idle'}`,
  open: 'Open',
  nextAlarm: (dueAt, task, now) => `Next alarm ${figures.minuteOfDay(dueAt, now)}: ${excerpt(task, 40)}`,
  missedAlarms: (count) => (count === 1 ? '1 missed alarm' : `${count} missed alarms`),
  snooze: 'Snooze 10 min',
  cancelAlarm: 'Cancel',
  reArm: 'Re-arm',
  goOn: 'Go on',
}
