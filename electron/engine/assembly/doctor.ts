import type { DoctorFinding } from '../../../shared/control/contract.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import type { TerminalsRegistry } from '../sessions/terminals-registry.ts'
import { providersOf } from '../router/prepared.ts'

/** What only the running engine can tell: its config, its providers' addresses, its terminals. */
export async function checkEngine({ config, registry }: { host: EngineHost; config: ConfigHandle; registry: TerminalsRegistry }): Promise<readonly DoctorFinding[]> {
  const problem = config.problem()
  const findings: DoctorFinding[] = [problem === null
    ? { check: 'config', ok: true, say: `${config.path} is what runs.`, mend: null }
    : { check: 'config', ok: false, say: problem, mend: 'Mend the file; the engine takes it up by itself.' }]
  for (const [id, provider] of Object.entries(providersOf(config.current()))) {
    if (provider.type === 'simulator') findings.push({ check: `provider ${id}`, ok: true, say: 'The simulator is built in. It is no model.', mend: null })
    else findings.push(await reach(id, provider.baseUrl ?? ''), ...provider.keys.map((key) => keyFinding(config, id, key.alias)))
  }
  const living = registry.list().filter(registry.alive).length
  findings.push({ check: 'terminals', ok: true, say: living === 1 ? '1 terminal is connected.' : `${living} terminals are connected.`, mend: null })
  return findings
}

function keyFinding(config: ConfigHandle, providerId: string, alias: string): DoctorFinding {
  const key = config.key(providerId, alias)
  return key.ok
    ? { check: `key ${providerId}.${alias}`, ok: true, say: 'It has a value.', mend: null }
    : { check: `key ${providerId}.${alias}`, ok: false, say: `It has no value: ${key.why}.`, mend: 'Set it where the config says, then start the engine from there.' }
}

/** Any answer at all means that the address is right; what the provider thinks of the request does not matter here. */
async function reach(id: string, baseUrl: string): Promise<DoctorFinding> {
  try {
    const answer = await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return { check: `provider ${id}`, ok: true, say: `${new URL(baseUrl).host} answers (${answer.status}).`, mend: null }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return { check: `provider ${id}`, ok: false, say: `${baseUrl} can’t be reached: ${cause}.`, mend: 'Check baseUrl in the config, the network and a proxy’s settings.' }
  }
}
