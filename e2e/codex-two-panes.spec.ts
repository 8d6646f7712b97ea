import { describe, expect, it } from 'vitest'
import type { SessionView } from '../shared/state.ts'
import { codexWorld } from './support/codex-world.ts'
import { noticesTold } from './support/followups.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

describe('two Codex panes of one person at the same time', unless(tmuxMissing), () => {
  const world = codexWorld()

  // One CODEX_HOME for both: Codex would share one process between them, with the first one's key.
  it.each([
    ['in two tmux sessions', 'pane', { session: 'second' }],
    ['in one tmux session', 'pane', { session: 'first', split: true }],
    ['in one tmux session, started by hand', 'by-hand', { session: 'first', split: true }],
  ] as const)('%s: every followup lands in its own pane and conversation', async (_, how, place) => {
    const { mock, engine } = world
    const { control } = engine
    const one = await world.start({ how, session: 'first', person: 'one' })
    const two = await world.start({ how, person: 'one', ...place })
    await one.ready()
    await two.ready()
    await Promise.all([
      one.say('Write the red part. <**stopMessage:"go on with the red one",2**>'),
      two.say('Write the blue part. <**stopMessage:"go on with the blue one",3**>'),
    ])
    const red = await control.session(isDone('go on with the red one'), 60_000)
    const blue = await control.session(isDone('go on with the blue one'), 60_000)

    expect(red.stopMessage).toMatchObject({ used: 2, max: 2 })
    expect(blue.stopMessage).toMatchObject({ used: 3, max: 3 })
    // The first to be known has the tmux session's name, a second one in it its pane's id as well.
    const scopes =
      place.session === 'second'
        ? ['tmux:first', 'tmux:second']
        : ['tmux:first', expect.stringMatching(/^tmux:first:%\d+$/)]
    expect([red.scope, blue.scope].toSorted()).toEqual(scopes)
    // Named by their folders; in one folder a number tells them apart.
    for (const { name, cwd } of [red, blue]) expect(name).toMatch(new RegExp(`^${cwd?.split('/').at(-1)}( \\d+)?$`))
    expect(red.name).not.toBe(blue.name)
    expect(textsOf(red)).toEqual(['Write the red part.', 'go on with the red one', 'go on with the red one'])
    expect(textsOf(blue)).toEqual(['Write the blue part.', ...Array<string>(3).fill('go on with the blue one')])
    expect(one.screen()).not.toContain('blue')
    expect(two.screen()).not.toContain('red')
    for (const { body, sessionId, scope: at } of control.events) {
      if (body.type === 'turn-started' && body.kind === 'turn')
        expect(at).toBe(sessionId === red.id ? red.scope : blue.scope)
    }
    expect(await noticesTold(control, 2)).toEqual(['goal-reached', 'goal-reached'])
    await nothingMore(mock, engine)
    expect(mock.problems).toEqual([])
  })

  const isDone = (text: string) => (s: SessionView) => s.shape === 'done' && s.stopMessage?.text === text
  /** what the provider was sent for this session */
  const textsOf = ({ id }: SessionView) =>
    world.mock
      .turns()
      .filter((r) => r.headers['session-id'] === id)
      .map((r) => r.lastUserText?.trim())
})
