import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

describe('Codex’s own inbox', unless(tmuxMissing), () => {
  const world = codexWorld({ stopMessage: { delivery: 'inbox' } })

  it.each(['pane', 'wrapped', 'hosted'] as const)(
    'takes texts once, and leaves a draft alone (%s)',
    async (how) => {
      const { mock, engine } = world
      const { control } = engine
      const codex = await world.start({ how })
      await codex.say('Write the parts.')
      const session = (await mock.turn(1)).headers['session-id'] ?? ''
      await codex.ready()
      await codex.draft('my own words')
      const first = await control.api.say.mutate({ session, text: 'the first' })
      const second = await control.api.say.mutate({ session, text: 'the second\nin two lines' })
      await control.event('confirmed', (body) => body.entryId === second.id, 60_000)
      await nothingMore(mock, engine)
      expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
        'Write the parts.',
        'the first',
        'the second\nin two lines',
      ])
      await codex.shows('my own words')
      const told = control.events.filter(({ body }) => 'entryId' in body && body.entryId === first.id)
      expect(told.map(({ body }) => body.type)).not.toContain('typed')
      expect(told.map(({ body }) => body)).toContainEqual(
        expect.objectContaining({ type: 'submitted', inbox: true }),
      )
      expect(await control.session((s) => s.inbox !== undefined)).toMatchObject({ inbox: { used: true } })
      expect(mock.problems).toEqual([])
    },
  )
})
