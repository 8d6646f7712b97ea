/** One run of the command line: words in, exit code out. */
import { CommanderError } from 'commander'
import { messageOf, OnwardError } from '../engine/base/errors.ts'
import { whyFailed } from '../engine/store/store-failed.ts'
import type { Cli } from './cli.ts'
import { loadCommands } from './commands.ts'
import { CliError, EndsWell, exitCodes, exitOf } from './exit.ts'
import { asCalled, quotedAsCalled } from './own-lines.ts'
import { createProgram } from './program.ts'

/** Never rejects. */
export async function run(words: readonly string[], io: Omit<Cli, 'exitWith'>): Promise<number> {
  let status = 0
  const cli: Cli = {
    ...io,
    exitWith: (code) => {
      status = code
    },
  }
  try {
    const given = withCommand(words)
    const program = createProgram(cli, await loadCommands(given[commandAt(given)] ?? null))
    await program.parseAsync(given, { from: 'user' })
    return status
  } catch (error) {
    return reportFailure(error, words, cli)
  }
}

/** Options of the program that may stand alone before `start` is meant. */
const aloneWithValue = new Set(['--home', '--port', '--on'])

/** No command means `start`; `--help` and `--version` are the program's, and `help` means `--help` of what follows. */
function withCommand(words: readonly string[]): string[] {
  const at = commandAt(words)
  if (at === words.length) return ['start', ...words]
  return words[at] === 'help' ? [...words.toSpliced(at, 1), '--help'] : [...words]
}

/** Returns the index of the first word after the options that stand before a command, or the number of words. */
function commandAt(words: readonly string[]): number {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (aloneWithValue.has(word)) i++
    else if (!/^--(json|home=.*|port=.*|on=.*)$/.test(word)) return i
  }
  return words.length
}

function reportFailure(error: unknown, words: readonly string[], cli: Cli): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code
  // what follows `--` is another program's
  const ours = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined)
  if (error instanceof EndsWell) {
    cli.out(ours.includes('--json') ? `${JSON.stringify(error.json, null, 2)}\n` : error.said)
    return exitCodes.ok.code
  }
  const code = exitOf(error)
  const message = sentenceOf(error)
  if (ours.includes('--json')) {
    cli.err(
      JSON.stringify({
        error: { code: OnwardError.isInstance(error) ? error.code : 'internal', message, exit: code },
      }) + '\n',
    )
    return code
  }
  cli.err(`onward: ${quotedAsCalled(message, cli.command())}\n`)
  if (error instanceof CliError && error.hint !== null) cli.err(`${asCalled(error.hint, cli.command())}\n`)
  // not ours: a fault of the program, so where it happened is of use
  if (!OnwardError.isInstance(error) && error instanceof Error && cli.env.ONWARD_DEBUG)
    cli.err(`${error.stack ?? ''}\n`)
  return code
}

/** The system's own text on a file is for programmers. */
const sentenceOf = (error: unknown): string =>
  !OnwardError.isInstance(error) && error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? `${error.path} can’t be used: ${whyFailed(error)}.`
    : messageOf(error)
