/** The command tree as the completion scripts need it; read from commander, so that it can't go out of date. */
import type { Command } from 'commander'

export interface CompletionOption {
  flags: readonly string[]
  description: string
  takesValue: boolean
  choices: readonly string[]
}
export interface CompletionNode {
  /** words from the program on, without it: `terminals open` */
  path: readonly string[]
  summary: string
  options: readonly CompletionOption[]
  /** of the first argument */
  choices: readonly string[]
  /** what follows is another program's business */
  passesThrough: boolean
  children: readonly CompletionNode[]
}

/** variadic arguments that are another program's words; the others are the person's own, with options among them */
const ofPrograms: ReadonlySet<string> = new Set(['args', 'command'])

export function treeOf(command: Command, path: readonly string[] = []): CompletionNode {
  const help = command.createHelp()
  return {
    path,
    summary: command.summary() || command.description(),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    passesThrough: command.registeredArguments.some((argument) => argument.variadic && ofPrograms.has(argument.name())),
    children: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map((child) => treeOf(child, [...path, child.name()])),
  }
}

export const flatten = (node: CompletionNode): CompletionNode[] => [node, ...node.children.flatMap(flatten)]

/** Returns the words that can stand at a node: sub commands, values of the first argument, options. */
export const wordsAt = (node: CompletionNode): string[] => [
  ...node.children.map(nameOf),
  ...node.choices,
  ...node.options.flatMap((option) => option.flags.filter((flag) => flag.startsWith('--'))),
]

export const nameOf = (node: CompletionNode): string => node.path.at(-1) ?? ''
