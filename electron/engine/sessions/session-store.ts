import type { ClientKind } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { type Disposable, emitter, type Emitter } from '../base/disposable.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { fileNameOf } from '../store/disk-files.ts'
import { inBatches } from '../store/in-batches.ts'
import type { Document, Store } from '../store/types.ts'
import {
  choicesOf,
  factsOf,
  noChoices,
  parseSession,
  sessionState,
  type SessionChoices,
  type SessionFacts,
  type SessionState,
} from './session-state.ts'

export type SessionChange = { type: 'changed'; session: SessionState } | { type: 'removed'; id: string }

export interface SessionStore extends Disposable {
  /**
   * Reads the newest sessions, in batches that let the event loop run. Until then others are found by `open` only.
   * @param manyFrom when many may be read; a few are read at once
   */
  load(manyFrom?: Promise<void>): Promise<void>
  /** in memory; null also for one that was put away long ago, which `open` finds */
  get(id: string): SessionState | null
  /** Returns the session, from memory, from the disk, or new. */
  open(id: string, born: { client: ClientKind }): Promise<SessionState>
  /** in memory, last active first */
  list(): readonly SessionState[]
  /** Notes facts that requests showed: in memory at once, on the disk a little later. The session must be open. */
  note(id: string, change: (facts: SessionFacts) => Partial<SessionFacts>): void
  /**
   * Sets a person's choices; resolves when they are on the disk. @throws OnwardError `store-failed` | `session-unknown`
   */
  choose(id: string, change: (choices: SessionChoices) => Partial<SessionChoices>): Promise<SessionState>
  /** removes it from memory and the disk; a missing one is no error. @throws OnwardError `store-failed` */
  remove(id: string): Promise<void>
  onChange(listener: (change: SessionChange) => void): Disposable
  /** resolves when everything noted is on the disk */
  flush(): Promise<void>
}

export interface SessionStoreOptions {
  store: Store
  clock: Clock
  log: Log
  /** sessions kept in memory */
  limit?: number
}

interface Held {
  /** null for most, of which only the state is kept: thousands of documents would weigh five times as much */
  document: Document<SessionState> | null
  opening?: Promise<Document<SessionState>>
  /** the content of its file at the start; null: its document has it */
  read: SessionState | null
  facts: SessionFacts
  /** how it was shown last: it is read several times in every request, and changes in two of them */
  shown?: { kept: SessionState | null; facts: SessionFacts; state: SessionState }
  unwritten: boolean
  writing: number
  /** when its file may be written for counters alone, on the clock's monotonic time */
  countersFrom: number
}

/** Notes gather for this long before they are written, off the response path (milliseconds). */
const writeAfter = 1000
/**
 * A file is written for counters alone this often at most: where many agents work side by side, their files cost more
 * than their requests. A crash may cost as much of the sums, as it may of the day's.
 */
const countersEach = 5000
/** So many files are dated and read within a few milliseconds. */
const few = 200
const fileOf = (id: string) => `session-${fileNameOf(id)}.json`

interface Memory extends Required<SessionStoreOptions> {
  /** in order of activity, oldest first */
  held: Map<string, Held>
  changes: Emitter<SessionChange>
  timer: { at: number; timer: Disposable } | null
}

/** The conversations Onward knows, over `session-<id>.json`. */
export function createSessionStore({ store, clock, log, limit = 2000 }: SessionStoreOptions): SessionStore {
  const held = new Map<string, Held>()
  const opening = new Map<string, Promise<Held>>()
  const changes = emitter<SessionChange>((error) => log.error({ err: error }, 'a listener to sessions failed'))
  const memory: Memory = { store, clock, log, limit, held, changes, timer: null }

  return {
    async load(manyFrom) {
      const names = (await store.list('.', 'any')).filter((name) => name.startsWith('session-'))
      if (names.length > few) await manyFrom
      const newest = (await store.newestFirst('.', names)).slice(0, limit)
      const found = await inBatches(newest, async (name) => {
        try {
          const state = await store.read(specOf(name))
          return state && { id: state.id, at: state.lastActivityAt, held: heldAs(state) }
        } catch (error) {
          // one unreadable session must not keep the engine from starting; opening it gives the same error again
          log.warn({ file: name, why: messageOf(error) }, 'a session could not be read')
          return null
        }
      })
      const later = new Map(held)
      held.clear()
      // All at once, so that no reader sees half of them; oldest first already, or nearly, which is what makes sorting
      // quick.
      for (const one of found
        .filter((known) => known !== null)
        .reverse()
        .sort((a, b) => a.at - b.at)) {
        if (!later.has(one.id)) hold(memory, one.id, one.held)
      }
      // sessions that came to life in the meantime are the newest
      for (const [id, one] of later) hold(memory, id, one)
      makeRoom(memory)
      await inBatches([...held], async ([id, one]) => changed(memory, id, one))
    },
    get: (id) => {
      const one = held.get(id)
      return one ? view(id, one) : null
    },
    async open(id, { client }) {
      const known = held.get(id)
      if (known) return view(id, known)
      const work = opening.get(id) ?? openNew(memory, id, client).finally(() => opening.delete(id))
      opening.set(id, work)
      return view(id, await work)
    },
    list: () => [...held].map(([id, one]) => view(id, one)).sort((a, b) => b.lastActivityAt - a.lastActivityAt),
    note(id, change) {
      const one = hold(memory, id, need(memory, id))
      const before = one.facts
      one.facts = Object.assign(factsOf(before), change(before))
      one.unwritten = true
      // Followups need the place of a conversation, and a person must hear of a failed turn. A crash may cost counters,
      // but not these.
      const { terminalId, scope, failure } = one.facts
      if (terminalId === before.terminalId && scope === before.scope && failure === before.failure) {
        if (!onlyCounters(before, one.facts)) one.countersFrom = 0
        writeSoon(memory, one.countersFrom)
      } else
        writeFacts(memory, id, one).catch((error: unknown) => {
          log.warn({ session: id, why: messageOf(error) }, 'a session could not be written')
          writeSoon(memory)
        })
      changed(memory, id, one)
    },
    async choose(id, change) {
      const one = need(memory, id)
      one.writing += 1
      try {
        await update(memory, id, one, (kept) => {
          const choices = choicesOf(kept)
          return sessionState(id, { ...choices, ...change(choices) }, one.facts)
        })
      } finally {
        one.writing -= 1
      }
      changed(memory, id, one)
      return view(id, one)
    },
    async remove(id) {
      await opening.get(id)
      const one = held.get(id)
      const document = await (one ? documentOf(memory, id, one) : store.document(specOf(fileOf(id))))
      await document.remove()
      if (one && held.get(id) === one) held.delete(id)
      // Otherwise the next flush would write the facts that were noted while it was removed.
      if (one) {
        one.unwritten = false
        one.read = null
        changes.emit({ type: 'removed', id })
      }
    },
    onChange: (listener) => changes.on(listener),
    async flush() {
      await writeAll(memory)
      await store.flush()
    },
    dispose() {
      memory.timer?.timer.dispose()
      memory.timer = null
    },
  }
}

/** One object for all three of thousands: each is a copy only once something changes. */
const heldAs = (state: SessionState): Held => ({
  document: null,
  read: state,
  facts: state,
  shown: { kept: state, facts: state, state },
  unwritten: false,
  writing: 0,
  countersFrom: 0,
})

function view(id: string, one: Held): SessionState {
  const { facts, shown } = one
  const kept = keptOf(one)
  if (shown?.facts === facts && shown.kept === kept) return shown.state
  const state = sessionState(id, kept ?? noChoices, facts)
  one.shown = { kept, facts, state }
  return state
}

const changed = ({ changes }: Memory, id: string, one: Held) =>
  changes.emit({ type: 'changed', session: view(id, one) })

function need({ held }: Memory, id: string): Held {
  const one = held.get(id)
  if (!one)
    throw new OnwardError('session-unknown', `No session ${id} is known here. "onward sessions" lists them.`, {
      status: 404,
    })
  return one
}

const specOf = (file: string) => ({ path: file, version: 1, parse: parseSession })

const documentOf = async ({ store }: Memory, id: string, one: Held): Promise<Document<SessionState>> =>
  one.document ??
  (one.opening ??= store
    .document(specOf(fileOf(id)))
    .then((document) => (one.document = document))
    .finally(() => delete one.opening))

/** @param change gets the file's content; a file that was taken from under the engine is written again */
async function update(memory: Memory, id: string, one: Held, change: (kept: SessionChoices) => SessionState) {
  const document = await documentOf(memory, id, one)
  await document.update((kept) => change(kept ?? one.read ?? noChoices))
}

/** Facts and a person's choices share a file: each writer takes the other part from the file's queue. */
async function writeFacts(memory: Memory, id: string, one: Held) {
  one.unwritten = false
  one.writing += 1
  one.countersFrom = memory.clock.monotonic() + countersEach
  try {
    await update(memory, id, one, (kept) => sessionState(id, kept, one.facts))
  } catch (error) {
    one.unwritten = true
    throw error
  } finally {
    one.writing -= 1
  }
}

async function writeAll(memory: Memory, isDue: (one: Held) => boolean = () => true) {
  memory.timer?.timer.dispose()
  memory.timer = null
  const unwritten = [...memory.held].filter(([, one]) => one.unwritten)
  const due = unwritten.filter(([, one]) => isDue(one))
  for (const [, one] of unwritten) if (!isDue(one)) writeSoon(memory, one.countersFrom)
  const results = await Promise.allSettled(due.map(([id, one]) => writeFacts(memory, id, one)))
  makeRoom(memory)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** @param from not before, on the clock's monotonic time */
function writeSoon(memory: Memory, from = 0) {
  const now = memory.clock.monotonic()
  const at = Math.max(now + writeAfter, from)
  if (memory.timer && memory.timer.at <= at) return
  memory.timer?.timer.dispose()
  const due = () => {
    memory.timer = null
    // the store has reported it; what is unwritten is tried again with the next note
    writeAll(memory, (one) => one.countersFrom <= at).catch((error: unknown) =>
      memory.log.warn({ why: messageOf(error) }, 'sessions could not be written'),
    )
  }
  memory.timer = { at, timer: memory.clock.after(at - now, due) }
}

function makeRoom({ held, limit, changes }: Memory) {
  for (const [id, one] of held) {
    if (held.size <= limit) return
    if (one.unwritten || one.writing > 0 || keptOf(one)?.pinned) continue
    held.delete(id)
    changes.emit({ type: 'removed', id })
  }
}

function hold({ held }: Memory, id: string, one: Held): Held {
  held.delete(id)
  held.set(id, one)
  return one
}

async function openNew(memory: Memory, id: string, client: ClientKind): Promise<Held> {
  const document = await memory.store.document(specOf(fileOf(id))).catch((error: unknown) => {
    // its turns are served all the same; only changes that should be kept are refused
    memory.log.error({ session: id, err: error }, 'a session could not be read')
    return unwritable<SessionState>(error)
  })
  const known = document.get()
  const now = memory.clock.now()
  const one = hold(memory, id, {
    document,
    read: null,
    writing: 0,
    unwritten: known === null,
    countersFrom: 0,
    facts: factsOf(known ?? parseSession({ id, client, startedAt: now, lastActivityAt: now })),
  })
  if (known === null) writeSoon(memory)
  makeRoom(memory)
  changed(memory, id, one)
  return one
}

const keptOf = (one: Held): SessionState | null => one.document?.get() ?? one.read

/** True if nothing changed that shows who works where. */
const onlyCounters = (a: SessionFacts, b: SessionFacts): boolean =>
  a.client === b.client &&
  a.entry === b.entry &&
  a.cwd === b.cwd &&
  a.nth === b.nth &&
  a.model === b.model &&
  a.route?.provider === b.route?.provider &&
  a.route?.model === b.route?.model &&
  a.daemonId === b.daemonId &&
  a.toolList === b.toolList &&
  a.drives === b.drives &&
  a.driven?.asked === b.driven?.asked

/** Stands in for a document that can't be had: empty, and every change fails for the same reason. */
const unwritable = <T>(reason: unknown): Document<T> => ({
  get: () => null,
  set: () => Promise.reject(reason),
  update: () => Promise.reject(reason),
  remove: () => Promise.reject(reason),
})
