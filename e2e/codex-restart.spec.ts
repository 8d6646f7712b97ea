import { describe, expect, it } from 'vitest'
import type { Codex } from './support/codex.ts'
import { codexWorld } from './support/codex-world.ts'
import { noticesTold } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'
const task = `Write the parts. <**stopMessage:"${followup}",3**>`

describe('the client is restarted in a new tmux session', unless(tmuxMissing), () => {
  const world = codexWorld()

  /** One round is through, the second is running. */
  async function halfWay(how: 'pane' | 'wrapped'): Promise<Codex> {
    const { mock } = world
    mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: gate() } }))
    const codex = await world.start({ how, session: 'first' })
    await codex.say(task)
    await mock.turn(2)
    await codex.shows(/esc to interrupt/)
    return codex
  }
  const resume = (old: Codex, how: 'pane' | 'wrapped') =>
    world.start({ how, session: 'second', person: 'first', cwd: old.cwd, args: ['resume', '--last'] })

  it.each(['pane', 'wrapped'] as const)(
    'quit by the person in the middle of a round: the state moves, the next followup lands in the new one only (%s)',
    async (how) => {
      const { mock, engine } = world
      const { control } = engine
      const old = await halfWay(how)
      await old.quit()
      const before = await control.session((s) => s.shape === 'gone')
      expect(before.stopMessage).toMatchObject({ used: 1, status: { kind: 'armed' } })
      const oldScreen = old.screen()

      const fresh = await resume(old, how)
      await fresh.say('go on where you were')
      const session = await control.session((s) => s.shape === 'done', 60_000)
      expect(session).toMatchObject({ id: before.id, shape: 'done', stopMessage: { used: 3, max: 3 } })
      expect(session.scope).not.toBe(before.scope)
      await control.event('rebound', ({ from, to }) => from === before.scope && to === session.scope)
      expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
        'Write the parts.',
        followup,
        'go on where you were',
        followup,
        followup,
      ])
      expect(new Set(mock.turns().map((r) => r.headers['session-id']))).toEqual(new Set([before.id]))
      expect(old.screen()).toBe(oldScreen)
      expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
      await nothingMore(mock, engine)
      expect(mock.problems).toEqual([])
    },
  )

  it('its pane was killed: stopped and told, and armed again when the conversation is back', async () => {
    const { mock, engine, tmux } = world
    const { control } = engine
    const old = await halfWay('pane')
    tmux.killPane(old.pane)
    const before = await control.session((s) => s.stopMessage?.status.kind === 'failed')
    expect(await noticesTold(control, 1)).toEqual(['injection-failed'])

    const fresh = await resume(old, 'pane')
    await fresh.say('go on where you were')
    const session = await control.session((s) => s.shape === 'done', 60_000)
    expect(session).toMatchObject({ id: before.id, scope: 'tmux:second', stopMessage: { used: 3, max: 3 } })
    await control.event('armed', ({ by }) => by === 're-arm')
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
      'Write the parts.',
      followup,
      'go on where you were',
      followup,
      followup,
    ])
    expect(mock.problems).toEqual([])
  })
})
