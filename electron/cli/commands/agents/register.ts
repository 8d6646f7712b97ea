import { Option, type Command } from 'commander'
import type { LaunchPlan } from '../../../../shared/operations/terminals.ts'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { currentPane } from '../../launch/detect-place.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

interface Options {
  client: ClientKind
  daemonId?: string
  name?: string
  export?: boolean
}

export function addRegister(program: Command, cli: Cli): void {
  const command = program
    .command('register')
    .summary('make a program started by hand known')
    .description(
      'Registers this tmux pane, or with --daemon-id a program without a ' +
        'terminal, and prints the environment that points a program at Onward.',
    )
    .addOption(new Option('--client <kind>', 'what runs there').choices(clientKinds).default('other'))
    .option('--daemon-id <id>', 'identity that stays when the program is started again')
    .option('--name <name>', 'name in the lists')
    .option('--export', 'print shell `export` lines')
  examples(withCommon(command), [
    ['eval "$(onward register --export)"', 'this pane, for the programs started in it'],
    ['onward register --daemon-id build-bot --json', 'a program without a terminal'],
  ])
  command.action(async () => {
    const { client, daemonId, name, export: asExport } = command.opts<Options>()
    const pane = await currentPane(cli.env)
    const plan = await withEngine(placeOf(command, cli), (calls) =>
      calls.registerTerminal.mutate({
        client,
        args: [],
        cwd: cli.cwd,
        name,
        daemonId,
        place: pane ?? { kind: 'none' },
      }),
    )
    if (wantsJson(command)) return printJson(cli, plan)
    if (asExport) return cli.out(exportLines(plan))
    const { style } = wordsOf(cli)
    cli.out(
      `${style.shape('working', '●')} Registered ` +
        `${pane ? `this tmux pane, ${pane.paneId}` : 'a program without a terminal: nothing will be typed for it'}` +
        ` ${style.quiet(plan.terminalId)}\n`,
    )
    cli.out(`Take over its environment: ${style.strong('eval "$(onward register --export)"')}\n`)
  })
}

const exportLines = (plan: LaunchPlan): string =>
  Object.entries(plan.env)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('')
