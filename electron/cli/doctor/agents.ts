import { agentFinding } from '../../../shared/control/agent-finding.ts'
import type { DoctorFinding } from '../../../shared/doctor.ts'
import { standingOf, VERSION_WITHIN_MS, versionIn } from '../../engine/terminals/agents/version.ts'
import type { Cli } from '../cli.ts'
import { agentEntries, type AgentEntry } from '../commands/agents/agents.ts'
import { findProgram } from '../launch/find-program.ts'
import { runProgram } from '../launch/run-program.ts'
import { bad, type Check } from './types.ts'

export const checkAgents: Check = async (_place, cli) => {
  const found = (await Promise.all(agentEntries.map((entry) => inspect(entry, cli)))).filter((one) => one !== null)
  return found.length > 0
    ? found
    : [
        bad(
          'agents',
          'No agent was found on this PATH or the login shell’s.',
          agentEntries.map(({ install }) => install.replace('Install it: ', '')).join('\n'),
        ),
      ]
}

async function inspect({ client, program, title, needs }: AgentEntry, cli: Cli): Promise<DoctorFinding | null> {
  const path = await findProgram(program, cli)
  if (path === null) return null
  const { code, late, stdout } = await runProgram(path, ['--version'], { timeoutMs: VERSION_WITHIN_MS })
  if (code !== 0 && !late)
    return bad(
      `agent ${client}`,
      `${title} at ${path} does not start.`,
      needs === undefined
        ? `Try \`${program} --version\`, and install it again.`
        : `It needs ${needs}: see \`node --version\`. Else try \`${program} --version\`, and install it again.`,
    )
  const version = late ? null : versionIn(stdout)
  return agentFinding(title, { client, path, version, standing: standingOf(client, version) })
}
