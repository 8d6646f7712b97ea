import { agentEntries } from '../commands/agents.ts'
import { findProgram } from '../launch/find-program.ts'
import { runProgram } from '../launch/run-program.ts'
import { oneLine } from '../output/clean.ts'
import { bad, good, type Check } from './types.ts'

/** an agent that unpacks itself at its first start takes long */
const versionWithinMs = 15_000

export const checkAgents: Check = async (_place, cli) => {
  const found = await Promise.all(
    agentEntries.map(async ({ program, title }) => {
      const path = await findProgram(program, cli)
      if (!path) return null
      const { code, stdout } = await runProgram(path, ['--version'], { timeoutMs: versionWithinMs })
      const version = oneLine(stdout.split('\n')[0] ?? '')
      return code === 0
        ? good('agents', `${title}: ${version || 'version unknown'} at ${path}`)
        : bad('agents', `${title} at ${path} does not start.`, `Try \`${program} --version\`, and install it again.`)
    }),
  )
  const findings = found.filter((finding) => finding !== null)
  return findings.length > 0
    ? findings
    : [
        bad(
          'agents',
          'No agent was found on this PATH or the login shell’s.',
          agentEntries.map(({ install }) => install.replace('Install it: ', '')).join('\n'),
        ),
      ]
}
