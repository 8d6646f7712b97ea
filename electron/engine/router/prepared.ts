import { createHash } from 'node:crypto'
import type { Config, ProviderConfig, RouteCategory, ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'

/** The provider of a machine without configuration: needs no account, and says that it is a simulator. */
export const embeddedSimulator: ProviderConfig = {
  type: 'simulator',
  keys: [],
  auth: 'none',
  headers: {},
  models: { simulator: {} },
  quirks: {},
}
export const SIMULATOR = 'simulator'

export type Providers = Readonly<Record<string, ProviderConfig>>
/** An entry of a route. Neighbours with a weight share the sessions; one without a weight stands alone in its place. */
export interface PoolEntry {
  providerId: string
  model: string
  weight: number | null
}
export interface Pool {
  entries: readonly PoolEntry[]
  /** changes with the pool, and with nothing else */ mark: string
}

/** A config prepared for routing: ten thousand decisions are made between two edits. */
export interface Prepared {
  providers: Providers
  /**
   * the providers and the simulator: a request that names it (`simulator/simulator`) gets it beside configured
   * providers too
   */
  addressable: Providers
  pools: ReadonlyMap<RouteCategory, Pool>
  /** where each model is listed */
  listing: ReadonlyMap<string, readonly PoolEntry[]>
  /** providers in the order a client of this protocol tries them when no route is configured: its own protocol first */
  nativeFirst(entry: EntryProtocol): readonly (readonly [string, ProviderConfig])[]
  /** true if some provider takes the client's own credential */
  takesCredentials: boolean
}

const known = new WeakMap<Config, Prepared>()

export function prepared(config: Config): Prepared {
  const before = known.get(config)
  if (before) return before
  const made = prepare(config)
  known.set(config, made)
  return made
}

/** Returns the providers in force: the configured ones, or the embedded simulator where there is none. */
export function providersOf(config: Config): Providers {
  return Object.keys(config.providers).length > 0 ? config.providers : { [SIMULATOR]: embeddedSimulator }
}

export const isNative = (provider: ProviderConfig, entry: EntryProtocol): boolean => {
  const protocol = providerProtocol(provider.type)
  return protocol === null || protocol === entry
}

/** Short, as each session that the route served keeps it. */
const markOf = (pool: unknown): string =>
  createHash('sha256').update(JSON.stringify(pool)).digest('base64url').slice(0, 16)

function prepare(config: Config): Prepared {
  const providers = providersOf(config)
  const pools = new Map<RouteCategory, Pool>()
  for (const [category, pool] of Object.entries(config.routes) as [RouteCategory, Config['routes'][RouteCategory]][]) {
    const entries = (pool ?? []).flatMap((entry): PoolEntry[] => {
      const target = splitTarget(typeof entry === 'string' ? entry : entry.target, providers)
      return target ? [{ ...target, weight: typeof entry === 'string' ? null : entry.weight }] : []
    })
    if (entries.length > 0) pools.set(category, { entries, mark: markOf(pool) })
  }
  const listing = new Map<string, PoolEntry[]>()
  for (const [providerId, { models }] of Object.entries(providers)) {
    for (const model of Object.keys(models)) {
      const there = listing.get(model)
      if (there) there.push({ providerId, model, weight: null })
      else listing.set(model, [{ providerId, model, weight: null }])
    }
  }
  const orders = new Map<EntryProtocol, readonly (readonly [string, ProviderConfig])[]>()
  return {
    providers,
    addressable: { [SIMULATOR]: embeddedSimulator, ...providers },
    pools,
    listing,
    takesCredentials: Object.values(providers).some((p) => p.auth === 'client'),
    nativeFirst(entry) {
      const before = orders.get(entry)
      if (before) return before
      const all = Object.entries(providers)
      const made = [...all.filter(([, p]) => isNative(p, entry)), ...all.filter(([, p]) => !isNative(p, entry))]
      orders.set(entry, made)
      return made
    },
  }
}

const spoken: Readonly<Record<ProviderType, EntryProtocol | 'gemini' | null>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
  simulator: null,
}

/** The protocol of a provider of this type; null: the client's, whichever it is. */
export const providerProtocol = (type: ProviderType): EntryProtocol | 'gemini' | null => spoken[type]

/**
 * Splits `provider.model`, `provider/model` or `provider,model`, where the provider exists; model names may hold dots,
 * slashes and colons themselves. Returns null for anything else.
 */
export function splitTarget(
  text: string,
  providers: Readonly<Record<string, unknown>>,
): { providerId: string; model: string } | null {
  const at = text.search(/[./,]/)
  if (at <= 0) return null
  const providerId = text.slice(0, at)
  const model = text.slice(at + 1).trim()
  return Object.hasOwn(providers, providerId) && model !== '' ? { providerId, model } : null
}
