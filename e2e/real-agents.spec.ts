import { describe, it } from 'vitest'
import { agentMissing, realAgents } from './support/real/index.ts'
import { places } from './support/real/person.ts'
import { keptGoing } from './support/real/scenarios/rounds.ts'
import { agentWorld } from './support/real/world.ts'
import { tmuxMissing } from './support/tmux.ts'
import { everything } from '../shared/testing/runs.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

/** Codex and Qwen Code have files of their own. Where one kind of terminal is enough, each has another. */
const three = [
  [realAgents.claude, 'pane'],
  [realAgents.gemini, 'wrapped'],
  [realAgents.opencode, 'hosted'],
] as const

for (const [agent, one] of three) {
  describe(`a real ${agent.name} is kept going`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld(agent)
    it.each(everything ? places : [one])('%s', (how) => keptGoing(everything ? 10 : 5)({ agent, world, how }))
  })
}
