import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { missing, moreAgents, startAgent } from './support/more-agents.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

const rounds = 10
const followup = 'carry on with the next part'

describe.each(moreAgents.map((agent) => [agent.name, agent] as const))('a real %s is kept going', (_, agent) => {
  describe('ten rounds', unless(firstOf(tmuxMissing, missing(agent))), () => {
    const world = codexWorld({ type: 'openai-chat' })

    it.each(['pane', 'wrapped', 'hosted'] as const)('each of them said once (%s)', async (how) => {
      const { mock, engine, tmux } = world
      const driver = await startAgent(agent, { engine, tmux, how })
      await driver.say(`Write the parts. <**stopMessage:"${followup}",${rounds}**>`)
      const session = await engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', 180_000)
      expect(session).toMatchObject({ client: agent.client })
      expect(session.stopMessage).toMatchObject({
        used: rounds,
        status: { kind: 'done', reason: { code: 'rounds-used' } },
      })
      await nothingMore(mock, engine)
      const last = mock.turns().at(-1)?.body.toString() ?? ''
      expect(last.split(followup)).toHaveLength(rounds + 1)
      expect(last.split('Write the parts.')).toHaveLength(2)
      expect(mock.turns()).toHaveLength(rounds + 1)
      for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
      expect(mock.problems).toEqual([])
      driver.dispose()
    })
  })
})
