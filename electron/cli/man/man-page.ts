/** `onward.1`, written from the command tree and the exit codes, in the macros of man(7): every `man` has them. */
import type { Command } from 'commander'
import {
  argumentsOf,
  descriptionOf,
  examplesOf,
  commandsUnder,
  headingsOf,
  optionsOf,
  titleOf,
  usageOf,
  withChildren,
  type Described,
} from '../described.ts'
import { exitCodes } from '../exit.ts'
import { bold, prose, roff } from './roff.ts'

const files: readonly Described[] = [
  ['~/.onward', 'the home, in which Onward keeps everything'],
  ['~/.onward/config.json', 'the config: providers, routes, tools, notifications'],
  ['~/.onward/logs/engine.log', 'the engine’s log'],
]

/** as docs/configuration.md has them */
export const variables: readonly Described[] = [
  ['ONWARD_HOME', 'where Onward keeps everything, instead of `~/.onward`'],
  ['ONWARD_PORT', 'the engine’s port, instead of 5520 or the config’s'],
  ['ONWARD_KEYCHAIN', '`0`: the system’s keychain is not asked'],
  ['ONWARD_TRAY', '`1` or `0`: the desktop shows tray icons or not, where it can’t be asked'],
  [
    'ONWARD_LOG_LEVEL, ONWARD_DEBUG',
    '`debug`: more in the engine’s log; `1`: where an error of the command line comes from',
  ],
]

export interface ManPage {
  version: string
  /** epoch milliseconds */
  now: number
}

/** @param program with all commands; their help is not printed any more afterwards */
export function manPage(program: Command, { version, now }: ManPage): string {
  const description = program.description()
  const commandsOf = (heading: string) => commandsUnder(program, heading).flatMap(withChildren)
  return [
    `.TH ONWARD 1 ${new Date(now).toISOString().slice(0, 10)} "Onward ${roff(version)}" "User Commands"`,
    '.SH NAME',
    `onward \\- ${roff(`${description.charAt(0).toLowerCase()}${description.slice(1)}`.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B onward',
    '.RI [ command ]\n.RI [ options ]',
    '.SH DESCRIPTION',
    prose(
      'Onward is a local LLM proxy for coding agents. Their model calls go through it, so it knows when a turn has ' +
        'ended with nothing left to do. Then it types the next message into the agent’s terminal: as often as you ' +
        'said, or until a reviewer finds your goal reached.',
    ),
    '.PP',
    prose(
      'Without a command it is `onward start`. Commands find the engine of a home, and start none unless they ' +
        'say so. `onward <command> --help` says what stands here.',
    ),
    '.SH OPTIONS',
    prose('Every command takes these, but for `-V`.'),
    list(optionsOf(program)),
    '.SH COMMANDS',
    ...headingsOf(program).flatMap((heading) => [
      `.SS ${roff(titleOf(heading))}`,
      ...commandsOf(heading).map(commandPart),
    ]),
    '.SH EXIT STATUS',
    list(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning])),
    '.PP',
    prose('A started agent’s own exit code is passed on.'),
    '.SH ENVIRONMENT',
    list(variables),
    '.SH FILES',
    list(files),
    '.SH SEE ALSO',
    '.BR tmux (1)',
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n')
}

const list = (described: readonly Described[]): string =>
  described.map(([term, what]) => `.TP\n${bold(term)}\n${prose(what)}`).join('\n')

function commandPart(command: Command): string {
  const [first = '', ...others] = descriptionOf(command)
  const described = list([...argumentsOf(command), ...optionsOf(command)])
  const examples = examplesOf(command).map(roff)
  return [
    `.TP\n${bold(usageOf(command))}\n${prose(first)}`,
    ...others.map((paragraph) => `.IP\n${prose(paragraph)}`),
    described && `.RS\n${described}\n.RE`,
    examples.length > 0 && `.IP\n.nf\n${examples.join('\n')}\n.fi`,
  ]
    .filter(Boolean)
    .join('\n')
}
