import type { DoctorFinding } from '../../../shared/control/contract.ts'
import { targetText } from '../../../shared/target-text.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import type { TerminalsRegistry } from '../sessions/terminals-registry.ts'
import { providersOf } from '../router/prepared.ts'
import { reviewerOf } from './reviewer-of.ts'

/** What only the running engine can tell: its config, its providers' addresses, its terminals. */
export async function checkEngine({
  host,
  config,
  registry,
}: {
  host: EngineHost
  config: ConfigHandle
  registry: TerminalsRegistry
}): Promise<readonly DoctorFinding[]> {
  const problem = config.problem()
  const findings: DoctorFinding[] = [
    problem === null
      ? { check: 'config', ok: true, say: `${config.path} is what runs.`, mend: null }
      : { check: 'config', ok: false, say: problem, mend: 'Mend the file; the engine takes it up by itself.' },
  ]
  for (const [id, provider] of Object.entries(providersOf(config.current()))) {
    if (provider.type === 'simulator')
      findings.push({
        check: `provider ${id}`,
        ok: true,
        say: 'The simulator is built in. It is no model.',
        mend: null,
      })
    else
      findings.push(
        await reach(id, provider.baseUrl ?? ''),
        ...provider.keys.map((key) => keyFinding(config, id, key.alias)),
      )
  }
  findings.push(await reviewerFinding(config, host))
  const living = registry.list().filter(registry.alive).length
  findings.push({
    check: 'terminals',
    ok: true,
    say: living === 1 ? '1 terminal is connected.' : `${living} terminals are connected.`,
    mend: null,
  })
  return findings
}

function keyFinding(config: ConfigHandle, providerId: string, alias: string): DoctorFinding {
  const key = config.key(providerId, alias)
  return key.ok
    ? { check: `key ${providerId}.${alias}`, ok: true, say: 'It has a value.', mend: null }
    : {
        check: `key ${providerId}.${alias}`,
        ok: false,
        say: `It has no value: ${key.why}.`,
        mend: 'Set it where the config says, then start the engine from there.',
      }
}

/** Nothing is asked of it: a review costs what a turn costs. */
export async function reviewerFinding(
  config: Pick<ConfigHandle, 'current'>,
  { findProgram }: Pick<EngineHost, 'findProgram'>,
): Promise<DoctorFinding> {
  const { providers, stopMessage } = config.current()
  const { backend, by, problem } = reviewerOf(config.current())
  const check = 'reviewer'
  // as with the simulator itself: a first look around has nothing to mend
  if (problem !== null && backend === 'model' && Object.keys(providers).length === 0)
    return { check, ok: true, say: problem, mend: null }
  if (problem !== null)
    return {
      check,
      ok: false,
      say: problem,
      mend: `Goals are sent as they are written until then. ${howToReview[backend]}`,
    }
  if (backend === 'model')
    return {
      check,
      ok: true,
      say: `Goals are reviewed by ${Object.hasOwn(config.current().routes, by) ? `the route ${by}` : targetText(by)}.`,
      mend: null,
    }
  const path = await findProgram(stopMessage.review.command[0] ?? '')
  return path === null
    ? {
        check,
        ok: false,
        say: `Goals are reviewed by the program ${by}, which is not found.`,
        mend: 'Install it where your login shell finds it, or write its whole path in stopMessage.review.command.',
      }
    : { check, ok: true, say: `Goals are reviewed by the program ${path}.`, mend: null }
}

/** Any answer at all means that the address is right; what the provider thinks of the request does not matter here. */
async function reach(id: string, baseUrl: string): Promise<DoctorFinding> {
  try {
    const answer = await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    return {
      check: `provider ${id}`,
      ok: true,
      say: `${new URL(baseUrl).host} answers (${answer.status}).`,
      mend: null,
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return {
      check: `provider ${id}`,
      ok: false,
      say: `${baseUrl} can’t be reached: ${cause}.`,
      mend: 'Check baseUrl in the config, the network and a proxy’s settings.',
    }
  }
}

const howToReview = {
  command: 'Name a program: "stopMessage": { "review": { "command": ["codex", "exec", "-"] } }.',
  model:
    'Add a route: "routes": { "review": ["provider.model"] }, with a provider that has a key, ' +
    'or name a model in stopMessage.review.model.',
}
