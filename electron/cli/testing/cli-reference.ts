/** docs/cli.md, written from the command tree and the exit codes: what `--help` says, as one page. */
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { loadCommands } from '../commands.ts'
import { withCommon } from '../common.ts'
import { exitCodes } from '../exit.ts'
import { createProgram } from '../program.ts'
import { wrapped } from './wrapped.ts'

const nothing: Pick<Cli, 'version' | 'tty'> = { version: '0', tty: { in: false, out: false, err: false, columns: 80 } }

const all = await loadCommands(null)

/** Only what describes the commands is asked for; none of them is run. */
export const describedProgram = (out: (text: string) => void = () => {}, groups = all): Command =>
  createProgram({ ...nothing, out } as Cli, groups)

export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : ''
export const withChildren = (command: Command): Command[] => [command, ...command.commands.flatMap(withChildren)]

export function cliReference(): string {
  let printed = ''
  const program = describedProgram((text) => {
    printed += text
  })
  const examplesOf = (command: Command): string[] => {
    printed = ''
    command.outputHelp()
    return [...printed.matchAll(/^ {2}(onward .*)$/gm)].map(([, line = '']) => line)
  }
  const shown = program.createHelp().visibleCommands(program)
  const groups = [...new Set(shown.map((command) => command.helpGroup()))]
  const inGroup = (group: string) => shown.filter((command) => command.helpGroup() === group)
  return [
    '# Command line',
    '<!-- Written by `npx vitest run electron/cli/cli-reference -u`. Change the commands, not this page. -->',
    wrapped(
      'This is what `--help` of each command says. Commands find ' +
        'the engine of a home, and start none unless they say so. ' +
        'What takes a person (approving a check, storing a key) asks at a terminal and has no option that answers.',
    ),
    ...groups.flatMap((group) => [
      `**${title(group)}**`,
      table(
        ['command', ''],
        inGroup(group).map((command) => [link(command), command.summary()]),
      ),
    ]),
    '## What every command takes',
    table(['option', ''], rowsOfOptions(program)),
    ...groups.flatMap((group) => [
      `## ${title(group)}`,
      ...inGroup(group).flatMap((command) =>
        withChildren(command).flatMap((one) => sectionOf(one, examplesOf(one)).filter((part) => part !== '')),
      ),
    ]),
    '## Exit codes',
    table(
      ['code', ''],
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
    ),
    'A started agent’s own exit code is passed on.',
  ]
    .join('\n\n')
    .concat('\n')
}

const title = (group: string): string => group.replace(/:$/, '')
const link = (command: Command): string => `[\`${command.name()}\`](#${pathOf(command).replaceAll(' ', '-')})`

function sectionOf(command: Command, examples: readonly string[]): string[] {
  const help = command.createHelp()
  const usage = `onward ${help.commandUsage(command).replace(/^(?:onward )+/, '')}`.replace(' [options]', '')
  return [
    `### ${pathOf(command)}`,
    ['```', usage, '```'].join('\n'),
    ...help.commandDescription(command).split('\n').map(wrapped),
    table(
      ['argument', ''],
      command.registeredArguments.map((one) => [`\`${help.argumentTerm(one)}\``, help.argumentDescription(one)]),
    ),
    table(['option', ''], rowsOfOptions(command)),
    examples.map((line) => `    ${line.replace(/(\S {2,})(?=\S)/, '$1# ')}`).join('\n'),
  ]
}

/** Those that every command has stand once, with the program itself. */
function rowsOfOptions(command: Command): string[][] {
  const help = command.createHelp()
  const common = withCommon(command.createCommand()).options.map(({ long }) => long)
  return help
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || (!common.includes(long) && long !== '--help'))
    .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)])
}

/** Empty without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  if (rows.length === 0) return ''
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
