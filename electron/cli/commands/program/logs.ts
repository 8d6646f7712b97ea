import { Option, type Command } from 'commander'
import type { LogPage } from '../../../../shared/log-page.ts'
import { pause, systemClock } from '../../../engine/base/clock.ts'
import { engineLogFile } from '../../../hosts/engine-log.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { followFile, lastLines } from '../../output/follow-file.ts'
import { wordsOf } from '../../output/print.ts'
import type { Style } from '../../output/style.ts'
import { engineOf, wantsJson, type EnginePlace } from '../../place.ts'

/** Here the file is read and not the engine: the log is wanted most when the engine is dead. */
export function addLogs(program: Command, cli: Cli): void {
  const command = program
    .command('logs')
    .summary('the engine’s log')
    .description('The engine’s log, also when none runs. It never holds prompts, texts or keys.')
    .option('-f, --follow', 'go on until Ctrl C')
    .addOption(new Option('-n, --lines <N>', 'this many lines from the end').default(50).argParser(lineCount))
  examples(withCommon(command), [
    ['onward logs', 'the last 50 lines'],
    ['onward logs -f', 'and what comes'],
    ['onward logs --json -n 1000 | jq', 'as it was written'],
  ])
  command.action(async () => {
    const { follow, lines } = command.opts<{ follow?: boolean; lines: number }>()
    const { style } = wordsOf(cli)
    const print = (line: string) => cli.out(`${wantsJson(command) ? line : logLine(line, style)}\n`)
    const place = engineOf(command, cli)
    if (place.machine) return printThere(place, { lines, until: follow ? cli.untilInterrupted() : null }, print)
    const file = engineLogFile(place.home)
    const tail = await lastLines(file, lines)
    if (!tail && !follow) throw new CliError('failed', `There is no log at ${file}: no engine ran for this home yet.`)
    for (const line of tail?.lines ?? []) print(line)
    if (follow) await followFile(file, tail, print, cli.untilInterrupted())
  })
}

const everyMs = 500

/** Its engine reads it; without one there is nobody to ask. @param until null: what is there now is all */
async function printThere(
  place: EnginePlace,
  { lines, until }: { lines: number; until: AbortSignal | null },
  print: (line: string) => void,
): Promise<void> {
  await withEngine(place, async (calls) => {
    let cursor: string | null = null
    do {
      // a page of the engine's has ten thousand lines at most
      const page: LogPage = await calls.logPage.query({ cursor, lines: Math.min(lines, 10_000) })
      cursor = page.cursor
      for (const line of page.lines) print(line)
      if (until) await pause(systemClock(), everyMs, until)
    } while (until && !until.aborted)
  })
}

function lineCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CliError('usage', `--lines takes a whole number from 1, not “${text}”.`)
  return Number(text)
}

// The engine's log (pino, one JSON object per line) for people.

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const notShown = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'stack'])

export function logLine(line: string, style: Style): string {
  const entry = entryOf(line)
  if (!entry) return oneLine(line)
  const level =
    typeof entry.level === 'number' ? (levels[entry.level] ?? String(entry.level)) : String(entry.level ?? '')
  const shape = level === 'error' || level === 'fatal' ? 'failed' : level === 'warn' ? 'needs' : 'idle'
  const time = typeof entry.time === 'number' ? new Date(entry.time).toISOString().slice(11, 23) : ''
  const fields = Object.entries(entry)
    .filter(([name]) => !notShown.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
  return [
    style.quiet(time),
    style.shape(shape, level.padEnd(5)),
    oneLine(String(entry.msg ?? '')),
    style.quiet(oneLine(fields)),
  ]
    .filter(Boolean)
    .join(' ')
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
