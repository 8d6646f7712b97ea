import type { z } from 'zod'
import { providerTypes, routeCategories } from '../config/names.ts'
import type { ProviderDetails, ProviderModels } from '../control/provider-edit.ts'
import type { ProviderTest, ProviderView, RouteAnswer, RouteQuestion, RoutingView } from '../routing.ts'
import { entryProtocols, requestKinds } from '../words.ts'
import { call, id, takes, type InputOf, type Zod } from './operation.ts'

const auth = (z: Zod) => z.enum(['key', 'client', 'none'])
const text = (z: Zod) => z.string().max(4_096)
/** a key's value; kept apart from the config, in a place only the person can read */
const secret = (z: Zod) => z.object({ secret: z.string().min(1).max(10_000) })

/** Providers and routes. */
export const providerOperations = {
  providers: call.query<readonly ProviderView[]>(),
  routing: call.query<RoutingView>(),
  /** a dry run: nothing is sent, nothing changes */
  routeCheck: takes((z): z.ZodType<RouteQuestion> =>
    z.object({
      entry: z.enum(entryProtocols).default('messages'),
      model: z.string().max(512).nullable().default(null),
      tokens: z.number().int().min(0).max(100_000_000).default(0),
      thinking: z.boolean().default(false),
      image: z.boolean().default(false),
      webSearch: z.boolean().default(false),
      kind: z.enum(requestKinds).default('turn'),
      session: id(z).nullable().default(null),
    }),
  ).query<RouteAnswer>(),
  /**
   * a real, small call with each key in turn until one answers, or with `key` only; in the records it is a probe
   */
  testProvider: takes((z) => z.union([id(z), z.object({ provider: id(z), key: id(z) })])).mutation<ProviderTest>(),
  /** @throws `unknown-provider` */
  providerDetails: takes(id).query<ProviderDetails>(),
  /**
   * in one write. @throws as addProvider, `provider-changed` where the config says something else of it by now,
   * `provider-exists`, `unknown-provider`, `bad-key`. The check of the config finds other faults, and names the field
   */
  updateProvider: takes((z) =>
    z.object({
      provider: id(z),
      revision: z.string().max(100),
      /** another id; routes and aliases follow */
      name: text(z).optional(),
      type: z.enum(providerTypes).optional(),
      baseUrl: text(z).optional(),
      auth: auth(z).optional(),
      /** all of them, in order. `was`: the alias it has in the config, null for a new one; `from` null: as it is */
      keys: z
        .array(
          z.object({
            was: text(z).nullable(),
            alias: text(z),
            from: z.union([z.object({ env: text(z) }), secret(z)]).nullable(),
          }),
        )
        .max(100)
        .optional(),
      /** all of them; the config's other members of a model stay */
      models: z
        .array(
          z.object({
            id: text(z).min(1),
            contextWindow: z.number().nullable(),
            vision: z.boolean().nullable(),
            thinking: z.boolean().nullable(),
            price: z.record(z.string(), z.number()).nullable(),
          }),
        )
        .max(5_000)
        .optional(),
    }),
  ).mutation<ProviderDetails>(),
  /** the models it lists itself; nothing is written. @throws `unknown-provider` */
  providerModels: takes(id).mutation<ProviderModels>(),
  /**
   * writes the config, comments kept. @throws OnwardError `config-invalid` | `config-changed` | `store-failed`; then
   * nothing was written
   */
  addProvider: takes((z) =>
    z.object({
      id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
      /** of a preset (shared/config/presets.ts); null: `type` and `baseUrl` say it all */
      preset: z.string().nullable(),
      type: z.enum(providerTypes),
      baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
      auth: auth(z),
      key: z.union([z.object({ env: z.string().min(1).max(200) }), secret(z)]).nullable(),
      models: z.array(z.string().min(1).max(512)).max(1_000).default([]),
    }),
  ).mutation<void>(),
  removeProvider: takes(id).mutation<void>({
    commands: [
      {
        usage: 'providers remove <id>',
        takes: ['its name in the config'],
        summary: 'take one out, of routes too',
        description:
          'Takes a provider out of the config, with what routes and aliases name of it. `onward config undo` brings ' +
          'all of it back. A stored key stays until that can’t be done any more, at the latest until the next start.',
        examples: [
          ['onward providers remove deepseek', 'no turn goes there any more'],
          ['onward config undo', 'it is back'],
        ],
        input: (provider = '') => provider,
        json: (_, provider) => ({ removed: provider }),
        say: (_, { shape, strong }, provider) =>
          `${shape('done', '✓')} Removed ${strong(provider)}. Take it back: ${strong('onward config undo')}\n` +
          '  A stored key of it is removed once that can’t be done any more, at the next start at the latest.\n',
      },
    ],
  }),
  /** the whole pool of one route; empty: the route goes */
  saveRoute: takes((z) =>
    z.object({
      category: z.enum(routeCategories),
      pool: z
        .array(z.object({ target: z.string().min(3).max(512), weight: z.number().positive().nullable() }))
        .max(100),
    }),
  ).mutation<RoutingView>(),
}

type Update = InputOf<typeof providerOperations.updateProvider>
export type KeyEdit = NonNullable<Update['keys']>[number]
export type ModelEdit = NonNullable<Update['models']>[number]
