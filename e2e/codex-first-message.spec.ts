import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

describe('a terminal that has had no turn yet', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'hosted'] as const)('gets its first message from the command line (%s)', async (how) => {
    const { mock, engine } = world
    const codex = await world.start({ how })
    await codex.ready()
    const [terminal] = await engine.control.api.terminals.query()
    const said = await onward(['say', '--home', engine.home, terminal?.id ?? '', 'Write the first part.'])
    expect(said).toMatchObject({ code: 0, err: '' })
    expect((await mock.turn(1)).lastUserText?.trim()).toBe('Write the first part.')
    await engine.control.event('confirmed')
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(1)
    expect(mock.problems).toEqual([])
  })
})
