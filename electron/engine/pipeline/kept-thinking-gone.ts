import { z } from 'zod'
import type { Document, DocumentSpec, Store } from '../store/types.ts'

/** The conversations that had kept thinking of which nothing is left, not even their file: by the file's name. */
export interface GoneThinking {
  load(): Promise<void>
  has(file: string): boolean
  /** on the disk when it resolves */
  add(files: readonly string[]): Promise<void>
}

/** the most names that are kept; the oldest, which no request needs any more, go first */
const most = 2_000

const spec: DocumentSpec<readonly string[]> = {
  path: 'thinking-gone.json',
  version: 1,
  parse: (value) => z.array(z.string()).parse(value),
  whenCorrupt: [],
  asideWhenNewer: true,
}

export function goneThinking(store: Pick<Store, 'document'>): GoneThinking {
  let names: ReadonlySet<string> = new Set()
  let document: Document<readonly string[]> | null = null
  return {
    async load() {
      document = await store.document(spec)
      names = new Set([...(document.get() ?? []), ...names])
    },
    has: (file) => names.has(file),
    async add(files) {
      if (files.length === 0) return
      const added = new Set(files)
      names = new Set([...[...names].filter((name) => !added.has(name)), ...files].slice(-most))
      await document?.set([...names])
    },
  }
}
