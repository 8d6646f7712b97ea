/** A person's changes of one provider as edits of the config text: only what is to be different is touched. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Config, ProviderConfig } from '../../../../shared/config/schema.ts'
import { baseUrlOf } from '../../../../shared/config/presets.ts'
import type { KeyEdit, ModelEdit } from '../../../../shared/operations/providers.ts'
import type { Input } from '../../../../shared/operations/index.ts'
import type { ConfigEdit } from '../../config/types.ts'
import { renamedTargets } from './references.ts'

/** A key as it comes into the config: its secret is stored apart by now. */
export type StoredKey = Omit<KeyEdit, 'from'> & { from: { env: string } | { secretRef: string } | null }
export type ProviderChange = Omit<Input<'updateProvider'>, 'keys'> & { keys?: readonly StoredKey[] }

export function providerEdits(change: ProviderChange, config: Config): readonly ConfigEdit[] {
  const { provider: id, name = id } = change
  const now = config.providers[id]
  if (!now) return []
  const at = (...path: (string | number)[]): ConfigEdit['path'] => ['providers', id, ...path]
  const set = <T>(member: 'type' | 'baseUrl' | 'auth', before: T, after: T | undefined): ConfigEdit[] =>
    after === undefined || after === before ? [] : [{ path: at(member), value: after }]
  const address = now.via === undefined ? baseUrlOf(id, now) : null
  // Named after a preset it needs no address; under another name, or as another type, it would have none.
  const moves = (name !== id || (change.type ?? now.type) !== now.type) && now.baseUrl === undefined
  return [
    ...set('type', now.type, change.type),
    ...set('baseUrl', address, change.baseUrl),
    ...(moves && (change.baseUrl ?? address) === address && address !== null
      ? [{ path: at('baseUrl'), value: address }]
      : []),
    ...set('auth', now.auth, change.auth),
    ...(change.keys ? keyEdits(change.keys, now, at) : []),
    ...(change.models ? modelEdits(change.models, now, at) : []),
    ...(name === id ? [] : [...renamedTargets(id, name, config), { path: at(), rename: name }]),
  ]
}

type At = (...path: (string | number)[]) => ConfigEdit['path']

/** Entry by entry: an entry that stays is never written anew, because it may contain `${…}`. */
function keyEdits(keys: readonly StoredKey[], { keys: before }: ProviderConfig, at: At): ConfigEdit[] {
  const kept = keys.filter(({ was }) => was !== null)
  const changed = kept.flatMap(({ was, alias, from }): ConfigEdit[] => {
    const i = before.findIndex((key) => key.alias === was)
    if (from !== null) return [{ path: at('keys', i), value: { alias, ...from } }]
    return alias === was ? [] : [{ path: at('keys', i, 'alias'), value: alias }]
  })
  const gone = before.flatMap(({ alias }, i) => (kept.some(({ was }) => was === alias) ? [] : [i]))
  const left = before.length - gone.length
  const fresh = keys.flatMap(({ was, alias, from }) => (was === null && from !== null ? [{ alias, ...from }] : []))
  if (left + fresh.length === 0) return before.length === 0 ? [] : [{ path: at('keys'), value: undefined }]
  return [
    ...changed,
    // From the last on, so that the others keep their places until it is their turn.
    ...gone.reverse().map((i) => ({ path: at('keys', i), value: undefined })),
    ...fresh.map((value, i) => ({ path: at('keys', left + i), value })),
  ]
}

function modelEdits(models: readonly ModelEdit[], { models: before }: ProviderConfig, at: At): ConfigEdit[] {
  const gone = Object.keys(before).filter((id) => !models.some((model) => model.id === id))
  return [
    ...models.flatMap(({ id, ...given }): ConfigEdit[] => {
      const now = Object.hasOwn(before, id) ? before[id] : undefined
      const values = Object.entries(given)
      if (!now) {
        const value = Object.fromEntries(values.filter(([, said]) => said !== null))
        return [{ path: at('models', id), value }]
      }
      const said: Readonly<Record<string, unknown>> = now
      return values.flatMap(([member, value]) =>
        isDeepStrictEqual(said[member] ?? null, value)
          ? []
          : [{ path: at('models', id, member), value: value ?? undefined }],
      )
    }),
    ...gone.map((id) => ({ path: at('models', id), value: undefined })),
  ]
}
