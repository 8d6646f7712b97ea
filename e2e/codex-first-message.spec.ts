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
    // The title was asked for in a thread of its own, whose id begins like that of the conversation.
    expect(mock.requests.some(({ auxiliary }) => auxiliary === 'title')).toBe(true)
    expect(await engine.control.api.sessions.query()).toMatchObject([{ turns: 1, client: 'codex' }])
    expect(mock.problems).toEqual([])
  })

  it('is armed from the command line, and begins with --now', async () => {
    const { mock, engine } = world
    const codex = await world.start({ how: 'hosted' })
    await codex.ready()
    const [terminal] = await engine.control.api.terminals.query()
    const arm = (...words: string[]) => onward(['stop-message', '--home', engine.home, terminal?.id ?? '', ...words])
    const armed = await arm('Write the next part.', '--rounds', '2')
    expect(armed).toMatchObject({ code: 0, err: '' })
    expect(armed.out).toContain(`at once: onward stop-message ${terminal?.id} --now`)
    await nothingMore(mock, engine)
    expect(mock.turns()).toEqual([])
    expect(await engine.control.api.terminals.query()).toMatchObject([
      { sessionId: null, fresh: { say: { code: 'armed' }, stopMessage: { text: 'Write the next part.', max: 2 } } },
    ])
    expect(await arm('--now')).toMatchObject({ code: 0, err: '' })
    expect((await mock.turn(2)).lastUserText?.trim()).toBe('Write the next part.')
    await engine.control.event('done')
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(2)
    expect(await engine.control.api.sessions.query()).toMatchObject([
      { turns: 2, stopMessage: { used: 2, max: 2, status: { kind: 'done' } } },
    ])
    expect(mock.problems).toEqual([])
  })
})
