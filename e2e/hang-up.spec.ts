import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { usualGaps } from './support/mock-upstream/index.ts'
import { missing, moreAgents, startAgent } from './support/more-agents.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'
const task = `Write the parts. <**stopMessage:"${followup}",2**>`

/** Codex 0.171.0 and Copilot 1.0.102 close their connection at the last event, whether the body has ended or not. */
const agents = [
  ...(['openai-responses', 'openai-chat', 'anthropic'] as const).map((type) => ({ agent: 'codex', type })),
  { agent: 'copilot', type: 'openai-chat' as const },
]
const cases = agents.flatMap((one) => usualGaps.map((gap) => ({ ...one, gap })))

describe.each(cases)('a real $agent hangs up at the last event of $type, $gap ms before its end', (one) => {
  const { agent, type, gap } = one
  const other = moreAgents.find(({ client }) => client === agent)

  describe('and', unless(firstOf(tmuxMissing, other ? missing(other) : null)), () => {
    const world = codexWorld({ type, gaps: [gap] })

    it('has its answer: it is kept going', async () => {
      const { mock, engine, tmux } = world
      const driver = other ? await startAgent(other, { engine, tmux, how: 'pane' }) : await world.start({ how: 'pane' })
      await driver.say(task)
      const session = await engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', 180_000)
      expect(session.stopMessage).toMatchObject({ used: 2, status: { kind: 'done', reason: { code: 'rounds-used' } } })
      await nothingMore(mock, engine)
      const ends = engine.control.events.flatMap(({ body }) => (body.type === 'turn-ended' ? [body.clientLeft] : []))
      expect(new Set(ends)).toEqual(new Set([false]))
      expect(mock.turns().filter(({ lastUserText }) => lastUserText?.includes(followup))).toHaveLength(2)
      expect(mock.problems).toEqual([])
      driver.dispose()
    })
  })
})
