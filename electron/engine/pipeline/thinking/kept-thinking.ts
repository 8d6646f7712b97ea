import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { KeptAnswer } from '../../protocol/canonical/index.ts'
import type { Document, Store } from '../../store/types.ts'
import { bounded, charsOf, isOld, type Kept } from './kept-thinking-bounds.ts'
import { callIdsOf, keptForks } from '../kept-thinking-forks.ts'
import { goneThinking } from '../kept-thinking-gone.ts'
import { keptThinkingFile, keptThinkingFolder, keptThinkingSpec, type KeptThinkingFile } from './kept-thinking-file.ts'

/**
 * Keeps what providers sealed in their answers, for clients that do not hand it back (AI SDK's chat provider drops
 * `reasoning_details`). By conversation, in memory and on the disk; thinking whose write failed still counts while it
 * is in memory.
 */
export interface KeptThinking {
  /** Finds out which conversations have kept thinking; also clears away what is too old or too much. */
  load(): Promise<void>
  /**
   * Reads the kept thinking of a conversation, or of the one it was forked from; null: nothing to wait for. Never
   * rejects. `callIds`: those in its request, called once at most.
   */
  open(conversation: string, callIds: () => readonly string[]): Promise<void> | null
  /**
   * of an open conversation; a new one takes over that of the conversation it was forked from, found by the calls in
   * its history
   */
  of(conversation: string, callIds: () => readonly string[]): Kept
  /** Keeps it at once, and writes it soon, except where the client is known to keep its answers itself. */
  add(conversation: string, answer: KeptAnswer): void
  /**
   * Notes what the client's request held: answers that it handed back whole are dropped. `needed`: something was put
   * back for the others.
   */
  sent(conversation: string, handedBack: readonly KeptAnswer[], needed: boolean): void
  /** Removes the kept thinking of a conversation. @throws OnwardError `store-failed` */
  forget(conversation: string): Promise<void>
  /** resolves when everything is on the disk, or could not be written */
  flush(): Promise<void>
}

/** on the disk, and as many in memory */
const mostConversations = 64
/** of all conversations in memory, in characters */
const mostAtHand = 32 * 1024 * 1024

interface Open extends Kept {
  document: Document<KeptThinkingFile> | null
  chars: number
  /** the client hands its answers back whole: its last ones are kept in memory only */
  clientKeeps: boolean
  /** the last write, until it is done */
  writing: Promise<void> | null
}

const nothing: Kept = { answers: [], forgotten: false }

export function createKeptThinking({
  store,
  clock,
  log,
  isOn,
}: {
  store: Pick<Store, 'document' | 'list' | 'newestFirst'>
  clock: Pick<Clock, 'now'>
  log: Log
  isOn(): boolean
}): KeptThinking {
  const files = new Set<string>()
  let listed = false
  /** last used last */
  const open = new Map<string, Open>()
  const opening = new Map<string, Promise<void>>()
  let clearing: Promise<void> | null = null
  const gone = goneThinking(store)
  const forks = keptForks(() => Promise.all([...files].map(fileNamed)))

  function use(conversation: string, one: Open): Open {
    open.delete(conversation)
    open.set(conversation, one)
    let chars = 0
    for (const other of open.values()) chars += other.chars
    for (const [name, other] of open) {
      if (other === one || (open.size <= mostConversations && chars <= mostAtHand)) break
      if (other.writing) continue
      open.delete(name)
      chars -= other.chars
    }
    return one
  }

  async function read(conversation: string): Promise<void> {
    const document = await documentOf(conversation)
    const file = document?.get() ?? null
    const all = file?.answers ?? []
    const answers = all.filter((answer) => !isOld(answer, clock.now()))
    if (open.has(conversation)) return
    use(conversation, {
      document,
      answers,
      forgotten: (file?.forgotten ?? isGone(conversation)) || answers.length < all.length,
      chars: charsOf(answers),
      clientKeeps: false,
      writing: null,
    })
  }

  const isGone = (conversation: string): boolean => gone.has(keptThinkingFile(conversation))

  async function readFork(ids: readonly string[]): Promise<void> {
    const from = await forks.bestOf(ids).catch(() => null)
    if (from !== null && !open.has(from)) await read(from)
  }

  const fileNamed = (name: string): Promise<Document<KeptThinkingFile>> =>
    store.document({ ...keptThinkingSpec(''), path: `${keptThinkingFolder}/${name}` })

  async function documentOf(conversation: string): Promise<Document<KeptThinkingFile> | null> {
    try {
      return await store.document(keptThinkingSpec(conversation))
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'kept thinking of a conversation could not be read')
      return null
    }
  }

  function change(conversation: string, next: (kept: Kept) => Kept): void {
    const one = open.get(conversation) ?? {
      answers: [],
      forgotten: isGone(conversation),
      document: null,
      chars: 0,
      clientKeeps: false,
      writing: null,
    }
    const { answers, forgotten } = bounded(next(one), clock.now())
    Object.assign(one, { answers, forgotten, chars: charsOf(answers) })
    use(conversation, one)
    if (!one.clientKeeps || one.writing || files.has(keptThinkingFile(conversation))) save(conversation, one)
  }

  function save(conversation: string, one: Open): void {
    const writing = write(conversation, one)
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'thinking could not be kept on the disk'))
      .finally(() => {
        if (one.writing === writing) one.writing = null
      })
    one.writing = writing
  }

  /** Changes that come while a write runs share the next one. */
  async function write(conversation: string, one: Open): Promise<void> {
    const document = one.document ?? (await store.document(keptThinkingSpec(conversation)))
    if (one.document === null) join(one, document)
    const name = keptThinkingFile(conversation)
    const written = await document.update(() =>
      one.clientKeeps || (one.answers.length === 0 && !one.forgotten)
        ? null
        : { conversation, forgotten: one.forgotten, answers: one.answers },
    )
    files.delete(name)
    if (written) files.add(name)
    if (written) forks.add(conversation, one.answers)
    await tidy()
  }

  /** The conversation had left memory when its answer ended. */
  function join(one: Open, document: Document<KeptThinkingFile>): void {
    one.document = document
    const file = document.get()
    if (!file) return
    const answers = [...file.answers, ...one.answers]
    Object.assign(one, bounded({ answers, forgotten: file.forgotten || one.forgotten }, clock.now()))
    one.chars = charsOf(one.answers)
  }

  /** A new conversation with known calls was forked from the one that has most of them. */
  function forkedFrom(callIds: readonly string[]): Kept {
    const ids = new Set(callIds)
    if (ids.size === 0) return nothing
    const shared = ({ answers }: Kept): number =>
      answers.filter((answer) => callIdsOf(answer).some((id) => ids.has(id))).length
    let best: { kept: Kept; shared: number } = { kept: nothing, shared: 0 }
    for (const kept of open.values()) {
      const count = shared(kept)
      if (count > best.shared) best = { kept, shared: count }
    }
    return best.kept
  }

  /** Removes the conversations that were written longest ago. */
  async function tidy(): Promise<void> {
    const removed: string[] = []
    for (const name of files) {
      if (files.size <= mostConversations) break
      files.delete(name)
      removed.push(name)
    }
    // Their names are recorded first: a crash in between must not make them unknown.
    await gone.add(removed)
    for (const name of removed) await remove(name)
  }

  async function remove(name: string): Promise<void> {
    for (const [conversation] of open) if (keptThinkingFile(conversation) === name) open.delete(conversation)
    await (await fileNamed(name)).remove()
  }

  /** Oldest first: after the first that is young enough, all are. */
  async function clear(): Promise<void> {
    await tidy()
    for (const name of files) {
      const document = await fileNamed(name)
      const last = document.get()?.answers.at(-1)
      if (last && !isOld(last, clock.now())) return
      files.delete(name)
      await gone.add([name])
      await document.remove()
    }
  }

  return {
    async load() {
      try {
        await gone.load()
        const newest = await store.newestFirst(keptThinkingFolder, await store.list(keptThinkingFolder, 'any'))
        for (const name of newest.toReversed()) files.add(name)
        listed = true
      } catch (error) {
        log.warn({ error: messageOf(error) }, 'kept thinking could not be looked through')
      }
      clearing = clear().catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, 'old thinking could not be cleared away'),
      )
    },
    open(conversation, callIds) {
      if (!isOn() || open.has(conversation)) return null
      const running = opening.get(conversation)
      if (running) return running
      let reading: Promise<void>
      if (!listed || files.has(keptThinkingFile(conversation))) reading = read(conversation)
      else {
        const ids = files.size > 0 && forks.isNew(conversation) ? callIds() : []
        if (ids.length === 0) return null
        reading = readFork(ids)
      }
      const work = reading.finally(() => opening.delete(conversation))
      opening.set(conversation, work)
      return work
    },
    of(conversation, callIds) {
      if (!isOn()) return nothing
      const own = open.get(conversation)
      if (own) return use(conversation, own)
      const { answers, forgotten } = forkedFrom(callIds())
      const one = use(conversation, {
        answers,
        forgotten: forgotten || isGone(conversation),
        document: null,
        chars: charsOf(answers),
        clientKeeps: false,
        writing: null,
      })
      if (answers.length > 0) save(conversation, one)
      return one
    },
    add(conversation, answer) {
      if (isOn()) change(conversation, ({ answers, forgotten }) => ({ answers: [...answers, answer], forgotten }))
    },
    sent(conversation, handedBack, needed) {
      const one = open.get(conversation)
      if (!one || (handedBack.length === 0 && !needed)) return
      const waits = one.clientKeeps && needed
      one.clientKeeps = !needed
      const left = one.answers.filter((answer) => !handedBack.includes(answer))
      if (left.length < one.answers.length) change(conversation, ({ forgotten }) => ({ answers: left, forgotten }))
      else if (waits) save(conversation, one)
    },
    async forget(conversation) {
      await opening.get(conversation)
      await open.get(conversation)?.writing
      const name = keptThinkingFile(conversation)
      await remove(name)
      files.delete(name)
    },
    async flush() {
      await clearing
      for (;;) {
        const writing = [...open.values()].flatMap((one) => one.writing ?? [])
        if (writing.length === 0) return
        await Promise.all(writing)
      }
    },
  }
}
