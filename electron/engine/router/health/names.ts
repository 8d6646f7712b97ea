import type { ProviderConfig } from '../../../../shared/config/schema.ts'
import type { RouteChoice } from '../types.ts'

/**
 * A provider under one id. Edited to live elsewhere, or to be spoken to in another way, it is another one: it does not
 * rest for what the old one did.
 */
export interface Named {
  providerId: string
  provider: ProviderConfig
}

const addresses = new WeakMap<ProviderConfig, string>()

export function providerName({ providerId, provider }: Named): string {
  const known = addresses.get(provider)
  const address =
    known ?? JSON.stringify([provider.type, provider.baseUrl, provider.auth, provider.headers, provider.quirks])
  if (known === undefined) addresses.set(provider, address)
  return `${providerId}\0${address}`
}

export const modelPrefix = (named: Named): string => `${providerName(named)}\0m`
export const modelName = (named: Named, model: string): string => `${modelPrefix(named)}${model}`
export const keyPrefix = (named: Named): string => `${providerName(named)}\0k`
/** A key that got a new value is a new key. A client's own login is a key, too. */
export const keyName = (choice: Named & Pick<RouteChoice, 'key' | 'credential'>): string =>
  `${keyPrefix(choice)}${choice.key ? `${choice.key.alias}\0${choice.key.value}` : (choice.credential ?? '')}`
