import { presetOf, type ProviderPreset } from '../../../../../shared/config/presets.ts'
import type { ProviderType } from '../../../../../shared/config/schema.ts'
import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { KeptSecrets } from '../../../secrets/kept-secrets.ts'
import { checkedKey, keepSecret } from '../../provider-edit/keep-secret.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { withoutTargets } from '../../provider-edit/references.ts'
import { testProvider, unknownProvider, type TestProviderDeps } from '../../test-provider.ts'
import { routingView } from '../../views/routing-view.ts'
import type { KeyEdit } from '../../../../../shared/operations/providers.ts'
import type { ProviderDetails } from '../../../../../shared/control/provider-edit.ts'
import type { Secrets } from '../../../config/secrets-file.ts'
import { providerDetails, revisionOf } from '../../provider-edit/details.ts'
import { fetchModels } from '../../provider-edit/fetch-models.ts'
import { providerEdits, type StoredKey } from '../../provider-edit/provider-edits.ts'

export interface ConfigApiDeps {
  config: ConfigHandle
  secrets: KeptSecrets
  test: Omit<TestProviderDeps, 'config'>
}

/** Routes and providers as a person changes them from here; the config file is the only place they stand in. */
export function configApi({ config, secrets, test }: ConfigApiDeps) {
  /** Reads the file anew, for one that was written a moment ago. */
  const providers = async () => {
    await config.reload()
    return config.current().providers
  }

  return {
    ...providerEditApi({ config, secrets, test }),
    async routing() {
      return routingView(config)
    },
    async saveRoute({ category, pool }) {
      const entries = pool.map(({ target, weight }) => (weight === null ? target : { target, weight }))
      await config.edit([{ path: ['routes', category], value: entries.length === 0 ? undefined : entries }])
      return routingView(config)
    },
    async undoConfig() {
      await config.undo()
      return routingView(config)
    },
    async addProvider(input) {
      const preset = input.preset === null ? null : presetOf(input.preset)
      if (input.preset !== null && !preset)
        throw new OnwardError('unknown-preset', `There is no preset “${input.preset}”.`, { status: 400 })
      if (Object.hasOwn(await providers(), input.id))
        throw new OnwardError(
          'provider-exists',
          `There is a provider “${input.id}” already. Take another name, or remove that one first.`,
          { details: { provider: input.id }, status: 409 },
        )
      const secret = input.key && 'secret' in input.key ? checkedKey(input.key.secret) : null
      const secretRef = secret === null ? null : await keepSecret(secrets, `${input.id}-main`, secret)
      try {
        await config.edit([{ path: ['providers', input.id], value: written(input, preset, secretRef) }])
      } catch (error) {
        if (secretRef !== null) await secrets.remove(secretRef)
        throw error
      }
    },
    async removeProvider(id) {
      if (!Object.hasOwn(await providers(), id)) throw unknownProvider(id)
      // Its secret stays as long as the removal can be undone: undoing must bring back a provider that works.
      await config.edit((now) => [{ path: ['providers', id], value: undefined }, ...withoutTargets(id, now)])
    },
    async testProvider(asked) {
      const { provider: id, key } = typeof asked === 'string' ? { provider: asked } : asked
      const { providers: now } = config.current()
      const provider = Object.hasOwn(now, id) ? now[id] : undefined
      // A keychain that was locked when the config was read may be open by now.
      if (provider?.keys.some(({ alias }) => !config.key(id, alias).ok)) await config.reload()
      return testProvider(id, { ...test, config }, key)
    },
  } satisfies Partial<ControlApi>
}

const usualHeader: Readonly<Record<ProviderType, ProviderPreset['auth']>> = {
  'openai-chat': 'bearer',
  'openai-responses': 'bearer',
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
  simulator: 'none',
}

/** Returns the provider as it is written into the file: only what differs from the defaults. */
function written(
  input: Input<'addProvider'>,
  preset: ProviderPreset | null,
  secretRef: string | null,
): Record<string, unknown> {
  const type = preset?.type ?? input.type
  const baseUrl = input.baseUrl ?? preset?.baseUrl
  const auth = preset?.auth === 'none' && input.key === null ? 'none' : input.auth
  const key =
    input.key && 'env' in input.key
      ? { alias: 'main', env: input.key.env }
      : secretRef === null
        ? null
        : { alias: 'main', secretRef }
  const header = preset && preset.auth !== 'none' && preset.auth !== usualHeader[type] ? preset.auth : null
  return {
    type,
    ...(baseUrl === undefined || type === 'simulator' ? {} : { baseUrl }),
    ...(auth === 'key' ? {} : { auth }),
    ...(key ? { keys: [key] } : {}),
    ...(input.models.length === 0 ? {} : { models: Object.fromEntries(input.models.map((model) => [model, {}])) }),
    ...(header === null ? {} : { quirks: { authHeader: header } }),
  }
}

interface ProviderEditApiDeps {
  config: ConfigHandle
  secrets: Secrets
  test: Omit<TestProviderDeps, 'config'>
}

/** One provider as a form shows and changes it. */
function providerEditApi({ config, secrets, test }: ProviderEditApiDeps) {
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
