import type { Config, ProviderConfig, ProviderType, RouteCategory } from '../../../shared/config/schema.ts'
import { providerProtocol } from './provider-protocol.ts'
import { isSmallModel } from './small-models.ts'
import { splitTarget } from './target.ts'
import type { RouteAsk } from './types.ts'

/** A provider and model that a request may go to, before health and keys are looked at. */
export interface Candidate { providerId: string; provider: ProviderConfig; model: string }

export interface Candidates {
  list: readonly Candidate[]
  /** the rules that matched, as plain sentences */
  why: readonly string[]
  skipped: readonly { candidate: string; why: string }[]
}

/** The provider of a machine without configuration: works without any account, and says that it is a simulator. */
export const embeddedSimulator: ProviderConfig = { type: 'simulator', keys: [], auth: 'none', headers: {}, models: { simulator: {} }, quirks: {} }
export const SIMULATOR = 'simulator'

/** Providers in force: the configured ones, or the embedded simulator where there is none. */
export function providersOf(config: Config): Readonly<Record<string, ProviderConfig>> {
  return Object.keys(config.providers).length > 0 ? config.providers : { [SIMULATOR]: embeddedSimulator }
}

/** What a provider of this type speaks is the client's own protocol, or can be converted. */
export function serves(type: ProviderType, { entry, endpoint }: Pick<RouteAsk, 'entry' | 'endpoint'>): boolean {
  const protocol = providerProtocol(type)
  return protocol === null || protocol === entry || endpoint === 'generate'
}

/** Where a request may go, best first. Pure: the same ask and config give the same list. */
export function candidatesFor(ask: RouteAsk, config: Config): Candidates {
  const providers = providersOf(config)
  const { wanted, why } = wantedTargets(ask, config, providers)
  const list: Candidate[] = []
  const skipped: { candidate: string; why: string }[] = []
  const { force, allow, disabled } = ask.overrides
  for (const { providerId, model } of wanted) {
    const provider = providers[providerId]
    const candidate = `${providerId}.${model}`
    const skip = (reason: string) => { skipped.push({ candidate, why: reason }) }
    if (!provider) skip('no such provider')
    else if (disabled.includes(providerId) || disabled.includes(candidate)) skip('disabled in this session')
    else if (allow !== null && force === null && !allow.includes(providerId)) skip('not on this session’s allow-list')
    else if (!serves(provider.type, ask)) skip(`speaks ${provider.type}, and this is a request of ${ask.entry} only`)
    else if (!list.some((c) => c.providerId === providerId && c.model === model)) list.push({ providerId, provider, model })
  }
  return { list, why, skipped }
}

interface Target { providerId: string; model: string }

function wantedTargets(ask: RouteAsk, config: Config, providers: Readonly<Record<string, ProviderConfig>>): { wanted: readonly Target[]; why: readonly string[] } {
  const { force, prefer } = ask.overrides
  const forced = force === null ? null : splitTarget(force, providers)
  if (forced) return { wanted: [forced], why: [`forced by a marker to ${force}`] }
  const preferred = prefer === null ? null : splitTarget(prefer, providers)
  const first: Target[] = preferred ? [preferred] : []
  const whyFirst = preferred ? [`a marker prefers ${prefer}`] : []
  const usual = usualTargets(ask, config, providers)
  return { wanted: [...first, ...usual.wanted], why: [...whyFirst, ...usual.why] }
}

function usualTargets(ask: RouteAsk, config: Config, providers: Readonly<Record<string, ProviderConfig>>): { wanted: readonly Target[]; why: readonly string[] } {
  const { model, because } = afterAliases(ask.model, config.aliases)
  const direct = model === null ? null : splitTarget(model, providers)
  if (direct) return { wanted: [direct], why: because.length > 0 ? because : [`the client addressed ${model} directly`] }
  const category = categoryOf({ ...ask, model })
  const pools = [category, 'default' as const].filter((name, i, all) => all.indexOf(name) === i && (config.routes[name]?.length ?? 0) > 0)
  if (pools.length > 0) {
    // The default pool stands behind the background one: what speaks another protocol or is refused there is still answered.
    const wanted = pools.flatMap((name) => config.routes[name] ?? []).map((entry) => splitTarget(typeof entry === 'string' ? entry : entry.target, providers)).filter((t) => t !== null)
    return { wanted, why: [...because, `route ${pools.join(', then ')}`] }
  }
  const without = withoutRoutes({ ...ask, model }, providers)
  return { wanted: without.wanted, why: [...because, ...without.why] }
}

/** An alias may name another; a circle ends where it began. */
function afterAliases(model: string | null, aliases: Config['aliases']): { model: string | null; because: readonly string[] } {
  const because: string[] = []
  const seen = new Set<string>()
  let name = model
  while (name !== null && Object.hasOwn(aliases, name) && !seen.has(name)) {
    seen.add(name)
    const next: string | undefined = aliases[name]
    if (next === undefined) break
    because.push(`${name} is an alias of ${next}`)
    name = next
  }
  return { model: name, because }
}

/**
 * No route is configured: providers that list the model, then those of the client's protocol with the client's model,
 * then the others with a model of their own, for they hardly know the client's.
 */
function withoutRoutes(ask: RouteAsk, providers: Readonly<Record<string, ProviderConfig>>): { wanted: readonly Target[]; why: readonly string[] } {
  const native = ([, { type }]: [string, ProviderConfig]) => { const protocol = providerProtocol(type); return protocol === null || protocol === ask.entry }
  const all = Object.entries(providers)
  const nativeFirst = [...all.filter(native), ...all.filter((p) => !native(p))]
  const listing = nativeFirst.filter(([, p]) => ask.model !== null && Object.hasOwn(p.models, ask.model)).map(([providerId]) => ({ providerId, model: ask.model ?? '' }))
  if (listing.length > 0) return { wanted: listing, why: [`the provider lists ${ask.model}`] }
  const wanted = nativeFirst.flatMap(([providerId, p]) => {
    const own = Object.keys(p.models)[0]
    const model = p.type === 'simulator' ? (own ?? SIMULATOR) : native([providerId, p]) ? (ask.model ?? own) : (own ?? ask.model)
    return model === undefined || model === null ? [] : [{ providerId, model }]
  })
  return { wanted, why: ['no route is configured: a provider of the client’s protocol with the client’s model, else another with its own'] }
}

/**
 * Spec 06: background is the client's small, fast model or an auxiliary request. Of those, compaction and counting stay
 * with their conversation's model: its cached prefix, its context window and its tokens are what they are about.
 */
export const categoryOf = ({ kind, model }: Pick<RouteAsk, 'kind' | 'model'>): RouteCategory =>
  kind === 'title' || kind === 'probe' || (kind !== 'compaction' && kind !== 'count' && model !== null && isSmallModel(model)) ? 'background' : 'default'
