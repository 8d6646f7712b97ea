import type { Config } from '../../../shared/config/schema.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { KeyValue } from './types.ts'

type Key = Config['providers'][string]['keys'][number]

export interface KeySources {
  env: Readonly<Record<string, string | undefined>>
  /** reads a secret that the desktop keeps; null when there is none of that name */
  secret(ref: string): Promise<string | null>
}

/**
 * Looks up every key of a config once, so that routing never waits. A missing one is no error here: another key or
 * provider may do.
 */
export async function lookUpKeys(config: Config, sources: KeySources): Promise<ReadonlyMap<string, KeyValue>> {
  const found = new Map<string, KeyValue>()
  for (const [id, provider] of Object.entries(config.providers)) {
    for (const key of provider.keys) found.set(keyName(id, key.alias), await lookUp(key, sources))
  }
  return found
}

export const keyName = (providerId: string, alias: string): string => `${providerId}\0${alias}`

async function lookUp(key: Key, { env, secret }: KeySources): Promise<KeyValue> {
  if ('value' in key) return usable(key.value, 'its value')
  if ('env' in key) {
    const value = env[key.env]
    return value === undefined || value === ''
      ? { ok: false, why: `the environment variable ${key.env} is not set` }
      : usable(value, `the environment variable ${key.env}`)
  }
  try {
    const value = await secret(key.secretRef)
    return value === null || value === ''
      ? { ok: false, why: `there is no stored secret “${key.secretRef}”` }
      : usable(value, `the secret “${key.secretRef}”`)
  } catch (error) {
    return {
      ok: false,
      why:
        OnwardError.isInstance(error) && error.code === 'keychain-unreachable'
          ? `its secret “${key.secretRef}” is in the keychain, and ${String(error.details.why)}`
          : `the secret “${key.secretRef}” can't be read: ${messageOf(error)}`,
    }
  }
}

/** A key goes into a header: white space around it is a slip of copying, control characters would break the request. */
function usable(text: string, where: string): KeyValue {
  const value = text.trim()
  return value !== '' && /^[\x21-\x7e]+$/.test(value)
    ? { ok: true, value }
    : { ok: false, why: `${where} is empty or holds characters that no key has` }
}
