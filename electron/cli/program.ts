/** The command tree, of the commands that were loaded. */
import { Command, type Argument } from 'commander'
import type { Cli } from './cli.ts'
import type { CommandGroup } from './commands.ts'
import { withCommon } from './common.ts'
import { exitCodes } from './exit.ts'

export function createProgram(cli: Cli, groups: readonly CommandGroup[]): Command {
  const program = new Command('onward')
    .description('Keeps coding agents going: types the next message when a turn ends.')
    .usage('[command] [options]')
    .version(cli.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError('Run it with --help to see how it works.')
    .exitOverride()
    .configureHelp({
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(humanReadableArgument)].join(' '),
    })
    .configureOutput({
      writeOut: (text) => cli.out(text),
      writeErr: (text) => cli.err(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'onward: ')),
      getOutHelpWidth: () => (cli.tty.out ? cli.tty.columns : 100),
      getErrHelpWidth: () => (cli.tty.err ? cli.tty.columns : 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  withCommon(program)
  for (const { heading, adds } of groups) {
    program.commandsGroup(heading)
    for (const add of adds) add(program, cli)
  }
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) refuseUnknown(group)
  return program.addHelpText(
    'after',
    `\nEvery command has --help with examples. Without a command: onward start.\n\nExit codes:\n${exitCodeTable()}`,
  )
}

/**
 * A word after a group is one of its commands; commander takes it for an argument where the group itself has an action.
 */
function refuseUnknown(group: Command): void {
  const refuse = (word: string) => {
    if (word === 'help') group.help()
    // not among its types: says which command is meant, where one is nearly called so
    ;(group as unknown as { unknownCommand(): void }).unknownCommand()
  }
  group.on('command:*', ([word]: string[]) => refuse(word ?? ''))
  if (group.registeredArguments.length > 0) return
  group.allowExcessArguments(true).hook('preAction', (_group, acting) => {
    if (acting === group && group.args[0] !== undefined) refuse(group.args[0])
  })
}

/** As commander writes them; `[options]`, which every command has, is left out. */
function humanReadableArgument(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

const exitCodeTable = (): string =>
  Object.values(exitCodes)
    .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
    .join('\n')
