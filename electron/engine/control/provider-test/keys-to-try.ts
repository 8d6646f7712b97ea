import type { ProviderConfig } from '../../../../shared/config/schema.ts'
import type { ConfigHandle } from '../../config/types.ts'

/** null: nothing is sent with the call */
export type TriedKey = { alias: string; value: string } | null

/** Returns the keys to ask a provider with, in the order of its config. */
export function keysToTry(
  id: string,
  provider: ProviderConfig,
  config: Pick<ConfigHandle, 'key'>,
): readonly ({ key: TriedKey } | { alias: string; why: string })[] {
  if (provider.auth === 'none' || provider.type === 'simulator' || provider.keys.length === 0) return [{ key: null }]
  return provider.keys.map(({ alias }) => {
    const found = config.key(id, alias)
    return found.ok ? { key: { alias, value: found.value } } : { alias, why: found.why }
  })
}
