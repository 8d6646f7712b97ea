import type { ConfigInput } from '../../../shared/config/schema.ts'
import type { Found } from './types.ts'

type Provider = NonNullable<ConfigInput['providers']>[string]

/**
 * The provider that the config gets.
 *
 * @param secretRef where the key is kept, for one that is copied
 */
export function providerOf({ vendor, models, credential }: Found, secretRef: string): Provider | null {
  if (!vendor || credential.kind === 'none') return null
  const key =
    credential.kind === 'env'
      ? { alias: 'main', env: credential.name }
      : credential.kind === 'key'
        ? { alias: 'main', secretRef }
        : null
  return {
    type: vendor.type,
    baseUrl: vendor.baseUrl,
    ...(key ? { keys: [key] } : { auth: 'client' }),
    ...(models.length === 0 ? {} : { models: Object.fromEntries(models.map((model) => [model, {}])) }),
    ...(vendor.header === null ? {} : { quirks: { authHeader: vendor.header } }),
  }
}

/** The same as text, before anything is written. */
export function providerText(found: Found): string | null {
  const provider = found.vendor ? providerOf(found, `${found.vendor.id}-main`) : null
  return found.vendor && provider ? `"${found.vendor.id}": ${JSON.stringify(provider, null, 2)}` : null
}
