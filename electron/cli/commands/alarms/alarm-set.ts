import { Option, type Command } from 'commander'
import type { AlarmView } from '../../../../shared/alarms/alarms.ts'
import { readSpan } from '../../../engine/clock/read-time/read-span.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand, type EngineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { alarmText, tellingOf, timesOf } from './alarm-when.ts'

export const whichAlarm = 'its id, or the beginning of it as `onward alarm list` shows it'
const timesHint =
  'Times: “in 20 min”, “1h 30m”, “tomorrow 9:00”, “fri 18:00”, “25 ' +
  'Nov 14:30”, “2026-11-25 14:30”, an ISO instant, “20分钟后”, “明天9点”. ' +
  'Again and again: “every day at 9”, “every weekday 9:30 until 1 Dec”, “every 2 hours, 5 times”, “每天9点 共5次”; ' +
  'without an end it has one of 30 days or 100 times. ' +
  'Days and hours are those of the engine’s zone; what was understood is told back as an exact instant.'

export function addAdd(parent: Command, cli: Cli): void {
  alarmCommand(parent, cli, {
    usage: 'add <session> [when] [text...]',
    takes: [
      'session id, its beginning, its name, or a terminal id',
      'a time as you say it; in quotes where it has several words; left out with --at',
      'what the agent is told; - reads it from stdin',
    ],
    summary: 'set one: when, and what to tell the agent',
    description:
      'Sets an alarm for a session. It is typed when the agent is idle ' +
      `then, or goes along with its next request.\n\n${timesHint}`,
    options: [['--at <when>', 'the time, instead of the argument']],
    examples: [
      ['onward alarm add billing "in 20 min" check CI', 'from now on'],
      ['onward alarm add billing "tomorrow 9:00" "rebase on main"', 'in the engine’s zone'],
      ['onward alarm add billing --at 2026-11-25T14:30:00+01:00 "call it a day"', 'an exact instant'],
      [
        'onward alarm add billing "every weekday at 9:30 until 1 Dec" "triage the inbox"',
        'again and again, with an end',
      ],
      ['git log -3 | onward alarm add billing 18:00 -', 'text from stdin'],
    ],
    async input(session: string, first: string | undefined, rest: readonly string[], { at }: { at?: string }) {
      const when = at ?? first
      if (when === undefined)
        throw new CliError('usage', 'When? Give a time, such as “in 20 min”, and what to tell the agent.')
      const words = at === undefined ? rest : [...(first === undefined ? [] : [first]), ...rest]
      const task = words.length === 1 && words[0] === '-' ? (await cli.readStdin()).trim() : words.join(' ').trim()
      if (task === '') throw new CliError('usage', 'An alarm needs words: say what to tell the agent.')
      return { session, when, task }
    },
    ask: async (calls, { session, when, task }) =>
      calls.addAlarm.mutate({ session, ...(await timesOf(calls, when)), task }),
  })
}

export function addEdit(parent: Command, cli: Cli): void {
  alarmCommand(parent, cli, {
    usage: 'edit <alarm>',
    takes: [whichAlarm],
    summary: 'another time or text',
    description:
      'Changes an alarm; what is left out stays. A new time makes a delivered one ring again. ' +
      'Of one that repeats, one time moves the next alone; “every …” changes all that is to come. ' +
      `One that is being delivered can’t be changed.\n\n${timesHint}`,
    options: [
      ['--at <when>', 'the new time'],
      ['--text <text>', 'what the agent is told'],
    ],
    examples: [
      ['onward alarm edit 3f2a91bc --at "tomorrow 9:00"', 'later'],
      ['onward alarm edit 3f2a91bc --text "check CI on main"', 'other words'],
    ],
    input(alarm: string, { at, text }: { at?: string; text?: string }) {
      if (at === undefined && text === undefined)
        throw new CliError('usage', 'What is to change? Give --at, --text, or both.')
      if (text?.trim() === '')
        throw new CliError('usage', 'An alarm needs words. To be rid of it: `onward alarm cancel`.')
      return { alarm, at, task: text }
    },
    ask: async (calls, { alarm, at, task }) =>
      calls.editAlarm.mutate({ alarm, ...(at === undefined ? {} : await timesOf(calls, at)), task }),
  })
}

export function addSnooze(parent: Command, cli: Cli): void {
  alarmCommand(parent, cli, {
    usage: 'snooze <alarm>',
    takes: [whichAlarm],
    summary: 'ring again in a while',
    description: 'The alarm rings again so long from now: also one that was delivered or missed.',
    options: [new Option('--for <span>', 'how long from now: 10m, 1h30, 2 days').default('10m')],
    examples: [
      ['onward alarm snooze 3f2a91bc', 'in ten minutes'],
      ['onward alarm snooze 3f2a91bc --for 1h', 'in an hour'],
    ],
    input: (alarm: string, { for: span }: { for: string }) => ({ alarm, minutes: minutesOf(span) }),
    ask: (calls, input) => calls.snoozeAlarm.mutate(input),
  })
}

/** Does it, and prints the alarm as it is now. */
export function alarmCommand<I>(
  parent: Command,
  cli: Cli,
  { ask, ...spec }: Omit<EngineCommand<AlarmView, I>, 'json' | 'say' | 'tell' | 'failed'>,
): void {
  engineCommand(parent, cli, {
    ...spec,
    ask: async (calls, input: I) => ({ alarm: await ask(calls, input), telling: await tellingOf(calls, cli) }),
    json: ({ alarm }) => alarm,
    say: ({ alarm, telling }) => alarmText(alarm, telling, cli),
  })
}

/** as the engine takes it: at most a week */
const mostMinutes = 7 * 24 * 60

function minutesOf(text: string): number {
  const plain = text.trim().toLowerCase()
  const said = /^\d+$/.test(plain)
    ? { kind: 'span' as const, months: 0, days: 0, ms: Number(plain) * 60_000 }
    : (readSpan(plain) ?? readSpan(`in ${plain}`))
  const minutes = said?.kind === 'span' && said.months === 0 ? Math.round(said.days * 24 * 60 + said.ms / 60_000) : NaN
  if (!(minutes >= 1 && minutes <= mostMinutes))
    throw new CliError('usage', `--for takes a time from a minute to a week, such as 10m or 1h30, not “${text}”.`)
  return minutes
}
