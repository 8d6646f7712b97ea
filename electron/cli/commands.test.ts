import { describe, expect, it } from 'vitest'
import { loadCommands } from './commands.ts'
import { agentEntries } from './commands/agents/agents.ts'
import { operations } from '../../shared/operations/index.ts'
import type { AnyOperation } from '../../shared/operations/operation.ts'
import { pathOf, withChildren } from './described.ts'
import { describedProgram } from './testing/cli-reference.ts'

const namesOf = async (wanted: string | null): Promise<string[]> =>
  describedProgram(await loadCommands(wanted)).commands.map((command) => command.name())
const names = describedProgram().commands.map((command) => command.name())
const agents: readonly string[] = agentEntries.map(({ client }) => client)

describe('the commands', () => {
  const declared = Object.values<AnyOperation>(operations).flatMap(({ commands = [] }) =>
    commands.map(({ usage }) => usage.replace(/ [<[].*/, '')),
  )
  it.each(declared)('%s, which an operation declares, is there when its first word is given', async (path) => {
    const program = describedProgram(await loadCommands(path.split(' ')[0] ?? ''))
    expect(withChildren(program).map(pathOf)).toContain(path)
  })

  const describing = ['completion', 'man']
  it.each(names.filter((name) => !describing.includes(name)))('%s is loaded without others', async (name) => {
    expect(await namesOf(name)).toEqual(agents.includes(name) ? agents : [name])
  })

  it.each(['--help', 'stauts', '', 'toString', ...describing, null])('are all there for %j', async (word) => {
    expect(await namesOf(word)).toEqual(names)
  })
})
