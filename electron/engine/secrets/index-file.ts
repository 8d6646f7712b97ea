import { join } from 'node:path'
import { z } from 'zod'
import { secretPlaces } from '../../../shared/secrets/secrets.ts'
import { type SecretPlace } from '../../../shared/secrets/secrets.ts'
import { OnwardError } from '../base/errors.ts'
import { storeFailed } from '../store/store-failed.ts'
import type { Files } from '../store/types.ts'

/** One secret's place. One that has none of these is in the file, if anywhere. */
export interface Whereabouts {
  /** where it counts; null: nowhere */
  in: SecretPlace | null
  /** where a copy may lie that does not count, and has to go */
  stray: readonly SecretPlace[]
}

/** Which store holds each secret: names and no values. */
export interface SecretsIndex {
  /** of this home in the keychain, which homes share */
  home: string
  /** where a new one goes; null: no one chose */
  keep: SecretPlace | null
  /** all are to go there, and some may not be there yet */
  moving: SecretPlace | null
  names: ReadonlyMap<string, Whereabouts>
}

export const secretsIndexName = 'secrets-index.json'

const place = z.enum(secretPlaces)
const shape = z.object({
  version: z.literal(1),
  home: z.string().regex(/^[\w-]{16,}$/),
  keep: place.nullable(),
  moving: place.nullable(),
  names: z.array(z.object({ name: z.string(), in: place.nullable(), stray: z.array(place) })),
})

/**
 * `<home>/secrets-index.json`. A damaged one is never guessed at: a key would be looked for in the wrong place, and
 * written twice.
 * @throws OnwardError `secrets-index` | `store-failed`
 */
export function secretsIndexFile(home: string, files: Pick<Files, 'read' | 'writeAtomic' | 'remove'>) {
  const path = join(home, secretsIndexName)
  return {
    async read(): Promise<SecretsIndex | null> {
      const bytes = await files.read(path).catch((error: unknown) => {
        throw storeFailed('read', path, error)
      })
      if (bytes === null) return null
      try {
        const { names, ...rest } = shape.parse(JSON.parse(bytes.toString('utf8')))
        return { ...rest, names: new Map(names.map(({ name, ...where }) => [name, where])) }
      } catch (cause) {
        throw new OnwardError(
          'secrets-index',
          `${path} says where each key is, and is damaged. Put it back ` +
            'from a copy; without it keys in the keychain are not found.',
          { cause },
        )
      }
    },
    async write({ names, ...rest }: SecretsIndex): Promise<void> {
      const list = [...names].map(([name, where]) => ({ name, ...where }))
      await files
        .writeAtomic(path, `${JSON.stringify({ version: 1, ...rest, names: list }, null, 2)}\n`)
        .catch((error: unknown) => {
          throw storeFailed('save', path, error)
        })
    },
    async remove(): Promise<void> {
      await files.remove(path).catch((error: unknown) => {
        throw storeFailed('save', path, error)
      })
    },
  }
}
