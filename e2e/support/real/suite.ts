import { describe, it } from 'vitest'
import { compactedInTheMiddle } from './scenarios/compaction.ts'
import { dialogInTheMiddle } from './scenarios/dialog.ts'
import { draftInTheLine } from './scenarios/draft.ts'
import { engineKilled } from './scenarios/killed-engine.ts'
import { providerFails } from './scenarios/failures.ts'
import { engineEndsFirst, engineRestarted } from './scenarios/restarted-engine.ts'
import { quitInTheMiddle } from './scenarios/quit.ts'
import { sideRequestsInTheWay } from './scenarios/side-requests.ts'
import type { Scenario } from './scenarios/stage.ts'
import { subAgentAtWork } from './scenarios/sub-agent.ts'
import { twoAtOnce } from './scenarios/two-terminals.ts'
import { agentMissing } from './index.ts'
import type { PlaceKind } from './person.ts'
import { agentWorld } from './world.ts'
import type { RealAgent } from './types.ts'
import { tmuxMissing } from '../tmux.ts'
import { firstOf, unless } from '../../../shared/testing/unless.ts'

/** What happens to every agent, under the names of tests. */
export const scenarios = {
  'nothing is typed into an open permission dialog': dialogInTheMiddle,
  'a draft of a person holds the followup': draftInTheLine,
  'nothing is typed into the shell of a person who quit': quitInTheMiddle,
  'two at once keep apart': twoAtOnce,
  'kill -9 of the engine in the middle': engineKilled,
  'a restart of the engine in the middle of an answer': engineRestarted,
  'an engine that ends before an answer does': engineEndsFirst,
  'a compaction in the middle': compactedInTheMiddle,
  'a sub-agent at work': subAgentAtWork,
  'its own side requests at the worst moment': sideRequestsInTheWay,
  'a provider that limits, fails and breaks off': providerFails,
} as const satisfies Record<string, Scenario>
export type ScenarioName = keyof typeof scenarios

/** Where each scenario plays with this agent; over all agents every kind of terminal has its turn. */
export type Programme = Readonly<Record<ScenarioName, PlaceKind>>

export function realAgentSuite(agent: RealAgent, programme: Programme): void {
  const names = Object.keys(programme) as ScenarioName[]
  describe(`a real ${agent.name}`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld(agent)
    it.each(names.map((name) => [name, programme[name]] as const))('%s (%s)', (name, how) =>
      scenarios[name]({ agent, world, how }),
    )
  })
}
