import { createHash } from 'node:crypto'
import { baseUrlOf } from '../../../../shared/config/presets.ts'
import { routeCategories, type Config, type ProviderConfig } from '../../../../shared/config/schema.ts'
import type { ProviderDetails, RoutePlace } from '../../../../shared/control/provider-edit.ts'
import { splitTarget } from '../../router/prepared.ts'

/** Returns the config of one provider, for a form. */
export function providerDetails(id: string, provider: ProviderConfig, config: Config): ProviderDetails {
  return {
    id,
    type: provider.type,
    baseUrl: provider.type === 'simulator' || provider.via !== undefined ? null : baseUrlOf(id, provider),
    ...(provider.via !== undefined && { via: provider.via }),
    auth: provider.auth,
    keys: provider.keys.map((key) => ({
      alias: key.alias,
      from: 'value' in key ? 'value' : 'env' in key ? 'env' : 'secret',
      env: 'env' in key ? key.env : null,
    })),
    models: Object.entries(provider.models).map(([model, { contextWindow, vision, thinking, price }]) => ({
      id: model,
      contextWindow: contextWindow ?? null,
      vision: vision ?? null,
      thinking: thinking ?? null,
      price: price ?? null,
    })),
    routes: placesOf(id, config),
    revision: revisionOf(provider),
  }
}

/** Hashes all of a provider's config, keys too: a hash gives no key away. */
export const revisionOf = (provider: ProviderConfig): string =>
  createHash('sha256').update(JSON.stringify(provider)).digest('hex').slice(0, 24)

function placesOf(id: string, { routes, providers }: Config): readonly RoutePlace[] {
  return routeCategories.flatMap((category) => {
    const pool = routes[category] ?? []
    return pool.flatMap((entry, i): RoutePlace[] => {
      const target = splitTarget(typeof entry === 'string' ? entry : entry.target, providers)
      return target?.providerId === id ? [{ category, model: target.model, at: i + 1, of: pool.length }] : []
    })
  })
}
