import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Document, DocumentSpec, Store } from '../../store/types.ts'

/** `text` null: an image of the history that stays without a description. */
export interface Kept {
  text: string | null
}

/** Descriptions by an image's hash, over restarts: an image has to read the same in every later request. */
export interface Descriptions {
  find(hash: string): Promise<Kept | null>
  /** on the disk when it resolves, where the disk takes it */
  keep(hash: string, text: string | null): Promise<void>
}

const entry = z.object({ hash: z.string(), text: z.string().nullable(), usedAt: z.number() })
/** longest unused first */
const file = z.object({ images: z.array(entry) })
type Entry = z.infer<typeof entry>
type DescriptionsFile = z.infer<typeof file>

export const descriptionsSpec: DocumentSpec<DescriptionsFile> = {
  path: 'image-descriptions.json',
  version: 1,
  parse: (value) => file.parse(value),
}

export const most = { images: 1_000, bytes: 2 * 1024 * 1024 } as const
/** The last use of an image is written down at most this often; its text is on the disk anyway. */
const touchMs = 24 * 60 * 60_000

export interface DescriptionsDeps {
  store: Store
  clock: Pick<Clock, 'now'>
  log: Log
}

/** Reads its file when it is first asked. */
export function createDescriptions({ store, clock, log }: DescriptionsDeps): Descriptions {
  /** in the order of their use */
  const images = new Map<string, Entry>()
  let bytes = 0
  let opening: Promise<Document<DescriptionsFile> | null> | null = null

  const put = (next: Entry) => {
    bytes += size(next) - size(images.get(next.hash))
    images.delete(next.hash)
    images.set(next.hash, next)
  }
  const evict = () => {
    for (const [hash, oldest] of images) {
      if (images.size <= most.images && bytes <= most.bytes) return
      bytes -= size(oldest)
      images.delete(hash)
    }
  }
  const open = async () => {
    try {
      const document = await store.document(descriptionsSpec)
      for (const kept of document.get()?.images ?? []) put(kept)
      evict()
      return document
    } catch (error) {
      // A file of a newer Onward, say: it stays as it is, and descriptions last as long as this engine.
      log.warn({ file: descriptionsSpec.path, why: messageOf(error) }, 'descriptions of images could not be read')
      return null
    }
  }
  const opened = () => (opening ??= open())
  const write = async () => {
    const document = await opened()
    // The store reports a disk that refuses. The descriptions in memory are written with the next one.
    await document
      ?.set({ images: Array.from(images.values()) })
      .catch((error: unknown) =>
        log.warn({ file: descriptionsSpec.path, why: messageOf(error) }, 'descriptions of images could not be written'),
      )
  }

  return {
    async find(hash) {
      await opened()
      const found = images.get(hash)
      if (!found) return null
      const isOld = clock.now() - found.usedAt >= touchMs
      put(isOld ? { ...found, usedAt: clock.now() } : found)
      if (isOld) void write()
      return { text: found.text }
    },
    async keep(hash, text) {
      await opened()
      put({ hash, text, usedAt: clock.now() })
      evict()
      await write()
    },
  }
}

const size = (one: Entry | undefined): number => (one ? one.hash.length + Buffer.byteLength(one.text ?? '') : 0)
