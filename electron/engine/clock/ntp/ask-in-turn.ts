import { askServer, type Said } from './ask-server.ts'
import type { QueryDeps } from './query.ts'
import { readServer } from './server-address.ts'

export type Round =
  | { kind: 'heard'; server: string; offsetMs: number; delayMs: number; skew: number }
  /** `why`: of every server */
  | { kind: 'nobody'; why: string }

export interface RoundHow {
  servers: readonly string[]
  timeoutMs: number
  signal: AbortSignal
}

/** how long a server is left alone that asked for it */
const quietMs = 3_600_000

/**
 * Asks servers one after the other, until one answers. Remembers between rounds which to leave alone. Never rejects.
 */
export function createAsker(deps: QueryDeps): (how: RoundHow) => Promise<Round> {
  const quiet = new Map<string, { until: number; why: string }>()
  const failures = new Map<string, number>()

  const ask = async (server: string, { timeoutMs, signal }: RoundHow): Promise<Said> => {
    const address = readServer(server)
    if (address === null) return { kind: 'failed', why: 'is no host or host:port' }
    const resting = quiet.get(server)
    if (resting && deps.clock.monotonic() < resting.until) return { kind: 'failed', why: resting.why }
    quiet.delete(server)
    const said = await askServer(deps, address, { timeoutMs, failures: failures.get(server) ?? 0, signal })
    if (said.kind === 'kiss') quiet.set(server, { until: deps.clock.monotonic() + quietMs, why: said.why })
    if (said.kind === 'failed') failures.set(server, (failures.get(server) ?? 0) + 1)
    else failures.delete(server)
    return said
  }

  return async (how) => {
    const whys: string[] = []
    for (const server of new Set(how.servers)) {
      if (how.signal.aborted) break
      const said = await ask(server, how)
      if (said.kind === 'offset') return { ...said, kind: 'heard', server }
      whys.push(`${server}: ${said.why}`)
    }
    return { kind: 'nobody', why: whys.join('; ') }
  }
}
