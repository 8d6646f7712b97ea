/** The words of a command as `--help` has them, for pages that are written from the commands. */
import type { Command } from 'commander'
import { withCommon } from './common.ts'

export type Described = readonly [term: string, what: string]

export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : ''

export const withChildren = (command: Command): Command[] => [command, ...command.commands.flatMap(withChildren)]

/** `[options]`, which every command has, is left out. */
export function usageOf(command: Command): string {
  const usage = command.createHelp().commandUsage(command)
  return `onward ${usage.replace(/^(?:onward )+/, '')}`.replace(' [options]', '')
}

/** Paragraphs. */
export const descriptionOf = (command: Command): string[] =>
  command.createHelp().commandDescription(command).split('\n')

export function argumentsOf(command: Command): Described[] {
  const help = command.createHelp()
  return command.registeredArguments.map((one) => [help.argumentTerm(one), help.argumentDescription(one)])
}

/** Those that every command has stand once, with the program itself. */
export function optionsOf(command: Command): Described[] {
  const help = command.createHelp()
  const common = withCommon(command.createCommand()).options.map(({ long }) => long)
  return help
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || (!common.includes(long) && long !== '--help'))
    .map((option) => [help.optionTerm(option), help.optionDescription(option)])
}

/** Lines that can be typed, explained in a comment. The command's help goes nowhere else from then on. */
export function examplesOf(command: Command): string[] {
  let printed = ''
  command.configureOutput({
    writeOut: (text) => {
      printed += text
    },
  })
  command.outputHelp()
  return [...printed.matchAll(/^ {2}(onward .*)$/gm)].map(([, line = '']) => line.replace(/(\S {2,})(?=\S)/, '$1# '))
}

const shownOf = (program: Command): readonly Command[] => program.createHelp().visibleCommands(program)

export const headingsOf = (program: Command): string[] => [
  ...new Set(shownOf(program).map((command) => command.helpGroup())),
]

/** The commands under a heading, without those that nobody types. */
export const commandsUnder = (program: Command, heading: string): readonly Command[] =>
  shownOf(program).filter((command) => command.helpGroup() === heading)

export const titleOf = (heading: string): string => heading.replace(/:$/, '')
