import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { reportText } from '../../output/report-text.ts'

export function addReport(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'report',
    summary: 'what happened while you were away',
    description:
      'What happened since a time, 18:00 of the day before where none is given: for each session what it was asked, ' +
      'what it claims and what its checks say, how long it worked and why not, what changed and what it cost, and ' +
      'what it needs now; then outages, limits, stalls, and who went on.',
    options: [['--since <when>', 'as in 8h, 90min, 22:00, yesterday, “yesterday 18:00” or 2026-11-27T22:00']],
    examples: [
      ['onward report', 'since yesterday 18:00'],
      ['onward report --since 22:00', 'since it was last 22:00'],
      ['onward report --since 8h --json | jq .outages', 'for programs'],
    ],
    input: ({ since }: { since?: string }) => (since === undefined ? null : readSince(since, cli.now())),
    ask: (calls, from) => calls.report.query(from),
    tell: (report, { sentences, ...words }) => reportText(report, words, sentences),
  })
}

const unitMs = { m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A time that is over, by this machine's clock and calendar. @throws CliError `usage` */
export function readSince(text: string, now: number): number {
  const at = instantOf(text.trim().toLowerCase(), now)
  const said = `“${oneLine(text.slice(0, 80))}”`
  if (at === null)
    throw new CliError('usage', `${said} is no time to begin with.`, {
      hint: 'Try 8h, 90min, 2d, 22:00, yesterday, “yesterday 18:00” or 2026-11-27T22:00.',
    })
  if (at < 0 || at >= now) throw new CliError('usage', `${said} is not over: a report begins in the past.`)
  return at
}

function instantOf(text: string, now: number): number | null {
  const [, count, unit] = /^(\d{1,4}) ?(m|min|h|d)$/.exec(text) ?? []
  if (unit === 'm' || unit === 'min' || unit === 'h' || unit === 'd') return now - Number(count) * unitMs[unit]
  const [, day, hour, minute] = /^(today|yesterday)?(?:(?:^| )(\d{1,2}):(\d{2}))?$/.exec(text) ?? []
  if (text !== '' && (day !== undefined || hour !== undefined)) {
    const [h, m] = [Number(hour ?? 0), Number(minute ?? 0)]
    if (h > 23 || m > 59) return null
    const date = new Date(now)
    if (day === 'yesterday') date.setDate(date.getDate() - 1)
    date.setHours(h, m, 0, 0)
    // A time alone is the last one there was.
    if (day === undefined && date.getTime() >= now) date.setDate(date.getDate() - 1)
    return date.getTime()
  }
  if (!/^\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  // Without a time it would be read as midnight in UTC.
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(at) ? null : at
}
