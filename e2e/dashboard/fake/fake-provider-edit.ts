/** The form of one provider on the fake engine. For development and tests only. */
import { routeCategories } from '../../../shared/config/names.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { ListedModel, ModelPrice, ProviderDetails } from '../../../shared/control/provider-edit.ts'
import type { ProviderView, RoutingView } from '../../../shared/routing.ts'

interface Parts {
  shown(): { providers: readonly ProviderView[]; routing: RoutingView }
  edit(change: { providers?: readonly ProviderView[]; routing?: Partial<RoutingView> }): RoutingView
}

export function fakeProviderEdit({ shown, edit }: Parts) {
  /** by provider and model, where a person set another one than the scene has */
  const prices = new Map<string, ModelPrice | null>()
  const priceOf = (id: string, model: ProviderView['models'][number]): ModelPrice | null => {
    const set = prices.get(`${id} ${model.id}`)
    return set !== undefined ? set : model.priced ? { input: 0.6, cachedInput: 0.11, output: 2.2 } : null
  }
  // An edit makes a new one of the provider it is about, and of no other.
  const revisions = new WeakMap<ProviderView, string>()
  let edits = 0
  const revisionOf = (provider: ProviderView): string => {
    const known = revisions.get(provider) ?? `r${++edits}`
    revisions.set(provider, known)
    return known
  }
  const details = (id: string): ProviderDetails => {
    const { providers, routing } = shown()
    const provider = providers.find((one) => one.id === id)
    if (!provider) throw new Error(`There is no provider “${id}” in the config.`)
    const { type, baseUrl, auth } = provider
    return {
      id,
      type,
      baseUrl,
      auth,
      keys: provider.keys.map(({ alias, from }) => ({
        alias,
        from,
        env: from === 'env' ? `${id.toUpperCase()}_KEY${alias === 'main' ? '' : '_2'}` : null,
      })),
      models: provider.models.map((model) => ({
        id: model.id,
        contextWindow: model.contextWindow,
        vision: model.vision,
        thinking: model.thinking,
        price: priceOf(id, model),
      })),
      routes: routeCategories.flatMap((category) =>
        (routing.routes[category] ?? []).flatMap(({ target }, i, pool) =>
          target.startsWith(`${id}.`)
            ? [{ category, model: target.slice(id.length + 1), at: i + 1, of: pool.length }]
            : [],
        ),
      ),
      revision: revisionOf(provider),
    }
  }
  return {
    async providerDetails(id) {
      return details(id)
    },
    async updateProvider(input) {
      const { provider: id, name = id } = input
      if (details(id).revision !== input.revision)
        throw new Error(`${id} was changed in the config meanwhile, so nothing was written.`)
      for (const model of input.models ?? []) prices.set(`${name} ${model.id}`, model.price as ModelPrice | null)
      edit({
        providers: shown().providers.map((one) =>
          one.id !== id
            ? one
            : {
                ...one,
                id: name,
                type: input.type ?? one.type,
                baseUrl: input.baseUrl ?? one.baseUrl,
                auth: input.auth ?? one.auth,
                models:
                  input.models?.map(({ price, ...model }) =>
                    price === null
                      ? { ...model, priced: false }
                      : { ...model, priced: true, price: { from: 'config' } },
                  ) ?? one.models,
                keys:
                  input.keys?.map(({ was, alias, from }) => ({
                    alias,
                    from:
                      from === null
                        ? (one.keys.find((key) => key.alias === was)?.from ?? 'secret')
                        : 'env' in from
                          ? 'env'
                          : 'secret',
                    state: { kind: 'ready' },
                  })) ?? one.keys,
              },
        ),
      })
      return details(name)
    },
    async providerModels() {
      return { kind: 'listed', key: 'main', tookMs: 420, whole: true, models: listed }
    },
  } satisfies Partial<ControlApi>
}

const model = (id: string, contextWindow: number, vision = false, thinking = true): ListedModel => ({
  id,
  name: null,
  contextWindow,
  vision,
  thinking,
  price: null,
})
const listed: readonly ListedModel[] = [
  model('glm-5', 200_000),
  model('glm-5-air', 128_000),
  model('glm-5v', 64_000, true),
  model('glm-5-flash', 128_000, false, false),
]
