/** docs/cli.md, written from the command tree and the exit codes: what `--help` says, as one page. */
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { loadCommands } from '../commands.ts'
import {
  argumentsOf,
  descriptionOf,
  examplesOf,
  commandsUnder,
  headingsOf,
  optionsOf,
  pathOf,
  titleOf,
  usageOf,
  withChildren,
  type Described,
} from '../described.ts'
import { exitCodes } from '../exit.ts'
import { createProgram } from '../program.ts'
import { wrapped } from './wrapped.ts'

const nothing: Pick<Cli, 'version' | 'tty'> = { version: '0', tty: { in: false, out: false, err: false, columns: 80 } }

const all = await loadCommands(null)

/** Only what describes the commands is asked for; none of them is run. */
export const describedProgram = (groups = all): Command =>
  createProgram({ ...nothing, out: () => {} } as unknown as Cli, groups)

export function cliReference(): string {
  const program = describedProgram()
  const groups = headingsOf(program)
  const inGroup = (group: string) => commandsUnder(program, group)
  return [
    '# Command line',
    '<!-- Written by `npx vitest run electron/cli/cli-reference -u`. Change the commands, not this page. -->',
    wrapped(
      'This is what `--help` of each command says. Commands find ' +
        'the engine of a home, and start none unless they say so. ' +
        'What takes a person (approving a check, storing a key) asks at a terminal and has no option that answers.',
    ),
    ...groups.flatMap((group) => [
      `**${titleOf(group)}**`,
      table(
        ['command', ''],
        inGroup(group).map((command) => [link(command), command.summary()]),
      ),
    ]),
    '## What every command takes',
    table(['option', ''], rows(optionsOf(program))),
    ...groups.flatMap((group) => [
      `## ${titleOf(group)}`,
      ...inGroup(group).flatMap((command) =>
        withChildren(command).flatMap((one) => sectionOf(one).filter((part) => part !== '')),
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

const link = (command: Command): string => `[\`${command.name()}\`](#${pathOf(command).replaceAll(' ', '-')})`
const rows = (described: readonly Described[]): string[][] => described.map(([term, what]) => [`\`${term}\``, what])

const sectionOf = (command: Command): string[] => [
  `### ${pathOf(command)}`,
  ['```', usageOf(command), '```'].join('\n'),
  ...descriptionOf(command).map(wrapped),
  table(['argument', ''], rows(argumentsOf(command))),
  table(['option', ''], rows(optionsOf(command))),
  examplesOf(command)
    .map((line) => `    ${line}`)
    .join('\n'),
]

/** Empty without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  if (rows.length === 0) return ''
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
