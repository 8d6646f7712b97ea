import type { PoliciesView } from '../../../../shared/policy/policy.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { checkConfig } from '../check.ts'
import { nodeConfigFiles } from '../node-files.ts'
import { readText } from '../read-text.ts'
import type { ConfigProblem } from '../types.ts'
import { excessOf, newExcess } from './excess.ts'
import { openPolicies } from './open-policies.ts'
import { policySources } from './source.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The policies of this machine, for a config text without an engine. null: there are none. */
export async function policiesFor(text: string | null, env: Env): Promise<PoliciesView | null> {
  const { policies, trouble } = await read(env)
  if (policies.length === 0 && trouble === null) return null
  const { config } = checkConfig(text ?? '{}', env)
  const excess = config ? excessOf(config, policies) : []
  return { policies, trouble, bounded: excess.map(({ path, fault }) => ({ path: path.map(String).join('.'), fault })) }
}

/** Returns what policies refuse of a change from one config text to another. */
export async function refusedChange(before: string, text: string, env: Env): Promise<readonly ConfigProblem[]> {
  const { policies } = await read(env)
  const { config } = checkConfig(text, env)
  const { read: places } = readText(text, null)
  if (policies.length === 0 || !config || !places) return []
  return newExcess(checkConfig(before, env).config, config, policies).map(({ path, fault }) =>
    places.problemAt(path, fault),
  )
}

async function read(env: Env) {
  const deps = { files: nodeConfigFiles(), clock: systemClock(), log: silentLog }
  const open = await openPolicies(policySources(env, process.platform, deps), silentLog)
  open.dispose()
  return { policies: open.current(), trouble: open.trouble() }
}
