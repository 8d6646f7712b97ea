import { faultOf, type ConfigFault } from '../../../../shared/config/config-faults.ts'
import { closedPolicy, type Policy, type PolicyTrouble } from '../../../../shared/policy/policy.ts'
import { disposables, emitter, type Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { serial } from '../../base/work.ts'
import { problemOf } from '../problem-of.ts'
import type { ConfigProblem } from '../types.ts'
import { readPolicy } from './read-policy.ts'
import type { PolicySource } from './source.ts'

/** The policies of this machine as they hold now. */
export interface Policies extends Disposable {
  /** the same list until one of them changes */
  current(): readonly Policy[]
  trouble(): PolicyTrouble | null
  onChange(listener: () => void): Disposable
}

/** What is known of one source. `policy` undefined: nothing yet; null: there is none. */
interface Known {
  policy: Policy | null | undefined
  trouble: PolicyTrouble | null
}

/**
 * Reads all policies and follows them. One that turns wrong while the engine runs leaves in force what was read before:
 * an administrator's slip must not end everybody's work. From the start, nothing may run.
 */
export async function openPolicies(sources: readonly PolicySource[], log: Log): Promise<Policies> {
  const changed = emitter<void>((error) => log.error({ error: messageOf(error) }, 'A listener of the policy failed.'))
  const known = new Map<PolicySource, Known>(sources.map((one) => [one, { policy: undefined, trouble: null }]))
  const inTurn = serial()
  let current: readonly Policy[] = []
  let over = false

  const look = (source: PolicySource) =>
    inTurn(async () => {
      const before = known.get(source) ?? { policy: undefined, trouble: null }
      const next = await readOne(source, before)
      if (over || JSON.stringify(next) === JSON.stringify(before)) return
      known.set(source, next)
      current = sources.flatMap((one) => {
        const { policy } = known.get(one) ?? {}
        return policy === undefined ? [closedPolicy(one.name)] : (policy ?? [])
      })
      if (next.trouble) log.error({ source: source.name }, next.trouble.said)
      else if (next.policy || before.policy)
        log.info({ source: source.name }, next.policy ? 'A policy holds here.' : 'This policy holds no longer.')
      changed.emit()
    })

  await Promise.all(sources.map(look))
  const followed = disposables()
  for (const source of sources) followed.add(source.follow(() => void look(source)))
  return {
    current: () => current,
    trouble: () => [...known.values()].find(({ trouble }) => trouble)?.trouble ?? null,
    onChange: (listener) => changed.on(listener),
    dispose() {
      over = true
      followed.dispose()
    },
  }
}

async function readOne(source: PolicySource, before: Known): Promise<Known> {
  const { name, required } = source
  try {
    const text = await source.read()
    if (text === null)
      return required
        ? { policy: before.policy, trouble: troubleOf(name, [whole('policy-missing', { file: name })], before) }
        : { policy: null, trouble: null }
    const { policy, problems } = readPolicy(text, name)
    return policy ? { policy, trouble: null } : { policy: before.policy, trouble: troubleOf(name, problems, before) }
  } catch (error) {
    const problem = whole('policy-unreadable', { file: name, why: messageOf(error) })
    return { policy: before.policy, trouble: troubleOf(name, [problem], before) }
  }
}

const whole = (code: 'policy-missing' | 'policy-unreadable', facts: ConfigFault['facts']): ConfigProblem =>
  problemOf({ line: 0, column: 0, path: '' }, faultOf(code, facts as never))

function troubleOf(source: string, problems: readonly ConfigProblem[], { policy }: Known): PolicyTrouble {
  const problem = problems[0] ?? problemOf({ line: 0, column: 0, path: '' }, faultOf('empty', {}))
  const { line, column, path, message } = problem
  const place = line === 0 ? '' : `${source}, line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: `
  const meanwhile = policy === undefined ? 'nothing' : 'before'
  const then = meanwhile === 'nothing' ? 'Onward refuses all calls until it is mended.' : 'The rules read before go on.'
  return { source, problem, meanwhile, said: `${place}${message} ${then}` }
}
