import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { parseRounds } from '../sessions/stop-message.ts'
import { agentEntries, passingThrough, start } from './agents.ts'

interface Options {
  headless?: boolean
  goal?: string
  /** Infinity: unbounded */
  rounds?: number
  review: boolean
  check: readonly string[]
  junit?: string
  summary?: string
  name?: string
  help?: boolean
}
/** without it they would do nothing */
const ofHeadless = ['goal', 'rounds', 'check', 'junit', 'summary'] as const

export function addRun(program: Command, cli: Cli): void {
  const command = passingThrough(
    program
      .command('run')
      .summary('start any program here, pointed at Onward')
      .description(
        'Starts any program that speaks to OpenAI or Anthropic, with ' +
          'the base URLs and a key of its own in its environment.\n' +
          'With --headless an agent is kept going without a terminal, as in CI: it is run once for each message, in ' +
          'one conversation, until its goal is reached. All that it prints goes through; a summary follows on stderr.',
      )
      .argument('[command...]', 'the program and its arguments')
      .addOption(
        new Option('--headless', 'keep an agent going that prints and ends: claude -p, codex exec, …').conflicts([
          'tmux',
          'direct',
        ]),
      )
      .option('--goal <text>', 'what has to be true in the end; else what markers in the prompt say')
      .addOption(new Option('--rounds <N>', 'at most so many rounds: a number, or `unbounded`').argParser(parseRounds))
      .option('--no-review', 'the goal’s own text is said each time')
      .addOption(
        new Option('--check <check>', 'has to pass: one of .onward.json by its name, or a command; it is let run')
          .argParser((value: string, before: readonly string[]) => [...before, value])
          .default([], 'none'),
      )
      .option('--junit <file>', 'write goal and checks as JUnit XML')
      .option('--summary <file>', 'write rounds, checks and cost as JSON'),
  )
  examples(command, [
    ['onward run -- python agent.py', 'a program of your own'],
    ['onward run --name nightly -- ./agent --all', 'with a name in the lists'],
    ['onward run --headless --goal "npm test passes" -- claude -p "Fix the tests."', 'in CI'],
    ['onward run --headless --check tests --junit onward.xml -- codex exec "Fix it."', 'with a check and a report'],
  ])
  command.action(async (words: string[]) => {
    const [program, ...args] = words
    const options = command.opts<Options>()
    if (options.help) return command.outputHelp()
    if (program === undefined)
      throw new CliError('usage', '`onward run` needs a command: onward run -- python agent.py')
    const install = `Check the name: ${oneLine(basename(program))}.`
    if (options.headless) return headless(command, { program, args, install }, cli)
    const idle = ofHeadless.find((name) => options[name] !== undefined && String(options[name]) !== '')
    if (idle) throw new CliError('usage', `--${idle} goes with --headless.`)
    await start(command, cli, { client: 'other', program, args, install })
  })
}

async function headless(
  command: Command,
  { program, args, install }: { program: string; args: readonly string[]; install: string },
  cli: Cli,
): Promise<void> {
  const { goal, rounds, review, check, junit, summary, name } = command.opts<Options>()
  const entry = agentEntries.find((one) => one.program === basename(program))
  if (goal === undefined && rounds !== undefined) throw new CliError('usage', '--rounds goes with --goal.')
  const { runHeadless } = await import('../../headless/run-headless.ts')
  await runHeadless(
    {
      client: entry?.client ?? 'other',
      program,
      args,
      install: entry?.install ?? install,
      name,
      place: placeOf(command, cli),
      goal: goal === undefined ? null : { text: goal, review, rounds: rounds === Infinity ? null : rounds },
      checks: check,
      junit,
      summary,
      json: wantsJson(command),
    },
    cli,
  )
}
