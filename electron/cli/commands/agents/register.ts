import { Option, type Command } from 'commander'
import type { LaunchPlan } from '../../../../shared/operations/terminals.ts'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { currentPane } from '../../launch/detect-place.ts'

interface Options {
  client: ClientKind
  daemonId?: string
  name?: string
  export?: boolean
}

export function addRegister(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'register',
    hereOnly: true,
    summary: 'make a program started by hand known',
    description:
      'Registers this tmux pane, or with --daemon-id a program without a ' +
      'terminal, and prints the environment that points a program at Onward.',
    options: [
      new Option('--client <kind>', 'what runs there').choices(clientKinds).default('other'),
      ['--daemon-id <id>', 'identity that stays when the program is started again'],
      ['--name <name>', 'name in the lists'],
      ['--export', 'print shell `export` lines'],
    ],
    examples: [
      ['eval "$(onward register --export)"', 'this pane, for the programs started in it'],
      ['onward register --daemon-id build-bot --json', 'a program without a terminal'],
    ],
    input: async (options: Options) => ({ ...options, pane: await currentPane(cli.env) }),
    ask: (calls, { client, daemonId, name, pane }) =>
      calls.registerTerminal.mutate({
        client,
        args: [],
        cwd: cli.cwd,
        name,
        daemonId,
        place: pane ?? { kind: 'none' },
      }),
    say: (plan, { style }, { export: asExport, pane }) =>
      asExport
        ? exportLines(plan)
        : `${style.shape('working', '●')} Registered ` +
          `${pane ? `this tmux pane, ${pane.paneId}` : 'a program without a terminal: nothing will be typed for it'}` +
          ` ${style.quiet(plan.terminalId)}\n` +
          `Take over its environment: ${style.strong('eval "$(onward register --export)"')}\n`,
  })
}

const exportLines = (plan: LaunchPlan): string =>
  Object.entries(plan.env)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('')
