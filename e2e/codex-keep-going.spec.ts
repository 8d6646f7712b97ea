import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { noticesTold } from './support/followups.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'
const task = `Write the three parts. <**stopMessage:"${followup}",3**>`

describe('a real Codex is kept going', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'wrapped', 'hosted'] as const)(
    'three followups are typed, submitted and confirmed by receipt (%s)',
    async (how) => {
      const { mock, engine } = world
      const codex = await world.start({ how })
      await codex.say(task)
      const session = await engine.control.session((s) => s.shape === 'done', 90_000)
      expect(session.stopMessage).toMatchObject({
        used: 3,
        max: 3,
        status: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } },
      })
      expect(session).toMatchObject({ client: 'codex', shape: 'done' })

      expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
        'Write the three parts.',
        followup,
        followup,
        followup,
      ])
      for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
      expect(mock.problems).toEqual([])

      const confirmed = engine.control.events.filter((e) => e.body.type === 'confirmed')
      expect(confirmed).toHaveLength(3)
      expect(await noticesTold(engine.control, 1)).toEqual(['goal-reached'])
      // The state is cleared.
      await nothingMore(mock, engine)
    },
  )
})
