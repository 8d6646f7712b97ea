/** Commands that operations declare themselves (shared/operations). */
import type { Command } from 'commander'
import { operations } from '../../shared/operations/index.ts'
import type { AnyOperation, Operations } from '../../shared/operations/operation.ts'
import type { Cli } from './cli.ts'
import type { ControlCalls } from './client.ts'
import { engineCommand } from './command.ts'
import { oneLine } from './output/clean.ts'

const pathOf = (usage: string): string[] => usage.split(' ').filter((word) => /^[a-z]/.test(word))

const plainIn = (table: Operations) =>
  Object.entries(table).flatMap(([name, { kind, commands = [] }]) =>
    commands.map((command) => ({ name, kind, command, path: pathOf(command.usage) })),
  )
type Plain = ReturnType<typeof plainIn>[number]

/** Those that stand beside the others in `--help`, with the heading they are under. */
export const plainCommands = (table: Operations = operations): readonly { name: string; heading: string }[] =>
  plainIn(table).flatMap(({ path, command }) =>
    path.length === 1 ? [{ name: path[0] ?? '', heading: command.heading ?? 'Onward:' }] : [],
  )

/** Adds the one of this name to the program. */
export function addPlain(program: Command, cli: Cli, name: string, table: Operations = operations): void {
  for (const one of plainIn(table)) if (one.path.length === 1 && one.path[0] === name) add(program, cli, one)
}

/** Adds those that stand below a command. */
export function addPlainBelow(command: Command, cli: Cli, table: Operations = operations): void {
  for (const one of plainIn(table)) if (one.path.length === 2 && one.path[0] === command.name()) add(command, cli, one)
}

function add(parent: Command, cli: Cli, { name, kind, command }: Plain): void {
  engineCommand<unknown, unknown>(parent, cli, {
    ...command,
    input: (...words: (string | undefined)[]) => command.input(...words.slice(0, -1)),
    ask: (calls, input) => askByName(calls, name, kind, input),
    say: (answer, { style }, input) => command.say(answer, { ...style, clean: oneLine }, input),
  })
}

/** The table of operations holds name and input together, which the type of a client by name can't. */
export function askByName(
  calls: ControlCalls,
  name: string,
  kind: AnyOperation['kind'],
  input: unknown,
): Promise<unknown> {
  const procedure = (calls as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[name]
  return procedure?.[kind === 'query' ? 'query' : 'mutate']?.(input) ?? Promise.reject(new Error(name))
}
