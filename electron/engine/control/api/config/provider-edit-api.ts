import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { KeyEdit } from '../../../../../shared/operations/providers.ts'
import type { ProviderDetails } from '../../../../../shared/control/provider-edit.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Secrets } from '../../../config/secrets-file.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { providerDetails, revisionOf } from '../../provider-edit/details.ts'
import { fetchModels } from '../../provider-edit/fetch-models.ts'
import { checkedKey, keepSecret } from '../../provider-edit/keep-secret.ts'
import { providerEdits, type StoredKey } from '../../provider-edit/provider-edits.ts'
import { unknownProvider, type TestProviderDeps } from '../../test-provider.ts'

export interface ProviderEditApiDeps {
  config: ConfigHandle
  secrets: Secrets
  test: Omit<TestProviderDeps, 'config'>
}

/** One provider as a form shows and changes it. */
export function providerEditApi({ config, secrets, test }: ProviderEditApiDeps) {
  const details = (id: string): ProviderDetails => {
    const now = config.current()
    const provider = Object.hasOwn(now.providers, id) ? now.providers[id] : undefined
    if (!provider) throw unknownProvider(id)
    return providerDetails(id, provider, now)
  }

  return {
    async providerDetails(id) {
      await config.reload()
      return details(id)
    },
    async updateProvider({ keys, ...change }) {
      const { provider: id, name = id } = change
      const kept: string[] = []
      try {
        const stored = keys && (await storeKeys(keys, name, secrets, kept))
        await config.edit((now) => {
          const provider = Object.hasOwn(now.providers, id) ? now.providers[id] : undefined
          if (!provider) throw unknownProvider(id)
          if (revisionOf(provider) !== change.revision) throw changedMeanwhile(id)
          if (name !== id && Object.hasOwn(now.providers, name)) throw nameTaken(name)
          const strange = stored?.find(({ was }) => was !== null && !provider.keys.some((key) => key.alias === was))
          if (strange) throw noSuchKey(id, strange.was ?? strange.alias)
          return providerEdits({ ...change, ...(stored ? { keys: stored } : {}) }, now)
        })
      } catch (error) {
        for (const ref of kept) await secrets.remove(ref)
        throw error
      }
      return details(name)
    },
    providerModels: (id) => fetchModels(id, { ...test, config }),
  } satisfies Partial<ControlApi>
}

/** @param kept receives the name of each secret that was stored, to remove them if the edit fails */
async function storeKeys(
  keys: readonly KeyEdit[],
  provider: string,
  secrets: Secrets,
  kept: string[],
): Promise<readonly StoredKey[]> {
  const stored: StoredKey[] = []
  for (const key of keys) {
    const { was, alias, from } = key
    if (was === null && from === null)
      throw new OnwardError('bad-key', `The new key “${alias}” has no value.`, { status: 400 })
    if (from === null || 'env' in from) {
      stored.push({ was, alias, from })
      continue
    }
    const secretRef = await keepSecret(secrets, `${provider}-${alias}`, checkedKey(from.secret))
    kept.push(secretRef)
    stored.push({ was, alias, from: { secretRef } })
  }
  return stored
}

const changedMeanwhile = (id: string) =>
  new OnwardError(
    'provider-changed',
    `${id} was changed in the config meanwhile, so nothing was written. Look at what it says now, and try again.`,
    { details: { provider: id }, status: 409 },
  )
const nameTaken = (name: string) =>
  new OnwardError('provider-exists', `There is a provider “${name}” already. Take another name.`, {
    status: 409,
    details: { field: `providers.${name}`, provider: name },
  })
const noSuchKey = (id: string, alias: string) =>
  new OnwardError('key-unknown', `${id} has no key “${alias}”.`, { status: 404 })
