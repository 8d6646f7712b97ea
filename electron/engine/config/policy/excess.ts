import { faultOf } from '../../../../shared/config/config-faults.ts'
import type { Config } from '../../../../shared/config/schema.ts'
import {
  boundsOf,
  permitsPhone,
  permitsTelemetry,
  permitsTool,
  refusalOf,
  refusesFleet,
} from '../../../../shared/policy/apply.ts'
import { budgetSettings, type Policy } from '../../../../shared/policy/policy.ts'
import type { BrokenRule } from '../rules.ts'

/** Everything in a config, as its file says it, that policies hold at another value or refuse. */
export function excessOf(config: Config, policies: readonly Policy[]): readonly BrokenRule[] {
  if (policies.length === 0) return []
  return [...providers(config, policies), ...models(config, policies), ...settings(config, policies)]
}

/** @param by the policy that refuses it */
export const fleetFault = ({ name, url }: { name: string; url: string | null }, by: Policy) =>
  faultOf('held-fleet', { fleet: `${name} at ${url}`, by: nameOf(by) })

const nameOf = (policy: Policy | undefined): string => policy?.organisation ?? ''

function providers(config: Config, policies: readonly Policy[]): BrokenRule[] {
  return Object.entries(config.providers).flatMap(([id, provider]) => {
    const by = refusalOf(policies, id, provider, null)
    return by
      ? [{ path: ['providers', id], fault: faultOf('held-provider', { provider: id, by: nameOf(by) }) }]
      : Object.keys(provider.models).flatMap((model) => target(['providers', id, 'models', model], `${id}.${model}`))
  })

  function target(path: readonly PropertyKey[], text: string): BrokenRule[] {
    return heldTarget(config, policies, path, text)
  }
}

/** Wherever a config names a `provider.model`. */
function models(config: Config, policies: readonly Policy[]): BrokenRule[] {
  const held = (path: readonly PropertyKey[], text: string | null | undefined) =>
    text === null || text === undefined ? [] : heldTarget(config, policies, path, text)
  const { routes, aliases, stopMessage, servertools } = config
  const { engine } = servertools.webSearch
  return [
    ...Object.entries(routes).flatMap(([category, pool]) =>
      (pool ?? []).flatMap((entry, i) =>
        held(['routes', category, i], typeof entry === 'string' ? entry : entry.target),
      ),
    ),
    ...Object.entries(aliases).flatMap(([name, text]) => held(['aliases', name], text)),
    ...held(['stopMessage', 'review', 'model'], stopMessage.review.model),
    ...(engine?.type === 'model' ? held(['servertools', 'webSearch', 'engine', 'target'], engine.target) : []),
  ]
}

function heldTarget(
  config: Config,
  policies: readonly Policy[],
  path: readonly PropertyKey[],
  text: string,
): BrokenRule[] {
  const [, id = '', model = ''] = /^([^./,]*)[./,](.*)$/s.exec(text) ?? []
  const provider = Object.hasOwn(config.providers, id) ? config.providers[id] : undefined
  const by = provider && refusalOf(policies, id, provider, model)
  return by ? [{ path, fault: faultOf('held-model', { target: text, by: nameOf(by) }) }] : []
}

function settings(config: Config, policies: readonly Policy[]): BrokenRule[] {
  const { budgets } = config.stopMessage
  const bounds = boundsOf(policies)
  const broken: BrokenRule[] = budgetSettings.flatMap((name) => {
    const [most, value] = [bounds[name], budgets[name]]
    if (most === null || (value !== null && value <= most)) return []
    const by = nameOf(policies.find((policy) => policy.budgets[name] === most))
    return [{ path: ['stopMessage', 'budgets', name], fault: faultOf('held-budget', { setting: name, most, by }) }]
  })
  const on = Object.entries(config.servertools.tools).filter(([, wanted]) => wanted)
  for (const [tool, path] of [
    ...(config.clock.enabled ? [['clock', ['clock', 'enabled']] as const] : []),
    ...on.map(([name]) => [name, ['servertools', 'tools', name]] as const),
  ])
    if (!permitsTool(policies, tool)) {
      const by = nameOf(policies.find((policy) => !permitsTool([policy], tool)))
      broken.push({ path, fault: faultOf('held-tool', { tool, by }) })
    }
  if (config.phone.host !== null && !permitsPhone(policies)) {
    const by = nameOf(policies.find((policy) => !policy.phone))
    broken.push({ path: ['phone', 'host'], fault: faultOf('held-phone', { by }) })
  }
  const refusing = refusesFleet(policies, config.fleet)
  if (refusing) broken.push({ path: ['fleet', 'url'], fault: fleetFault(config.fleet, refusing) })
  if (!permitsTelemetry(policies)) {
    const { collector, metricsKeys } = config.telemetry
    const by = nameOf(policies.find((policy) => !policy.telemetry))
    const fault = faultOf('held-telemetry', { by })
    if (collector !== null) broken.push({ path: ['telemetry', 'collector'], fault })
    if (metricsKeys.length > 0) broken.push({ path: ['telemetry', 'metricsKeys'], fault })
  }
  return broken
}

/** A change of the config by which it would go beyond the policies more than it does. */
export function newExcess(
  before: Config | null,
  next: Config,
  policies: readonly Policy[],
  /** members that are set on purpose: a value that is refused already is not set again in silence */
  set: readonly (readonly PropertyKey[])[] = [],
): readonly BrokenRule[] {
  const said = ({ fault }: BrokenRule) => JSON.stringify([fault.code, fault.facts])
  const known = new Set(before ? excessOf(before, policies).map(said) : [])
  const isSet = ({ path }: BrokenRule) => set.some((one) => one.join('\0') === path.join('\0'))
  return excessOf(next, policies).filter((rule) => !known.has(said(rule)) || isSet(rule))
}
