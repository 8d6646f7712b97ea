import type { PriceFact } from '../../../shared/cost/cost.ts'
import type { ProviderConfig } from '../../../shared/config/schema.ts'
import type { Usage } from '../../../shared/cost/usage.ts'
import { listPriceOf, priceFor, vendorPrices, type VendorPrices } from '../../../shared/prices/find-price.ts'
import type { TokenPrice } from '../../../shared/prices/types.ts'
import type { CacheKeep } from '../protocol/types.ts'
import type { RouteChoice } from './types.ts'
import { baseUrlOf, presetOf } from '../../../shared/config/presets.ts'

export interface CostAsk {
  usage: Usage | null
  choice: Pick<RouteChoice, 'providerId' | 'provider' | 'upstreamModel'> | null
  /** true if the client's own login was sent, not a key; few prices need it */
  signedIn(): boolean
  at: number
}

/** `costUsd` null: nothing is known, or tokens are not paid for; `price` says which. */
export interface Costed {
  costUsd: number | null
  price?: PriceFact
}

/**
 * Returns the US dollars of one request: by the config's price, else by the list price of a vendor that was asked
 * directly.
 */
export function costOf({ usage, choice, signedIn, at }: CostAsk): Costed {
  if (!choice) return { costUsd: null }
  const { provider, providerId, upstreamModel } = choice
  const own = provider.models[upstreamModel]?.price
  if (own) return usage ? { costUsd: priced(usage, own), price: { from: 'config' } } : { costUsd: null }
  if (!usage) return { costUsd: null }
  const { here, vendor } = sellerOf(providerId, provider)
  if (here) return { costUsd: null, price: { from: 'local' } }
  if (!vendor) return { costUsd: null }
  const listed = listPriceOf(vendor.list, upstreamModel)
  const price = listed && priceFor(vendor.list, listed, usage.input, at)
  const taken = listed?.taken ?? vendor.list.taken
  if (vendor.plan || (provider.auth === 'client' && signedIn()))
    return { costUsd: null, price: { from: 'plan', worth: price ? { usd: priced(usage, price), taken } : null } }
  return price ? { costUsd: priced(usage, price), price: { from: 'list', taken } } : { costUsd: null }
}

function priced(usage: Usage, price: TokenPrice): number {
  const cached = Math.min(usage.cachedInput, usage.input)
  const written = Math.min(usage.cacheWrite ?? 0, usage.input - cached)
  const hour = Math.min(usage.cacheWriteHour ?? 0, written)
  const cacheWrite = price.cacheWrite ?? price.input
  return (
    ((usage.input - cached - written) * price.input +
      cached * (price.cachedInput ?? price.input) +
      (written - hour) * cacheWrite +
      hour * (price.cacheWriteHour ?? cacheWrite) +
      usage.output * price.output) /
    1_000_000
  )
}

/** The fewest tokens that vendors cache. Less than these may be a matter of where their blocks end. */
export const leastCold = 1024

/**
 * Returns the tokens that were not read from a cache that surely had them, though the request could have had as many.
 */
export const missedTokens = ({ cached }: { cached: number }, usage: Usage): number =>
  Math.min(cached, usage.input) - usage.cachedInput

const keepMs: Readonly<Record<CacheKeep, number>> = { minutes: 300_000, hour: 3_600_000, day: 86_400_000 }

/**
 * How long the vendor's own API keeps what nobody uses of its cache, in milliseconds; null: not documented, or the
 * provider is no such vendor. Anthropic: 5 minutes or an hour, by the mark (platform.claude.com/docs, Prompt caching).
 * OpenAI: an hour or a day at most, by `prompt_cache_retention` (developers.openai.com, Prompt caching).
 */
export function cacheKeptMs(
  { providerId, provider }: Pick<RouteChoice, 'providerId' | 'provider'>,
  keep: CacheKeep | null,
): number | null {
  const vendor = sellerOf(providerId, provider).vendor?.list.vendor
  return keep !== null && (vendor === 'Anthropic' || vendor === 'OpenAI') ? keepMs[keep] : null
}

/** Returns where the price of a model comes from, before the model is asked anything. */
export function priceSource(
  id: string,
  provider: ProviderConfig,
  model: string,
): { from: 'config' } | { from: 'list'; taken: string } | null {
  if (provider.models[model]?.price) return { from: 'config' }
  const { vendor } = sellerOf(id, provider)
  const listed = vendor && !vendor.plan ? listPriceOf(vendor.list, model) : null
  return vendor && listed ? { from: 'list', taken: listed.taken ?? vendor.list.taken } : null
}

/** Programs that run a model on the machine they answer on. */
const runners: readonly string[] = ['ollama', 'lmstudio', 'llamacpp', 'vllm']

interface Seller {
  id: string
  here: boolean
  vendor: VendorPrices | null
}

/** Every request asks for it to know its cost; forgotten with the config that named the provider. */
const known = new WeakMap<object, Seller>()

function sellerOf(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): Seller {
  const before = known.get(provider)
  if (before?.id === id) return before
  const seller = { id, here: answersHere(id, provider), vendor: vendorPrices(id, provider) }
  known.set(provider, seller)
  return seller
}

/**
 * True if the model runs on this machine, so that its tokens cost nothing. A local address alone does not say so:
 * gateways answer there as well, and pass requests on to paid providers.
 */
function answersHere(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): boolean {
  if (provider.type === 'simulator') return true
  const address = baseUrlOf(id, provider)
  if (address === null || !isLoopback(address)) return false
  return runners.includes(id) || runners.some((name) => new URL(presetOf(name)?.baseUrl ?? '').host === hostOf(address))
}

const hostOf = (address: string): string => new URL(address).host.replace(/^(localhost|\[::1\])(?=:|$)/, '127.0.0.1')

const isLoopback = (address: string): boolean =>
  URL.canParse(address) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
