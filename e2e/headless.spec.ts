import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { findRunningEngine } from '../electron/engine/control/attach.ts'
import { headlessWorld } from './support/headless.ts'
import { agentMissing, realAgents, type RealAgent } from './support/real/index.ts'
import { told } from './support/real/told.ts'

const followup = 'carry on with the next part'
const prompt = `Write the parts. <**stopMessage:"${followup}",3**>`

const each: readonly (readonly [RealAgent, (prompt: string) => readonly string[]])[] = [
  [realAgents.claude, (text) => ['claude', '-p', text]],
  [realAgents.codex, (text) => ['codex', 'exec', '--skip-git-repo-check', text]],
  [realAgents.opencode, (text) => ['opencode', 'run', text]],
  [realAgents.gemini, (text) => ['gemini', '-p', text]],
  [realAgents.qwen, (text) => ['qwen', text]],
]

for (const [agent, words] of each) {
  describe(`a real ${agent.name} without a terminal`, unless(agentMissing(agent)), () => {
    const world = headlessWorld()

    it('is said each of three texts once, in one conversation, and its engine ends with it', async () => {
      const { mock, home, job } = await world(agent)
      const run = job([], words(prompt))
      const { code, out, err } = await run.ended
      console.log(out, err)
      expect(mock.turns().map(told)).toEqual(['Write the parts.', followup, followup, followup])
      expect(code).toBe(0)
      expect(out.split('One part is written.')).toHaveLength(5)
      expect(await findRunningEngine(home)).toBeNull()
      expect(mock.problems).toEqual([])
    })
  })
}
