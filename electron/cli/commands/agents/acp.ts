import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { agentEntries, start } from './agents.ts'

export function addAcp(program: Command, cli: Cli): void {
  const command = withCommon(
    program
      .command('acp')
      .summary('an agent for an editor that speaks ACP')
      .description(
        'Stands between an editor that speaks the Agent Client Protocol and its agent, on stdin and stdout, so that ' +
          'goals, alarms and recovery work there. The editor starts it in place of the agent.',
      )
      .argument('<command...>', 'the agent and its arguments')
      .passThroughOptions()
      .allowUnknownOption()
      .option('--name <name>', 'name in the lists')
      .option('--direct', 'start it without Onward when there is no engine'),
  )
  examples(command, [
    ['onward acp -- gemini --acp', 'Gemini CLI'],
    ['onward acp -- opencode acp', 'opencode'],
  ])
  command.action(async ([name, ...args]: string[]) => {
    if (name === undefined) throw new CliError('usage', '`onward acp` needs an agent: onward acp -- gemini --acp')
    const known = agentEntries.find((entry) => entry.program === basename(name))
    await start(command, cli, {
      client: known?.client ?? 'other',
      program: name,
      args,
      install: known?.install ?? `Check the name: ${oneLine(basename(name))}.`,
      acp: true,
    })
  })
}
