/** Times of alarms: read by the engine, which knows its zone, and told back as exact instants. */
import type { AlarmView, ReadTime } from '../../../shared/alarms.ts'
import { figuresOf } from '../../../shared/sentences/index.ts'
import type { Language } from '../../../shared/words.ts'
import { nowFacts } from '../../engine/base/now-facts.ts'
import type { Cli } from '../cli.ts'
import type { ControlCalls } from '../client.ts'
import { CliError } from '../exit.ts'
import { countdown, shortId } from '../output/alarm-rows.ts'
import { oneLine } from '../output/clean.ts'
import { facts } from '../output/columns.ts'
import { wordsOf } from '../output/print.ts'

/** since the time was read: “in 20 min” is not to be told as 19 */
const momentMs = 2_000
/** longer is no time, and the engine takes no more */
const mostLetters = 500

/** @throws CliError `usage` when no time is found in it, or it is over */
export async function instantOf(calls: ControlCalls, when: string): Promise<number> {
  const said = `“${oneLine(when.slice(0, 80))}”`
  const read: ReadTime =
    when.length > mostLetters ? { ok: false, code: 'unread', at: null } : await calls.readTime.query(when)
  if (read.ok) return read.at
  if (read.code === 'past')
    throw new CliError(
      'usage',
      `${said} is over${read.at === null ? '' : `: that was ${nowFacts(read.at, await zoneOf(calls)).local}`}. An alarm needs a time to come.`,
    )
  throw new CliError('usage', read.code === 'empty' ? 'No time was given.' : `No time is found in ${said}.`, {
    hint: 'Try “in 20 min”, “tomorrow 9:00”, “mon 10:00” or “2026-12-01 18:30”; several words are one argument in quotes.',
  })
}

const zoneOf = async (calls: ControlCalls): Promise<string> => (await calls.alarms.query()).zone

/** What has to be known to tell an alarm in words. */
export async function tellingOf(calls: ControlCalls): Promise<{ zone: string; language: Language }> {
  const [zone, { language }] = await Promise.all([zoneOf(calls), calls.status.query()])
  return { zone, language }
}

/** An alarm that was set or changed, with the exact instant. */
export function alarmText(
  alarm: AlarmView,
  { zone, language }: { zone: string; language: Language },
  cli: Cli,
): string {
  const { style } = wordsOf(cli)
  const figures = figuresOf(language, zone)
  return `${style.shape('done', '✓')} Rings ${countdown(alarm, figures, cli.now() - momentMs)}: ${style.strong(oneLine(alarm.task))}\n${facts(
    [
      ['At', `${nowFacts(alarm.dueAt, zone).local}, ${zone}`],
      ['Session', alarm.sessionName],
      ['Id', shortId(alarm.taskId)],
    ],
    style.quiet,
  )}`
}
