import { describe, expect, it } from 'vitest'
import { setUpClients } from '../shared/setup/first-run.ts'
import { byTheirs, forGoodWorld, throughOnward } from './support/for-good/world.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { tmuxMissing } from './support/tmux.ts'
import { everything, sample } from '../shared/testing/runs.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

/** In `npm test`: the one that writes most into its own settings; in CI two more. */
const sampled = sample(['codex', 'claude', 'opencode'] as const)

/** Settings as Onward changes them, read by the real agent: no wrapper, and no variable of Onward's. */
for (const client of everything ? setUpClients : sampled) {
  const agent = realAgents[client]
  describe(`a real ${agent.name} set up for good`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = forGoodWorld(client)

    it('goes through Onward with a person’s own settings, and back to their provider', async () => {
      world.own()
      const before = world.settings()
      await world.setUp()
      expect(world.settings()).not.toEqual(before)
      await world.undo()
      expect(world.settings()).toEqual(before)
      await world.setUp()
      const person = world.start()
      await person.say('Say something short')
      await person.shows(throughOnward)
      const session = await world.engine.control.session((s) => s.client === client && s.turns > 0)
      expect(session.terminalId).not.toBeNull()
      expect(world.theirs.requests).toEqual([])
      person.dispose()
      await world.undo()
      // Codex and Qwen Code wrote into their settings themselves; of Onward nothing is left.
      for (const text of world.settings().values()) expect(text.toString()).not.toMatch(/onward\b(?!-)/i)
      // turns: an agent that was left may still ask for something of its own
      const asked = world.mock.turns().length
      const again = world.start()
      await again.say('Say something else')
      await again.shows(byTheirs)
      expect(world.mock.turns()).toHaveLength(asked)
      expect(world.mock.problems).toEqual([])
    })
  })
}
