import { describe, expect, it } from 'vitest'
import { loadCommands } from './commands.ts'
import { agentEntries } from './commands/agents/agents.ts'
import { describedProgram } from './testing/cli-reference.ts'

const namesOf = async (wanted: string | null): Promise<string[]> =>
  describedProgram(undefined, await loadCommands(wanted)).commands.map((command) => command.name())
const names = describedProgram().commands.map((command) => command.name())
const agents: readonly string[] = agentEntries.map(({ client }) => client)

describe('the commands', () => {
  it.each(names.filter((name) => name !== 'completion'))('%s is loaded without others', async (name) => {
    expect(await namesOf(name)).toEqual(agents.includes(name) ? agents : [name])
  })

  // completion describes all of them
  it.each(['--help', 'stauts', '', 'toString', 'completion', null])('are all there for %j', async (word) => {
    expect(await namesOf(word)).toEqual(names)
  })
})
