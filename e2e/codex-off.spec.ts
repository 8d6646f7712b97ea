import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldBehindLine } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'
const task = `Write the parts. <**stopMessage:"${followup}",9**>`

describe('a person switches the followups off', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'hosted'] as const)(
    'with a pure command, typed while a round runs: Onward answers it itself (%s)',
    async (how) => {
      const { mock, engine } = world
      const writing = gate()
      mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: writing } }))
      const codex = await world.start({ how })
      await codex.say(task)
      await mock.turn(2)
      await codex.draft('<**sm:off**>')
      writing.open()
      // The round is over; the next followup waits behind the line the person is writing.
      const waiting = await heldBehindLine(engine.control, 2)
      codex.press('Enter')
      await codex.shows('Onward: stopMessage cleared.')

      const session = await engine.control.session(
        (s) => s.lastStopMessage !== null && s.stopMessage === null && s.shape === 'idle',
      )
      expect(session.lastStopMessage).toMatchObject({ text: followup, used: 1, max: 9, clearedBy: 'marker' })
      expect(session.queue).toEqual([])
      await engine.control.event('superseded', ({ entryId }) => entryId === waiting)
      await nothingMore(mock, engine)
      expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual(['Write the parts.', followup])

      // The conversation goes on, and the provider never sees what was meant for Onward.
      await codex.say('And now the summary.')
      expect((await mock.turn(3)).lastUserText?.trim()).toBe('And now the summary.')
      await nothingMore(mock, engine)
      for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
      expect(mock.problems).toEqual([])
      expect(engine.control.notices).toEqual([])
    },
  )

  it('within a message: the message goes to the provider without it, and nothing follows', async () => {
    const { mock, engine } = world
    const writing = gate()
    mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how: 'wrapped' })
    await codex.say(task)
    await mock.turn(2)
    await codex.draft('That is enough, thank you. <**sm:off**>')
    writing.open()
    await heldBehindLine(engine.control, 2)
    codex.press('Enter')
    expect((await mock.turn(3)).lastUserText?.trim()).toBe('That is enough, thank you.')
    await engine.control.session((s) => s.lastStopMessage !== null && s.stopMessage === null && s.shape === 'idle')
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(3)
    for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
    expect(mock.problems).toEqual([])
  })
})
