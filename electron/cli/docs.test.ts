/** README and docs/: every command and option they name is one of the program's. docs/cli.md has all of them. */
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { splitCommand } from '../../shared/commands/split-command.ts'
import { pathOf, withChildren as all } from './described.ts'
import { describedProgram } from './testing/cli-reference.ts'
import { documents, readme, sectionOf, spansOf, tableOf } from './testing/documents.ts'

const program = describedProgram()
const named = (command: Command, name: string): Command | undefined =>
  command.commands.find((child) => child.name() === name)
const flagsOf = (command: Command): string[] =>
  command.options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined))
const everyFlag = new Set([...all(program).flatMap(flagsOf), '--help', '--version'])

/** Returns the problem with a line as one would type it, without `onward`; null: there is none. */
function problemOf(line: string): string | null {
  // the shell's part of a line is not ours
  const words = splitCommand(line.replaceAll('…', 'x').replace(/ (?:\|{1,2}|>|&&) .*$/, ''))
  if (words === null) return 'a quote is not closed'
  let command = program
  let given = 0
  for (const word of words) {
    const child = given === 0 ? named(command, word) : undefined
    const passes = command.registeredArguments.some((one) => one.variadic && /^(args|command)$/.test(one.name()))
    if (child) command = child
    else if (word === '--' || (passes && given > 0)) return null
    else if (/^--?[a-z]/.test(word)) {
      const flag = word.replace(/=.*/, '')
      if ([...flagsOf(command), '--help'].includes(flag)) continue
      return passes ? null : `“${pathOf(command)}” has no ${flag}`
    } else if (valueBefore(command, words, word)) continue
    else if (command === program) return 'there is no such command'
    else {
      const { registeredArguments: takes } = command
      if (given >= takes.length && !takes.some(({ variadic }) => variadic))
        return `“${pathOf(command)}” takes no “${word}”`
      given += 1
    }
  }
  return null
}
/** It is the value of the option before it. */
function valueBefore(command: Command, words: readonly string[], word: string): boolean {
  const before = words[words.indexOf(word) - 1] ?? ''
  return command.options.some(({ short, long, required }) => required && (short === before || long === before))
}

const typed = documents.flatMap(({ path, text }) =>
  [
    ...[...text.matchAll(/^ {4}(?:eval "\$\()?onward(?: (.*?))?(?:\)")?(?: +#.*)?$/gm)].map(([, line = '']) => line),
    ...spansOf(text).flatMap((span) => /^onward (.*)$/.exec(span)?.[1] ?? []),
  ].map((line) => [path, line] as const),
)

describe('the command lines in README and docs', () => {
  it('are many', () => expect(typed.length).toBeGreaterThan(40))
  it.each(typed)('%s: onward %s', (_path, line) => {
    expect(problemOf(line)).toBeNull()
  })
  it.each([
    ['stop-mesage billing', 'there is no such command'],
    ['stop-message billing --golem x', '“stop-message” has no --golem'],
    ['checks rum billing tests', '“checks” takes no “billing”'],
    ['providers add --help', null],
    ['budgets --rounds 40 --hours never', null],
    ['run -- python --frob', null],
    ['--on devbox status', null],
    ['--on devbox frob', 'there is no such command'],
  ])('would be found out: %s', (line, problem) => {
    expect(problemOf(line)).toBe(problem)
  })
})

interface Taken {
  name: string
  optional: boolean
}

/** `alarm edit, snooze <alarm>`, `terminals [open, close]`, `config path`: the commands a cell of the table means. */
function meant(span: string): { commands: readonly Command[]; takes: readonly Taken[] } {
  const [, name = '', several, list = several ?? ''] =
    /^([a-z-]+)(?: (?:\[([a-z-]+(?:, ?[a-z-]+)+)\]|([a-z-]+(?:(?:, ?|\|)[a-z-]+)*)(?= |$)))?/.exec(span) ?? []
  const command = named(program, name)
  if (!command) throw new Error(`README’s table names “${name}”, which there is not`)
  const children = list === '' ? [] : list.split(/, ?|\|/)
  const commands = children.map((child) => {
    const found = named(command, child)
    if (!found) throw new Error(`README’s table names “${name} ${child}”, which there is not`)
    return found
  })
  return {
    commands: commands.length > 0 ? commands : [command],
    takes: [...span.matchAll(/[<[]([a-z-]+)…?[>\]]/g)].map(([written, argument = '']) => ({
      name: argument,
      optional: written.startsWith('['),
    })),
  }
}
const rows = tableOf(sectionOf(readme, 'Command line'), 'command').map(([what = '', says = '']) => ({
  meant: spansOf(what).map((span) => ({ span, ...meant(span) })),
  says,
}))

describe('the table of commands in the README', () => {
  it('is short, and leads to all of them', () => {
    expect(rows.length).toBeLessThan(20)
    expect(sectionOf(readme, 'Command line')).toContain('(docs/cli.md)')
  })
  it.each(rows.flatMap((row) => row.meant.map(({ span, commands, takes }) => [span, commands, takes] as const)))(
    '%s takes what it says',
    (_span, commands, takes) => {
      for (const { registeredArguments: there } of commands)
        for (const { name, optional } of takes) {
          const argument = there.find((one) => one.name() === name)
          expect(argument, name).toBeDefined()
          // An argument said to be required may come by an option as well.
          if (optional) expect(argument?.required, name).toBe(false)
        }
    },
  )
  it.each(rows.map((row) => [row.meant.map(({ span }) => span).join(', '), row] as const))(
    '%s has the options it is said to have',
    (_what, row) => {
      const there = row.meant.flatMap(({ commands }) => commands.flatMap(all)).flatMap(flagsOf)
      expect(there).toEqual(expect.arrayContaining(spansOf(row.says).filter((span) => span.startsWith('--'))))
    },
  )
})

describe('README and docs', () => {
  // what other programs take stands there
  const ofOurs = documents.filter(({ path }) => path !== 'docs/clients.md' && path !== 'docs/turns.md')
  it.each(ofOurs.map(({ path, text }) => [path, spansOf(text)] as const))(
    '%s names no other options',
    (_path, spans) => {
      const options = spans.filter((span) => span.startsWith('--')).map((span) => span.split(/[ =]/)[0] ?? '')
      expect(options.filter((option) => !everyFlag.has(option))).toEqual([])
    },
  )
})
