import type { ListedModel, ModelPrice, ProviderDetails } from '../../../shared/control/provider-edit.ts'
import { priceFields, type ModelDraft, type PriceField } from './draft.ts'
import { listPriceOf, vendorPrices } from '../../../shared/prices/find-price.ts'

/** `taken`: the day the vendor's public list was read, `2026-10-24`; null: the provider's own list of models says so */
export interface UsualPrice {
  price: ModelPrice
  taken: string | null
}

/** The price of a model where the config names none: shown in the empty fields. null: it is not known. */
export function usualPrice(
  listed: Pick<ListedModel, 'price'> | null,
  { id, type, baseUrl }: Pick<ProviderDetails, 'id' | 'type' | 'baseUrl'>,
  model: string,
): UsualPrice | null {
  if (listed?.price) return { price: listed.price, taken: null }
  const vendor = vendorPrices(id, { type, ...(baseUrl === null ? {} : { baseUrl }) })
  const found = vendor && !vendor.plan ? listPriceOf(vendor.list, model) : null
  if (!vendor || !found) return null
  const { input, cachedInput, cacheWrite, cacheWriteHour, output } = found
  return { price: { input, cachedInput, cacheWrite, cacheWriteHour, output }, taken: found.taken ?? vendor.list.taken }
}

/** A price for an hour's cache has its place where the vendor takes one, or the config has one. */
export const pricesOf = (type: ProviderDetails['type'], models: readonly ModelDraft[]): readonly PriceField[] =>
  type === 'anthropic' || models.some(({ price }) => price.cacheWriteHour.trim() !== '')
    ? priceFields
    : priceFields.filter((field) => field !== 'cacheWriteHour')
