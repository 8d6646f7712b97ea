import { baseUrlOf } from '../config/presets.ts'
import type { ProviderConfig } from '../config/schema.ts'
import { priceLists } from './price-lists.ts'
import type { ListPrice, PriceList, TokenPrice } from './types.ts'

/** A vendor's own prices at an address of theirs. `plan`: a subscription pays there, whatever the tokens. */
export interface VendorPrices {
  list: PriceList
  plan: boolean
}

/**
 * Returns the list prices that hold at this provider; null: none do. Only the vendor's own addresses count: a gateway
 * or an address a person made up has prices that are on no list.
 */
export function vendorPrices(id: string, provider: Pick<ProviderConfig, 'type' | 'baseUrl'>): VendorPrices | null {
  const address = provider.type === 'simulator' ? null : baseUrlOf(id, provider)
  const at = address === null ? null : withoutScheme(address)
  if (at === null) return null
  const begins = (with_: string) => at === with_ || at.startsWith(`${with_}/`)
  for (const list of priceLists) {
    if (list.plans.some(begins)) return { list, plan: true }
    if (list.addresses.some(begins)) return { list, plan: false }
  }
  return null
}

/** Returns host and path of an `https` address without a port of its own; null: another one. */
function withoutScheme(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.protocol === 'https:' && url.port === '' ? `${url.hostname}${url.pathname.replace(/\/+$/, '')}` : null
}

/**
 * The price of a model of the vendor itself. A snapshot costs what its model costs; `[1m]` is how Claude Code asks for
 * the long context. Anything else must stand in the list as it is: `-latest` and preview names move, and a name with a
 * slash is a gateway's.
 */
export function listPriceOf({ models }: PriceList, model: string): ListPrice | null {
  const name = model
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(/\[1m\]$/, '')
  return own(models, name) ?? own(models, name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ''))
}

const own = (models: PriceList['models'], name: string): ListPrice | null =>
  Object.hasOwn(models, name) ? (models[name] ?? null) : null

/** Returns the price of a request of this size at this time; null: not known. */
export function priceFor(list: PriceList, price: ListPrice, input: number, at: number): TokenPrice | null {
  if (price.until !== undefined && new Date(at).toISOString().slice(0, 10) > price.until) return null
  if (price.upTo !== undefined && input > price.upTo) return null
  const { longer, ...usual } = price
  return times(longer && input > longer.above ? longer : usual, peakFactor(list, at))
}

function peakFactor({ peak }: PriceList, at: number): number {
  if (!peak) return 1
  const date = new Date(at)
  const hour = date.getUTCHours()
  const works = date.getUTCDay() >= 1 && date.getUTCDay() <= 5
  return works && peak.hours.some(([from, to]) => hour >= from && hour < to) ? peak.times : 1
}

const times = ({ input, cachedInput, cacheWrite, cacheWriteHour, output }: TokenPrice, factor: number): TokenPrice => ({
  input: input * factor,
  ...(cachedInput === undefined ? {} : { cachedInput: cachedInput * factor }),
  ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * factor }),
  ...(cacheWriteHour === undefined ? {} : { cacheWriteHour: cacheWriteHour * factor }),
  output: output * factor,
})
