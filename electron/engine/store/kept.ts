import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Mutable } from '../base/mutable.ts'
import type { Document, DocumentSpec, Store } from './types.ts'

/** A value backed by a file, with one writer. Call it from one queue only. The store reports what fails. */
export interface Kept<T> extends Disposable {
  readonly value: T
  /** false while the file is older than the value */
  durable(): boolean
  /** Durable: on the disk when it resolves; if the disk refuses, the value stays as it was. */
  writeDurable(next: T): Promise<void>
  /** Best effort: the value changes at once, the file now or as soon as the disk takes it. */
  writeBestEffort(next: T): Promise<void>
  /** Best effort, written with the next write or `writeOwed`: for several changes that come one after the other. */
  writeLater(next: T): void
  /** Writes what `writeLater` left, best effort: call it before anything that builds on it becomes durable. */
  writeOwed(): Promise<void>
  /** In memory only: for what is worth nothing after a restart. */
  keepInMemory(next: T): void
  /** Writes what the disk still lacks. @throws the disk's error */
  flush(): Promise<void>
}

export interface KeptDeps {
  clock: Pick<Clock, 'after'>
  retryMs(): number
  /** queues the retry after the owner's current work */
  queue(work: () => Promise<void>): Promise<unknown>
}

export function keep<T>(initial: T, write: (value: T) => Promise<void>, deps: KeptDeps): Kept<T> {
  let behind = false
  let owed = false
  let disposed = false
  let timer: Disposable | null = null

  const lag = () => {
    behind = true
    if (timer || disposed) return
    timer = deps.clock.after(deps.retryMs(), () => {
      timer = null
      if (!disposed) void deps.queue(retry)
    })
  }
  const attempt = async (next: T): Promise<unknown> => {
    // If this write fails, the retry writes it.
    owed = false
    try {
      await write(next)
      behind = false
      return null
    } catch (error) {
      // The write may have reached the disk all the same, so the value in memory has to be written once more.
      lag()
      return error ?? new Error('the write failed')
    }
  }
  const retry = async () => {
    if (behind && !disposed) await attempt(kept.value)
  }
  const kept: Mutable<Kept<T>> = {
    value: initial,
    durable: () => !behind && !owed,
    async writeDurable(next) {
      const error = await attempt(next)
      if (error !== null) throw error
      kept.value = next
    },
    async writeBestEffort(next) {
      kept.value = next
      await attempt(next)
    },
    writeLater(next) {
      kept.value = next
      owed = true
    },
    async writeOwed() {
      if (owed) await attempt(kept.value)
    },
    keepInMemory(next) {
      kept.value = next
    },
    async flush() {
      if (!behind && !owed) return
      const error = await attempt(kept.value)
      if (error !== null) throw error
    },
    dispose() {
      disposed = true
      timer?.dispose()
    },
  }
  return kept
}

/** The value of one document, which says how its file has it. It is `empty` until `load` has read it. */
export function keepDocument<T, F>(
  what: { store: Store; spec: DocumentSpec<F>; empty: T; toFile(value: T): F; fromFile(file: F): T },
  deps: KeptDeps,
): Kept<T> & { load(): Promise<void> } {
  const { store, spec, empty, toFile, fromFile } = what
  let document: Document<F> | null = null
  const write = async (value: T) => {
    document ??= await store.document(spec)
    await document.set(toFile(value))
  }
  const kept = keep(empty, write, deps)
  return Object.assign(kept, {
    async load() {
      document = await store.document(spec)
      const file = document.get()
      if (file) kept.keepInMemory(fromFile(file))
    },
  })
}
