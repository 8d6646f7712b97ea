import type { Config, ProviderConfig, ProviderType, RouteCategory } from '../../../shared/config/schema.ts'
import type { EntryProtocol, RequestKind } from '../../../shared/words.ts'
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

const spoken: Record<ProviderType, readonly EntryProtocol[]> = {
  'openai-chat': ['chat'],
  'openai-responses': ['responses'],
  anthropic: ['messages'],
  gemini: [],
  simulator: ['chat', 'responses', 'messages'],
}
export const speaks = (type: ProviderType, entry: EntryProtocol): boolean => spoken[type].includes(entry)

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
    else if (!speaks(provider.type, ask.entry)) skip(`speaks ${provider.type}, the client speaks ${ask.entry}`)
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
  const { model } = ask
  const direct = model === null ? null : splitTarget(model, providers)
  if (direct) return { wanted: [direct], why: [`the client addressed ${model} directly`] }
  const alias = model === null ? undefined : config.aliases[model]
  const aliased = alias === undefined ? null : splitTarget(alias, providers)
  if (aliased) return { wanted: [aliased], why: [`${model} is an alias of ${alias}`] }
  const category = categoryOf(ask.kind)
  const pool = config.routes[category] ?? config.routes.default
  if (pool && pool.length > 0) {
    const wanted = pool.map((entry) => splitTarget(typeof entry === 'string' ? entry : entry.target, providers)).filter((t) => t !== null)
    return { wanted, why: [`route ${config.routes[category] ? category : 'default'}`] }
  }
  return withoutRoutes(ask, providers)
}

/** No route is configured: the provider that lists the model, else one that speaks the client's protocol. */
function withoutRoutes(ask: RouteAsk, providers: Readonly<Record<string, ProviderConfig>>): { wanted: readonly Target[]; why: readonly string[] } {
  const all = Object.entries(providers)
  const listing = all.filter(([, p]) => ask.model !== null && ask.model in p.models).map(([providerId]) => ({ providerId, model: ask.model ?? '' }))
  if (listing.some((t) => speaks(providers[t.providerId]?.type ?? 'gemini', ask.entry))) return { wanted: listing, why: [`the provider lists ${ask.model}`] }
  const wanted = all.map(([providerId, p]) => ({ providerId, model: p.type === 'simulator' ? (Object.keys(p.models)[0] ?? SIMULATOR) : (ask.model ?? Object.keys(p.models)[0] ?? '') }))
  return { wanted: [...listing, ...wanted], why: ['no route is configured: a provider of the client’s protocol, with the client’s model'] }
}

/** Auxiliary requests go to the background route (spec 06); the other categories come with the router's own issue. */
export const categoryOf = (kind: RequestKind): RouteCategory => (kind === 'title' || kind === 'probe' ? 'background' : 'default')
