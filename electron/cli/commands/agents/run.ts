import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { passingThrough, start } from './agents.ts'

export function addRun(program: Command, cli: Cli): void {
  const command = passingThrough(
    program
      .command('run')
      .summary('start any program here, pointed at Onward')
      .description(
        'Starts any program that speaks to OpenAI or Anthropic, with ' +
          'the base URLs and a key of its own in its environment.',
      )
      .argument('[command...]', 'the program and its arguments'),
  )
  examples(command, [
    ['onward run -- python agent.py', 'a program of your own'],
    ['onward run --name nightly -- ./agent --all', 'with a name in the lists'],
  ])
  command.action(async (words: string[]) => {
    const [program, ...args] = words
    if (command.opts<{ help?: boolean }>().help) return command.outputHelp()
    if (program === undefined)
      throw new CliError('usage', '`onward run` needs a command: onward run -- python agent.py')
    await start(command, cli, {
      client: 'other',
      program,
      args,
      install: `Check the name: ${oneLine(basename(program))}.`,
    })
  })
}
