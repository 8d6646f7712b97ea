import { posix } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import type { Clock } from '../base/clock.ts'
import { OnwardError, messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { filesAtOnce, documentNames, newestFirst } from './in-batches.ts'
import { decodeEnvelope, type Envelope, envelopeText } from './envelope.ts'
import type { Journal } from './journal.ts'
import { journaledFile, type JournaledFile } from './journaled.ts'
import { setAside } from './set-aside.ts'
import { storeFailed } from './store-failed.ts'
import type { Document, DocumentSpec, Files, Store } from './types.ts'

/** The fields of a `store-problem` event. `file` is below the root. */
export interface StoreProblem {
  file: string
  code: string
  message: string
}

export interface StoreOptions {
  /** absolute folder; everything the store touches is below it */
  root: string
  files: Files
  clock: Clock
  log: Log
  /** see read-journal.ts; without it every change writes its file whole */
  journal?: Journal
  /** called once when a file turns out corrupt, and once per series of failures of a file */
  onProblem(problem: StoreProblem): void
}

interface Opening extends Pick<StoreOptions, 'root' | 'files' | 'clock' | 'journal'> {
  report(file: string, error: OnwardError): void
  attempt(file: string, doing: 'save' | 'remove', act: () => Promise<void>): Promise<void>
  /** Documents with unwritten changes are held here, whether or not a caller still does. */
  busy: Set<QueuedDocument<never>>
}

/** Durable JSON documents below one folder. Nothing is read or written before a caller asks for it. */
export function createStore({ root, files, clock, log, journal, onProblem }: StoreOptions): Store {
  const atOnce = filesAtOnce(files, clock)
  /** One document per file while any caller holds it: two would be two writers. */
  const opened = new Map<string, WeakRef<QueuedDocument<never>>>()
  const forgotten = new FinalizationRegistry<string>((path) => {
    if (opened.get(path)?.deref() === undefined) opened.delete(path)
  })
  const opening = new Map<string, Promise<QueuedDocument<never>>>()
  const busy = new Set<QueuedDocument<never>>()
  const failing = new Set<string>()
  /** A start asks for the same ten thousand names twice at once. */
  const listing = new Map<string, Promise<readonly string[]>>()

  const report = (file: string, error: OnwardError) => {
    log.error({ file, code: error.code, err: error }, 'a document could not be kept')
    onProblem({ file, code: error.code, message: error.message })
  }

  const attempt = async (file: string, doing: 'save' | 'remove', act: () => Promise<void>) => {
    try {
      await act()
      failing.delete(file)
    } catch (cause) {
      const error = storeFailed(doing, file, cause)
      if (!failing.has(file)) report(file, error)
      failing.add(file)
      throw error
    } finally {
      // A listing that starts from now on includes this change.
      listing.clear()
    }
  }

  const namesIn = (folder: string): Promise<readonly string[]> => {
    const known = listing.get(folder)
    if (known) return known
    const names = files
      .list(folder)
      .then(documentNames)
      .finally(() => {
        if (listing.get(folder) === names) listing.delete(folder)
      })
    listing.set(folder, names)
    return names
  }

  const document = async <T>(spec: DocumentSpec<T>): Promise<Document<T>> => {
    checkPath(spec.path)
    const held = opened.get(spec.path)?.deref() ?? opening.get(spec.path)
    if (held) return held
    const loading = open({ root, files, clock, journal, report, attempt, busy }, spec).then(anyOf)
    opening.set(spec.path, loading)
    try {
      const document = await loading
      opened.set(spec.path, new WeakRef(document))
      forgotten.register(document, spec.path)
      return document
    } finally {
      opening.delete(spec.path)
    }
  }
  return {
    document,
    async read(spec) {
      if (opened.has(spec.path) || opening.has(spec.path)) return (await document(spec)).get()
      checkPath(spec.path)
      try {
        const raw = await atOnce.read(posix.join(root, spec.path))
        return raw === null ? null : decodeEnvelope(raw, spec).state
      } catch {
        return (await document(spec)).get()
      }
    },
    async list(folder, order = 'name') {
      const names = await namesIn(posix.join(root, folder))
      return order === 'any' ? names : [...names].sort()
    },
    newestFirst: async (folder, names) =>
      files.modifiedAt ? newestFirst(atOnce.modifiedAt, posix.join(root, folder), names) : [...names].sort(),
    async flush() {
      for (const result of await Promise.allSettled([...busy].map((document) => document.settled()))) {
        if (result.status === 'rejected') throw result.reason
      }
    },
    fold: async () => journal?.fold(),
  }
}

async function open<T>(store: Opening, spec: DocumentSpec<T>): Promise<QueuedDocument<T>> {
  const { files, clock, journal, attempt, busy } = store
  const path = posix.join(store.root, spec.path)
  const inJournal: JournaledFile<unknown> | null =
    journal && spec.journaled
      ? journaledFile<unknown>({
          journal,
          path: spec.path,
          version: spec.version,
          flat: spec.encode !== undefined,
          beyond: spec.journaled === true ? 0 : spec.journaled,
          writeWhole: (text) => files.writeAtomic(path, text),
          remove: () => files.remove(path),
          document: () => document,
        })
      : null
  const low = new Low<Envelope<T> | null>(filesAdapter(files, path, spec, inJournal?.found), null)
  /** a corrupt or newer file that could not be moved yet: it must be, before it is overwritten */
  let owed = false
  let unread: 'corrupt' | 'newer' | null = null
  try {
    await low.read()
  } catch (error) {
    if (!OnwardError.isInstance(error)) throw storeFailed('read', spec.path, error)
    const newer = error.code === 'store-newer' && spec.asideWhenNewer === true
    if (error.code !== 'store-corrupt' && !newer) throw error
    unread = newer ? 'newer' : 'corrupt'
    const moved = await setAside(files, path, unread, clock.now()).catch((failure: unknown) => failure)
    owed = typeof moved !== 'string'
    const where = owed ? `It could not be moved aside: ${messageOf(moved)}` : `It was kept as ${String(moved)}`
    store.report(
      spec.path,
      new OnwardError(
        error.code,
        `${spec.path} could not be read and is started anew. ${where}. ` +
          `${newer ? `A newer Onward wrote it (format ${String(error.details['version'])}).` : error.message}`,
        { cause: error },
      ),
    )
  }
  if (unread !== null && spec.whenCorrupt !== undefined) {
    low.data = { version: spec.version, state: spec.whenCorrupt }
    // If the disk can't take it now, the attempt has reported that: the value counts all the same, and is written
    // with the next.
    if (!owed)
      await attempt(spec.path, 'save', () => low.write()).catch((error: unknown) => {
        if (!OnwardError.isInstance(error)) throw error
      })
  }
  const found = low.data?.state ?? null
  // Else the first state would stay in memory beside the current one.
  if (inJournal) low.data = null
  const document: QueuedDocument<T> = queuedDocument(found, {
    write: (value) =>
      attempt(spec.path, value === null ? 'remove' : 'save', async () => {
        if (owed && unread !== null) await setAside(files, path, unread, clock.now())
        owed = false
        if (inJournal) return value === null ? inJournal.remove() : inJournal.write(spec.encode?.(value) ?? value)
        if (value === null) return files.remove(path)
        low.data = { version: spec.version, state: value }
        await low.write()
      }),
    busy: (working) => {
      if (working) busy.add(anyOf(document))
      else busy.delete(anyOf(document))
    },
  })
  return document
}

/** The map holds documents of every type; the caller of a path names the type by the spec it always uses for it. */
const anyOf = <T>(document: QueuedDocument<T>) => document as unknown as QueuedDocument<never>

function checkPath(path: string): void {
  if (
    path.startsWith('/') ||
    path.split('/').some((part) => part === '' || part === '.' || part === '..') ||
    !path.endsWith('.json')
  ) {
    throw new OnwardError(
      'store-path',
      `"${path}" is no place for a document: a relative path that ends in .json is expected.`,
    )
  }
}

/** A lowdb adapter that keeps one document in one file, written atomically. */
const filesAdapter = <T>(
  files: Pick<Files, 'read' | 'writeAtomic'>,
  path: string,
  spec: DocumentSpec<T>,
  found?: (envelope: Envelope<unknown>) => void,
): Adapter<Envelope<T> | null> => ({
  async read() {
    const raw = await files.read(path)
    return raw === null ? null : decodeEnvelope(raw, spec, found)
  },
  write: (envelope) =>
    files.writeAtomic(
      path,
      envelope && spec.encode
        ? envelopeText({ ...envelope, state: spec.encode(envelope.state) }, true)
        : JSON.stringify(envelope),
    ),
})

export interface DocumentDisk<T> {
  /** puts the value on the disk; null removes the file. Rejects with the error the callers get. */
  write(value: T | null): Promise<void>
  /** called when writing begins (true) and when nothing is left to write (false) */
  busy(working: boolean): void
}

export interface QueuedDocument<T> extends Document<T> {
  /** resolves when nothing is being written; rejects with the last error when the last write failed */
  settled(): Promise<void>
}

interface Step<T> {
  change(current: T | null): T | null
  done(value: T | null): void
  fail(error: unknown): void
}

/**
 * One file's writer queue. While a write runs, further changes gather and become one write; each caller is answered
 * only when its own change is on the disk, and memory shows a value only then.
 */
export function queuedDocument<T>(loaded: T | null, disk: DocumentDisk<T>): QueuedDocument<T> {
  let committed = freeze(loaded)
  let waiting: Step<T>[] = []
  let running: Promise<void> | null = null
  let lastError: unknown = null

  const enqueue = (change: Step<T>['change']) =>
    new Promise<T | null>((done, fail) => {
      waiting.push({ change, done, fail })
      running ??= drain()
    })

  const drain = async () => {
    disk.busy(true)
    // callers of the same tick share the first write
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await writeBatch(batch)
    }
    running = null
    disk.busy(false)
  }

  const writeBatch = async (batch: readonly Step<T>[]) => {
    let next = committed
    const applied: { step: Step<T>; value: T | null }[] = []
    for (const step of batch) {
      try {
        next = freeze(step.change(next))
        applied.push({ step, value: next })
      } catch (error) {
        step.fail(error)
      }
    }
    try {
      if (next !== committed) await disk.write(next)
      committed = next
      lastError = null
    } catch (error) {
      lastError = error
      for (const { step } of applied) step.fail(error)
      return
    }
    for (const { step, value } of applied) step.done(value)
  }

  return {
    get: () => committed,
    async set(value) {
      await enqueue(() => value)
    },
    update: enqueue,
    async remove() {
      await enqueue(() => null)
    },
    async settled() {
      while (running) await running
      if (lastError !== null) throw lastError
    },
  }
}

/** Freezes plain data all the way down. What is frozen already is taken as done, so repeated calls cost little. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
