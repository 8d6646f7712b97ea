import { presetOf, type ProviderPreset } from '../../../../shared/config/presets.ts'
import type { ProviderType } from '../../../../shared/config/schema.ts'
import type { AddProviderInput, ControlApi } from '../../../../shared/control/contract.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Secrets } from '../../config/secrets-file.ts'
import type { ConfigEdit, ConfigHandle } from '../../config/types.ts'
import { splitTarget } from '../../router/target.ts'
import { testProvider, unknownProvider, type TestProviderDeps } from '../provider-test/test-provider.ts'
import { routingView } from '../views/routing-view.ts'

export interface ConfigApiDeps {
  config: ConfigHandle
  secrets: Secrets
  test: Omit<TestProviderDeps, 'config'>
}

/** Routes and providers as a person changes them from here; the config file is the only place they stand in. */
export function configApi({
  config,
  secrets,
  test,
}: ConfigApiDeps): Pick<
  ControlApi,
  'routing' | 'saveRoute' | 'undoConfig' | 'addProvider' | 'removeProvider' | 'testProvider'
> {
  /** As the file says now, also where it was written a moment ago. */
  const providers = async () => {
    await config.reload()
    return config.current().providers
  }
  const keepSecret = async (id: string, value: string): Promise<string> => {
    // One that is there may belong to a provider whose removal can still be taken back.
    let ref = `${id}-main`
    for (let n = 2; (await secrets.get(ref)) !== null; n++) ref = `${id}-main-${n}`
    await secrets.set(ref, value)
    return ref
  }

  return {
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
          { status: 409 },
        )
      const secret = input.key && 'secret' in input.key ? checkedKey(input.key.secret) : null
      const secretRef = secret === null ? null : await keepSecret(input.id, secret)
      try {
        await config.edit([{ path: ['providers', input.id], value: written(input, preset, secretRef) }])
      } catch (error) {
        if (secretRef !== null) await secrets.remove(secretRef)
        throw error
      }
    },
    async removeProvider(id) {
      if (!Object.hasOwn(await providers(), id)) throw unknownProvider(id)
      // Its secret stays: taking the removal back must bring back a provider that works.
      await config.edit([{ path: ['providers', id], value: undefined }, ...withoutTargets(id, config)])
    },
    testProvider: (id) => testProvider(id, { ...test, config }),
  }
}

function checkedKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new OnwardError('bad-key', 'That is no key: it is empty, or holds spaces or characters that no key has.', {
    status: 400,
  })
}

const usualHeader: Readonly<Record<ProviderType, ProviderPreset['auth']>> = {
  'openai-chat': 'bearer',
  'openai-responses': 'bearer',
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
  simulator: 'none',
}

/** The provider as it is written: only what differs from the defaults. */
function written(
  input: AddProviderInput,
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

/** A route that names a provider which is not there is no valid config; an alias for one helps nobody. */
function withoutTargets(id: string, config: ConfigHandle): readonly ConfigEdit[] {
  const { routes, aliases, providers } = config.current()
  const names = (target: string) => splitTarget(target, providers)?.providerId === id
  const fromRoutes = Object.entries(routes).flatMap(([category, pool]): ConfigEdit[] => {
    const gone = pool.flatMap((entry, i) => (names(typeof entry === 'string' ? entry : entry.target) ? [i] : []))
    if (gone.length === pool.length && gone.length > 0) return [{ path: ['routes', category], value: undefined }]
    // From the last on, so that the others keep their places until it is their turn.
    return gone.reverse().map((i) => ({ path: ['routes', category, i], value: undefined }))
  })
  const fromAliases = Object.entries(aliases).flatMap(([name, target]): ConfigEdit[] =>
    names(target) ? [{ path: ['aliases', name], value: undefined }] : [],
  )
  return [...fromRoutes, ...fromAliases]
}
