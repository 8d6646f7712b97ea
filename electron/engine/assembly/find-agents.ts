import { execFile } from 'node:child_process'
import type { FoundAgent } from '../../../shared/control/contract.ts'
import { clientKinds } from '../../../shared/words.ts'
import type { EngineHost } from '../host.ts'
import { agents } from '../terminals/agents/index.ts'

/** an agent that unpacks itself at its first start takes long */
const VERSION_MS = 15_000

/** The agents on this machine, found through the login shell, with what they say of their version. */
export async function findAgents(host: EngineHost): Promise<readonly FoundAgent[]> {
  const known = clientKinds.filter((client) => client !== 'other')
  const found = await Promise.all(
    known.map(async (client): Promise<FoundAgent | null> => {
      const program = agents[client].programs[0]
      const path = program === undefined ? null : await host.findProgram(program)
      return path === null ? null : { client, path, version: await versionOf(path) }
    }),
  )
  return found.filter((agent) => agent !== null)
}

function versionOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: VERSION_MS, maxBuffer: 65_536 }, (error, stdout) => {
      resolve(error ? null : (/\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? null))
    })
  })
}
