import { execFile } from 'node:child_process'
import type { FoundAgent } from '../../../../shared/control/contract.ts'
import { clientKinds } from '../../../../shared/words.ts'
import type { EngineHost } from '../../host.ts'
import { agents } from '../../terminals/agents/index.ts'
import { standingOf, VERSION_WITHIN_MS, versionIn } from '../../terminals/agents/version.ts'

/** Finds the agents on this machine through the login shell, with the version they report. */
export async function findAgents({ findProgram }: Pick<EngineHost, 'findProgram'>): Promise<readonly FoundAgent[]> {
  const known = clientKinds.filter((client) => client !== 'other')
  const found = await Promise.all(
    known.map(async (client): Promise<FoundAgent | null> => {
      const program = agents[client].programs[0]
      const path = program === undefined ? null : await findProgram(program)
      if (path === null) return null
      const version = await versionOf(path)
      return { client, path, version, standing: standingOf(client, version) }
    }),
  )
  return found.filter((agent) => agent !== null)
}

function versionOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      path,
      ['--version'],
      { timeout: VERSION_WITHIN_MS, killSignal: 'SIGKILL', maxBuffer: 65_536 },
      (error, stdout) => resolve(error ? null : versionIn(stdout)),
    )
  })
}
