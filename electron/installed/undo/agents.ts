import { join } from 'node:path'
import { nodeConfigFiles } from '../../engine/config/node-files.ts'
import { createAgentSetups, type AgentSetups } from '../../engine/discovery/setup/agent-setups.ts'

/** Earlier changes to agents' settings, without an engine; nothing is set up anew through it. */
export function agentSetupsOf(
  home: string,
  person: { home: string; env: Readonly<Record<string, string | undefined>> },
): Pick<AgentSetups, 'list' | 'undo'> {
  return createAgentSetups({
    files: nodeConfigFiles(),
    folder: join(home, 'agent-setup'),
    facts: () => ({ home: person.home, env: person.env, baseUrl: '', keepsLogin: true }),
    needsKey: () => true,
  })
}
