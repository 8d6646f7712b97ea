/** Holds a config within policies. Pure, without a validator: several policies hold together. */
import { baseUrlOf } from '../config/presets.ts'
import type { Config, ProviderConfig } from '../config/schema.ts'
import { budgetSettings, type AllowedFleet, type BudgetSetting, type Policy } from './policy.ts'

type Policies = readonly Policy[] | undefined

/**
 * Returns the config as far as the policies allow it. Providers and routes stay as they are, so that a person sees what
 * is refused: `permits` holds them where a model is chosen.
 */
export function applyPolicies(config: Config, policies: readonly Policy[]): Config {
  if (policies.length === 0) return config
  const { stopMessage, servertools, clock, phone, telemetry, fleet } = config
  return {
    ...config,
    held: policies,
    stopMessage: { ...stopMessage, budgets: boundBudgets(stopMessage.budgets, policies) },
    servertools: {
      ...servertools,
      tools: Object.fromEntries(
        Object.entries(servertools.tools).map(([name, on]) => [name, on && permitsTool(policies, name)]),
      ),
    },
    clock: { ...clock, enabled: clock.enabled && permitsTool(policies, 'clock') },
    phone: permitsPhone(policies) ? phone : { ...phone, host: null },
    fleet: refusesFleet(policies, fleet) ? { ...fleet, url: null } : fleet,
    telemetry: permitsTelemetry(policies) ? telemetry : { ...telemetry, metricsKeys: [], collector: null },
  }
}

function boundBudgets(
  budgets: Config['stopMessage']['budgets'],
  policies: readonly Policy[],
): Config['stopMessage']['budgets'] {
  const bounds = boundsOf(policies)
  return Object.fromEntries(budgetSettings.map((name) => [name, least(budgets[name], bounds[name])])) as typeof budgets
}

/** Returns the lowest bound of each budget; null: none. */
export function boundsOf(policies: Policies): Record<BudgetSetting, number | null> {
  const bounds = budgetSettings.map((name) => [
    name,
    (policies ?? []).reduce<number | null>((bound, { budgets }) => least(bound, budgets[name] ?? null), null),
  ])
  return Object.fromEntries(bounds) as Record<BudgetSetting, number | null>
}

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

export const permitsTool = (policies: Policies, tool: string): boolean =>
  (policies ?? []).every(({ servertools }) => servertools === null || servertools.includes(tool))

export const permitsPhone = (policies: Policies): boolean => (policies ?? []).every(({ phone }) => phone)

export const permitsTelemetry = (policies: Policies): boolean => (policies ?? []).every(({ telemetry }) => telemetry)

/** Returns the policy that does not let this fleet be joined; null: it may be, or none is wanted. */
export function refusesFleet(policies: Policies, { url, name }: { url: string | null; name: string }): Policy | null {
  if (url === null) return null
  const isAllowedFleet = (allowed: AllowedFleet) =>
    isHub(url, allowed.url) && (allowed.name === null || allowed.name === name)
  return policies?.find(({ fleets }) => fleets !== null && !fleets.some(isAllowedFleet)) ?? null
}

/** One that is allowed without TLS may be reached with it. */
function isHub(wanted: string, allowed: string): boolean {
  const [one, other] = [wanted, allowed].map((url) => new URL(url.replace(/^\w+:/, 'http:')))
  const at = (url: URL | undefined) => `${url?.hostname}:${url?.port || '4222'}`
  return at(one) === at(other) && (wanted.startsWith('tls:') || allowed.startsWith('nats:'))
}

/**
 * Returns the policy that does not let this provider be asked for this model; null: it may be. `model` null: for any.
 * The simulator stays on the machine, and is always allowed.
 */
export function refusalOf(
  policies: Policies,
  id: string,
  provider: Pick<ProviderConfig, 'type' | 'baseUrl' | 'via'>,
  model: string | null,
): Policy | null {
  if (policies === undefined || (provider.type === 'simulator' && provider.via === undefined)) return null
  // The address that another engine asks is not known here, so nothing allows it.
  const address = provider.via === undefined ? baseUrlOf(id, provider) : null
  return policies.find(({ providers }) => providers !== null && !isAllowed(providers, address, model)) ?? null
}

const isAllowed = (providers: NonNullable<Policy['providers']>, address: string | null, model: string | null) =>
  address !== null &&
  URL.canParse(address) &&
  providers.some(
    (allowed) =>
      isBelow(new URL(address), new URL(allowed.address)) &&
      (model === null || allowed.models === null || allowed.models.some((pattern) => fits(pattern, model))),
  )

/** True if some model of this provider is refused, so that other names in a request have to be looked at. */
export function holdsModels(policies: Policies): boolean {
  return policies?.some(({ providers }) => providers?.some(({ models }) => models !== null)) ?? false
}

function isBelow(address: URL, root: URL): boolean {
  const folder = (path: string) => (path.endsWith('/') ? path : `${path}/`)
  return address.origin === root.origin && folder(address.pathname).startsWith(folder(root.pathname))
}

/** Vendors read names in either case, and Google's may stand with `models/` before them. Takes one pass. */
function fits(pattern: string, model: string): boolean {
  const name = model
    .trim()
    .toLowerCase()
    .replace(/^models\//, '')
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}
