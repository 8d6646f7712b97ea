import { Option, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { engineLogFile } from '../../../hosts/engine-log.ts'
import { followFile, lastLines } from '../../output/follow-file.ts'
import { logLine } from '../../output/log-lines.ts'
import { wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

/** Reads the file and not the engine: the log is wanted most when the engine is dead. */
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
    const file = engineLogFile(placeOf(command, cli).home)
    const { style } = wordsOf(cli)
    const print = (line: string) => cli.out(`${wantsJson(command) ? line : logLine(line, style)}\n`)
    const tail = await lastLines(file, lines)
    if (!tail && !follow) throw new CliError('failed', `There is no log at ${file}: no engine ran for this home yet.`)
    for (const line of tail?.lines ?? []) print(line)
    if (follow) await followFile(file, tail, print, cli.untilInterrupted())
  })
}

function lineCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CliError('usage', `--lines takes a whole number from 1, not “${text}”.`)
  return Number(text)
}
