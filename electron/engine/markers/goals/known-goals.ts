import { createHash } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { DocumentSpec, Store } from '../../store/types.ts'

/** Contents of goal files that a person let through: each is asked about once. */
export interface KnownGoals {
  has(text: string): boolean
  /** on the disk when it resolves. @throws OnwardError `store-failed` */
  add(text: string): Promise<void>
}

const shape = z.object({ sha256: z.array(z.string()) })
const spec: DocumentSpec<z.infer<typeof shape>> = {
  path: 'known-goals.json',
  version: 1,
  parse: (value) => shape.parse(value),
}
/** Older ones are asked about again. */
const most = 1_000

/**
 * If the file can't be read, no goal is known: then a person is asked about each one, and nothing goes through unseen.
 */
export async function openKnownGoals(store: Pick<Store, 'document'>, log: Log): Promise<KnownGoals> {
  const document = await store.document(spec).catch((error: unknown) => {
    log.error({ error: messageOf(error) }, 'the goals that were let through could not be read')
    return null
  })
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const added = new Set<string>()
  return {
    has: (text) => added.has(hashOf(text)) || (document?.get()?.sha256.includes(hashOf(text)) ?? false),
    async add(text) {
      const hash = hashOf(text)
      await document?.update((known) => ({
        sha256: [...(known?.sha256 ?? []).filter((one) => one !== hash), hash].slice(-most),
      }))
      added.add(hash)
    },
  }
}
