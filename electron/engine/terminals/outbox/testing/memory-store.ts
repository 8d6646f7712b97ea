import { OnwardError } from '../../../base/errors.ts'
import type { Document, DocumentSpec, Store } from '../../../store/types.ts'

/** The disk's reaction to one write. `-after`: the bytes arrived, the answer did not say so. */
export type Fate = 'ok' | 'fail' | 'fail-after' | 'crash' | 'crash-after'

/** Files that outlive the engines that wrote them. */
export interface Disk {
  files: Map<string, string>
  /** asked before every write and removal; 'ok' when missing */
  fate: (path: string) => Fate
  writes: number
  /** how long a write takes; the next microtask when missing */
  pace?: () => Promise<unknown>
}

export const createDisk = (): Disk => ({ files: new Map(), fate: () => 'ok', writes: 0 })

export interface MemoryStore extends Store {
  readonly crashed: boolean
  crash(): void
}

/** A Store on a Disk for tests. After a crash nothing it was asked ever answers, as with a process that died. */
export function memoryStore(disk: Disk, onProblem: (file: string) => void = () => {}): MemoryStore {
  let crashed = false
  const failing = new Set<string>()
  const cache = new Map<string, Document<unknown>>()
  const never = () => new Promise<never>(() => {})

  const act = async (path: string, apply: () => void): Promise<void> => {
    if (crashed) return never()
    disk.writes++
    const fate = disk.fate(path)
    await (disk.pace?.() ?? Promise.resolve())
    if (crashed) return never()
    if (fate === 'ok' || fate === 'fail-after' || fate === 'crash-after') apply()
    if (fate === 'crash' || fate === 'crash-after') {
      crashed = true
      return never()
    }
    if (fate === 'ok') return void failing.delete(path)
    // as the real store: reported once per row of failures
    if (!failing.has(path)) onProblem(path)
    failing.add(path)
    throw new OnwardError('store-failed', `The disk refused ${path}.`)
  }

  const open = <T>(spec: DocumentSpec<T>): Document<T> => {
    const text = disk.files.get(spec.path)
    let value: T | null = text === undefined ? null : spec.parse(JSON.parse(text))
    const set = async (next: T) => {
      const written = JSON.stringify(next)
      await act(spec.path, () => disk.files.set(spec.path, written))
      value = spec.parse(JSON.parse(written))
    }
    const remove = async () => {
      await act(spec.path, () => {
        disk.files.delete(spec.path)
      })
      value = null
    }
    return {
      get: () => value,
      set,
      remove,
      async update(change) {
        const next = change(value)
        if (next === null) await remove()
        else await set(next)
        return next
      },
    }
  }

  const document = async <T>(spec: DocumentSpec<T>): Promise<Document<T>> => {
    if (crashed) return never()
    const there = cache.get(spec.path)
    // One document per path: the type is the spec's, which is the same for the same path.
    if (there) return there as Document<T>
    const made = open(spec)
    cache.set(spec.path, made as Document<unknown>)
    return made
  }
  return {
    get crashed() {
      return crashed
    },
    crash() {
      crashed = true
    },
    document,
    read: async (spec) => (await document(spec)).get(),
    async list(folder) {
      const prefix = folder === '' ? '' : `${folder}/`
      return Array.from(disk.files.keys(), (p) => (p.startsWith(prefix) ? p.slice(prefix.length) : '')).filter(
        (n) => n !== '' && !n.includes('/'),
      )
    },
    newestFirst: async (_folder, names) => [...names].sort(),
    flush: async () => {},
    fold: async () => {},
  }
}
