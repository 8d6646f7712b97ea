/** Times of alarms: read by the engine, which knows its zone, and shown as exact instants. */
import type { AlarmView, ReadTime } from '../../../../shared/alarms/alarms.ts'
import { repeatLimits, type RepeatRequest } from '../../../../shared/alarms/repeat.ts'
import { figuresOf, type Sentences } from '../../../../shared/sentences/index.ts'
import type { Language } from '../../../../shared/words.ts'
import { nowFacts } from '../../../engine/base/clock.ts'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { CliError } from '../../exit.ts'
import { countdown, shortId } from '../../output/alarm-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { facts } from '../../output/columns.ts'
import { wordsOf } from '../../output/print.ts'

/** longer is no time, and the engine takes no more */
const mostLetters = 500

/** One time. @throws CliError `usage` when no time is found in it, it is over, or it repeats */
export async function instantOf(calls: ControlCalls, when: string): Promise<number> {
  const { dueAt, repeat } = await timesOf(calls, when)
  if (repeat)
    throw new CliError('usage', `“${oneLine(when.slice(0, 80))}” comes again and again, and one time is wanted here.`)
  return dueAt
}

/** One time, or how it repeats. @throws CliError `usage` when no time is found in it, or it is over */
export async function timesOf(calls: ControlCalls, when: string): Promise<{ dueAt: number; repeat?: RepeatRequest }> {
  const said = `“${oneLine(when.slice(0, 80))}”`
  const read: ReadTime =
    when.length > mostLetters
      ? { ok: false, code: 'unread', at: null, part: when.slice(0, 80), why: 'unknown' }
      : await calls.readTime.query(when)
  if (read.ok) return { dueAt: read.at, ...(read.repeat ? { repeat: read.repeat.wish } : {}) }
  if (read.code === 'past')
    throw new CliError(
      'usage',
      `${said} is over${read.at === null ? '' : `: that was ${nowFacts(read.at, await zoneOf(calls)).local}`}` +
        '. An alarm needs a time to come.',
    )
  throw new CliError('usage', read.code === 'empty' ? 'No time was given.' : unreadText(said, read), {
    hint:
      'Try “in 20 min”, “tomorrow 9:00”, “fri 5pm New York” or ' +
      '“2026-12-01 18:30”; several words are one argument in quotes.',
  })
}

function unreadText(said: string, { part, why }: Extract<ReadTime, { code: 'unread' }>): string {
  const where = `“${oneLine(part)}”`
  switch (why) {
    case 'two-readings':
      return `${where} in ${said} means two things.`
    case 'vague':
      return `${where} in ${said} is no exact time.`
    case 'repeats':
      return (
        `${where} in ${said} can't be repeated: say “every day at ` +
        '9”, “every weekday 9:30”, “every monday”, “every 2 hours”.'
      )
    case 'too-often':
      return (
        `${where} in ${said} is too often: an alarm comes again ` +
        `every ${repeatLimits.shortestMs / 60_000} minutes at most.`
      )
    case 'too-many':
      return (
        `${where} in ${said} is too many: an alarm comes ` +
        `${repeatLimits.mostTimes} times at most, and within a year.`
      )
    case 'ends-before':
      return `${where} in ${said} is before its first time.`
    case 'unknown':
      return where === said ? `No time is found in ${said}.` : `${where} in ${said} is not understood.`
  }
}

const zoneOf = async (calls: ControlCalls): Promise<string> => (await calls.alarms.query()).zone

/** Everything that is needed to put an alarm into words. */
export interface AlarmTelling {
  zone: string
  language: Language
  sentences: Sentences
}

export async function tellingOf(calls: ControlCalls, cli: Cli): Promise<AlarmTelling> {
  const [zone, { language }] = await Promise.all([zoneOf(calls), calls.status.query()])
  return { zone, language, sentences: await cli.parts.sentencesOf(language) }
}

/** An alarm that was set or changed, with the exact instant. */
export function alarmText(alarm: AlarmView, { zone, language, sentences }: AlarmTelling, cli: Cli): string {
  const { style } = wordsOf(cli)
  const figures = figuresOf(language, zone)
  const rings = countdown(alarm, figures, cli.now())
  return `${style.shape('done', '✓')} Rings ${rings}: ${style.strong(oneLine(alarm.task))}\n${facts(
    [
      ['At', `${nowFacts(alarm.dueAt, zone).local}, ${zone}`],
      ...(alarm.repeat ? [['Repeats', sentences.repeat({ ...alarm.repeat, shownIn: zone })] as const] : []),
      ['Session', alarm.sessionName],
      ['Id', shortId(alarm.taskId)],
    ],
    style.quiet,
  )}`
}
