import { isUnfinished, keysInTrouble } from '../../../shared/secrets/secrets.ts'
import { doctorFinding } from '../../../shared/control/agent-finding.ts'
import type { FleetView } from '../../../shared/fleet.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { DoctorFact, DoctorFinding } from '../../../shared/doctor.ts'
import { refusalOf } from '../../../shared/policy/apply.ts'
import type { PoliciesView } from '../../../shared/policy/policy.ts'
import { targetText } from '../../../shared/target-text.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import type { KeptSecrets } from '../secrets/kept-secrets.ts'
import type { TerminalsRegistry } from '../sessions/binding/terminals-registry.ts'
import type { CollectorState } from '../telemetry/types.ts'
import type { NeedsWatch } from '../terminals/needs-watch.ts'
import { providersOf } from '../router/prepared.ts'
import { reviewerOf, reviewerTroubleOf } from './goals/reviewer-of.ts'

/** Checks that need the running engine: its config, its providers' addresses, its terminals. */
export async function checkEngine({
  host,
  config,
  secrets,
  registry,
  needs,
  collector,
  fleet,
}: {
  host: EngineHost
  config: ConfigHandle
  secrets: Pick<KeptSecrets, 'view'>
  registry: TerminalsRegistry
  needs: Pick<NeedsWatch, 'asks'>
  /** null: telemetry goes nowhere */
  collector: CollectorState | null
  /** null: none is joined */
  fleet: FleetView | null
}): Promise<readonly DoctorFinding[]> {
  const { path } = config
  const problem = config.problem()
  const trouble = config.trouble()
  const findings: DoctorFinding[] = [
    doctorFinding(
      'config',
      problem === null
        ? { code: 'config-runs', path }
        : { code: 'config-problem', path, problem, ...(trouble && { trouble }) },
    ),
  ]
  const policies = config.policies()
  if (policies) findings.push(doctorFinding('policy', policyFact(policies)))
  for (const [id, provider] of Object.entries(providersOf(config.current()))) {
    const check = `provider ${id}`
    // Its address is left alone, too.
    if (refusalOf(config.current().held, id, provider, null)) continue
    if (provider.type === 'simulator') findings.push(doctorFinding(check, { code: 'provider-simulator', provider: id }))
    else
      findings.push(
        doctorFinding(check, await reach(id, provider.baseUrl ?? '')),
        ...provider.keys.map((key) => keyFinding(config, id, key.alias)),
      )
  }
  findings.push(await secretsFinding(secrets))
  findings.push(await reviewerFinding(config, host))
  if (collector)
    findings.push(
      doctorFinding(
        'telemetry',
        collector.away
          ? { code: 'collector-away', host: collector.host, why: collector.away.why }
          : { code: 'collector', host: collector.host },
      ),
    )
  if (fleet) {
    const { name, url, engine, state } = fleet
    const why = state.kind === 'away' ? state.why.message : 'it has not answered yet.'
    findings.push(
      doctorFinding(
        'fleet',
        state.kind === 'there' ? { code: 'fleet', name, url, engine } : { code: 'fleet-away', name, why },
      ),
    )
  }
  const count = registry.list().filter(registry.alive).length
  findings.push(doctorFinding('terminals', { code: 'terminals', count }))
  for (const { terminalId, name, cwd } of registry.list())
    if (needs.asks(terminalId)?.what === 'calls-elsewhere')
      findings.push(doctorFinding(`terminal ${terminalId}`, { code: 'calls-elsewhere', name, cwd }))
  return findings
}

function policyFact({ policies, bounded, trouble }: PoliciesView): DoctorFact {
  if (trouble) return { code: 'policy-trouble', trouble }
  const [first] = policies
  return {
    code: 'policy',
    organisation: policies.find(({ organisation }) => organisation !== null)?.organisation ?? '',
    source: first?.source ?? '',
    bounded: bounded.map(({ path }) => path),
  }
}

export function keyFinding(config: Pick<ConfigHandle, 'key'>, provider: string, key: string): DoctorFinding {
  const found = config.key(provider, key)
  return doctorFinding(
    `key ${provider}.${key}`,
    found.ok ? { code: 'key-set', provider, key } : { code: 'key-missing', provider, key, why: found.why },
  )
}

/** Checks with a test entry whether the keychain works, unless the file was chosen. */
async function secretsFinding(secrets: Pick<KeptSecrets, 'view'>): Promise<DoctorFinding> {
  const before = await secrets.view()
  const kept = before.keep === 'file' && before.count.keychain === 0 ? before : await secrets.view({ probe: true })
  const code = keysInTrouble(kept) !== null || isUnfinished(kept) ? 'secrets-trouble' : 'secrets-kept'
  return doctorFinding('keys', { code, kept })
}

/** Checks the reviewer without asking it: a review costs as much as a turn. */
export const reviewerFinding = async (
  config: Pick<ConfigHandle, 'current'>,
  host: Pick<EngineHost, 'findProgram'>,
): Promise<DoctorFinding> => doctorFinding('reviewer', await reviewerFact(config.current(), host))

async function reviewerFact(config: Config, { findProgram }: Pick<EngineHost, 'findProgram'>): Promise<DoctorFact> {
  const { providers, routes, stopMessage } = config
  const { backend, by } = reviewerOf(config)
  const why = reviewerTroubleOf(config)
  // as with the simulator itself: a person who only looks around has nothing to fix
  if (why !== null && backend === 'model' && Object.keys(providers).length === 0) return { code: 'reviewer-later' }
  if (why !== null) return { code: 'reviewer-trouble', backend, why }
  if (backend === 'model')
    return Object.hasOwn(routes, by)
      ? { code: 'reviewer', kind: 'route', by }
      : { code: 'reviewer', kind: 'model', by: targetText(by) }
  const path = await findProgram(stopMessage.review.command[0] ?? '')
  return path === null
    ? { code: 'reviewer-program-missing', program: by }
    : { code: 'reviewer', kind: 'program', by: path }
}

/** Any answer at all means that the address is right; whether the provider accepts the request does not matter here. */
async function reach(provider: string, baseUrl: string): Promise<DoctorFact> {
  try {
    const { status } = await fetch(baseUrl, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    })
    return { code: 'provider-answers', provider, host: new URL(baseUrl).host, status }
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return { code: 'provider-unreachable', provider, baseUrl, why }
  }
}
