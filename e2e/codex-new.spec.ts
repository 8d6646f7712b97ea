import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldBehindLine, heldFor } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'

describe('a person begins a new conversation in the middle of armed rounds', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'wrapped', 'hosted'] as const)(
    'no followup lands in it, and the old one goes on when it is back (%s)',
    async (how) => {
      const { mock, engine } = world
      const { control } = engine
      const writing = gate()
      mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: writing } }))
      const codex = await world.start({ how })
      await codex.say(`Write the parts. <**stopMessage:"${followup}",3**>`)
      await mock.turn(2)
      await codex.draft('/new')
      writing.open()
      const entryId = await heldBehindLine(control, 2)
      const { id: old } = await control.session((s) => s.stopMessage !== null)
      codex.press('Enter')
      // Idle, its composer empty; but it is not the conversation the followup is for.
      expect(await heldFor(control, entryId, 'other-conversation')).toEqual({ code: 'other-conversation' })
      await codex.fresh()
      await nothingMore(mock, engine)
      expect(codex.screen()).not.toContain(followup)

      await codex.say('Something else entirely.')
      const other = await control.session((s) => s.id !== old && s.shape === 'needs' && s.turns === 1)
      await control.event('superseded', (body) => body.entryId === entryId)
      expect(other.stopMessage).toBeNull()
      // The person is asked, once; nothing comes of it while they do not answer.
      expect(other).toMatchObject({
        say: { code: 'left-goal', text: followup },
        leftGoal: { sessionId: old, used: 1, max: 3 },
      })
      expect(control.sessions.get(old)).toMatchObject({ shape: 'gone', say: { code: 'left' } })
      await nothingMore(mock, engine)
      expect(control.notices.map((n) => [n.class, n.sessionId])).toEqual([['needs-you', other.id]])
      expect(mock.turns().map((r) => [r.headers['session-id'], r.lastUserText?.trim()])).toEqual([
        [old, 'Write the parts.'],
        [old, followup],
        [other.id, 'Something else entirely.'],
      ])
      expect(control.sessions.get(old)?.stopMessage).toMatchObject({ used: 1, max: 3, status: { kind: 'armed' } })

      await codex.say(`/resume ${old}`)
      await codex.shows('Part two.')
      await codex.say('Now the parts again.')
      await control.session((s) => s.id === old && s.stopMessage?.status.kind === 'done' && s.shape === 'done', 60_000)
      expect(
        mock
          .turns()
          .slice(3)
          .map((r) => [r.headers['session-id'], r.lastUserText?.trim()]),
      ).toEqual([
        [old, 'Now the parts again.'],
        [old, followup],
        [old, followup],
      ])
      expect(mock.problems).toEqual([])
    },
  )

  it('carried on there, the goal goes on in the new one', async () => {
    const { mock, engine } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how: 'hosted' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",3**>`)
    await mock.turn(2)
    const { id: old } = await control.session((s) => s.stopMessage !== null)
    await codex.draft('/new')
    writing.open()
    await heldBehindLine(control, 2)
    codex.press('Enter')
    await codex.fresh()
    await codex.say('Here is what stands so far.')
    const other = await control.session((s) => s.leftGoal !== undefined && s.shape === 'needs')

    const carried = await control.api.carryOnStopMessage.mutate(other.id)
    expect(carried).toMatchObject({ id: other.id, stopMessage: { used: 1, max: 3 } })
    expect(carried.leftGoal).toBeUndefined()
    const done = await control.session((s) => s.id === other.id && s.shape === 'done', 60_000)
    expect(done.stopMessage).toMatchObject({ used: 3, max: 3 })
    await nothingMore(mock, engine)
    expect(mock.turns().map((r) => [r.headers['session-id'], r.lastUserText?.trim()])).toEqual([
      [old, 'Write the parts.'],
      [old, followup],
      [other.id, 'Here is what stands so far.'],
      [other.id, followup],
      [other.id, followup],
    ])
    expect(control.sessions.get(old)).toMatchObject({ shape: 'gone', say: { code: 'left' }, stopMessage: null })
    expect(mock.problems).toEqual([])
  })
})
