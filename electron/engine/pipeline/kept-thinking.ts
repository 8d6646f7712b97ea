import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { CanonicalRequest } from '../protocol/canonical/index.ts'
import { putBack } from '../protocol/canonical/kept/put-back.ts'
import { type KeptAnswer, answersIn } from '../protocol/canonical/kept/match-answers.ts'
import type { Document, Store } from '../store/types.ts'
import type { Turn } from './turn.ts'
import {
  bounded,
  charsOf,
  isOld,
  type Kept,
  callIdsOf,
  keptForks,
  type KeptForks,
  goneThinking,
  type GoneThinking,
  keptThinkingFile,
  keptThinkingFolder,
  keptThinkingSpec,
  type KeptThinkingFile,
} from './kept-thinking-file.ts'

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
  conversation: string
  document: Document<KeptThinkingFile> | null
  chars: number
  /** the client hands its answers back whole: its last ones are kept in memory only */
  clientKeeps: boolean
  /** the last write, until it is done */
  writing: Promise<void> | null
}

interface Deps {
  store: Pick<Store, 'document' | 'list' | 'newestFirst'>
  clock: Pick<Clock, 'now'>
  log: Log
  isOn(): boolean
}

interface Memory extends Deps {
  /** on the disk, written last last */
  files: Set<string>
  /** last used last */
  open: Map<string, Open>
  gone: GoneThinking
  forks: KeptForks
}

const nothing: Kept = { answers: [], forgotten: false }

export function createKeptThinking(deps: Deps): KeptThinking {
  const { store, log, isOn } = deps
  const files = new Set<string>()
  const open = new Map<string, Open>()
  const gone = goneThinking(store)
  const forks = keptForks(() => Promise.all([...files].map((name) => fileNamed(memory, name))))
  const memory: Memory = { ...deps, files, open, gone, forks }
  const opening = new Map<string, Promise<void>>()
  let listed = false
  let clearing: Promise<void> | null = null

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
      clearing = clear(memory).catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, 'old thinking could not be cleared away'),
      )
    },
    open(conversation, callIds) {
      if (!isOn() || open.has(conversation)) return null
      const running = opening.get(conversation)
      if (running) return running
      let reading: Promise<void>
      if (!listed || (files.size > 0 && files.has(keptThinkingFile(conversation)))) reading = read(memory, conversation)
      else {
        const ids = files.size > 0 && forks.isNew(conversation) ? callIds() : []
        if (ids.length === 0) return null
        reading = readFork(memory, ids)
      }
      const work = reading.finally(() => opening.delete(conversation))
      opening.set(conversation, work)
      return work
    },
    of(conversation, callIds) {
      if (!isOn()) return nothing
      const own = open.get(conversation)
      if (own) return use(memory, own)
      const { answers, forgotten } = forkedFrom(memory, callIds())
      const kept = { answers, forgotten: forgotten || isGone(memory, conversation) }
      const one = use(memory, opened(conversation, kept))
      if (answers.length > 0) save(memory, one)
      return one
    },
    add(conversation, answer) {
      if (isOn())
        change(memory, conversation, ({ answers, forgotten }) => ({ answers: [...answers, answer], forgotten }))
    },
    sent(conversation, handedBack, needed) {
      const one = open.get(conversation)
      if (!one || (handedBack.length === 0 && !needed)) return
      const waits = one.clientKeeps && needed
      one.clientKeeps = !needed
      const left = one.answers.filter((answer) => !handedBack.includes(answer))
      if (left.length < one.answers.length)
        change(memory, conversation, ({ forgotten }) => ({ answers: left, forgotten }))
      else if (waits) save(memory, one)
    },
    async forget(conversation) {
      await opening.get(conversation)
      await open.get(conversation)?.writing
      const name = keptThinkingFile(conversation)
      await remove(memory, name)
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

const opened = (conversation: string, { answers, forgotten }: Kept): Open => ({
  conversation,
  answers,
  forgotten,
  document: null,
  chars: charsOf(answers),
  clientKeeps: false,
  writing: null,
})

function use({ open }: Memory, one: Open): Open {
  open.delete(one.conversation)
  open.set(one.conversation, one)
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

async function read(memory: Memory, conversation: string): Promise<void> {
  const document = await memory.store.document(keptThinkingSpec(conversation)).catch((error: unknown) => {
    memory.log.warn({ error: messageOf(error) }, 'kept thinking of a conversation could not be read')
    return null
  })
  const file = document?.get() ?? null
  const all = file?.answers ?? []
  const answers = all.filter((answer) => !isOld(answer, memory.clock.now()))
  if (memory.open.has(conversation)) return
  const forgotten = (file?.forgotten ?? isGone(memory, conversation)) || answers.length < all.length
  use(memory, { ...opened(conversation, { answers, forgotten }), document })
}

const isGone = (memory: Memory, conversation: string): boolean => memory.gone.has(keptThinkingFile(conversation))

async function readFork(memory: Memory, ids: readonly string[]): Promise<void> {
  const from = await memory.forks.bestOf(ids).catch(() => null)
  if (from !== null && !memory.open.has(from)) await read(memory, from)
}

const fileNamed = (memory: Memory, name: string): Promise<Document<KeptThinkingFile>> =>
  memory.store.document({ ...keptThinkingSpec(''), path: `${keptThinkingFolder}/${name}` })

function change(memory: Memory, conversation: string, next: (kept: Kept) => Kept): void {
  const one =
    memory.open.get(conversation) ?? opened(conversation, { answers: [], forgotten: isGone(memory, conversation) })
  const { answers, forgotten } = bounded(next(one), memory.clock.now())
  Object.assign(one, { answers, forgotten, chars: charsOf(answers) })
  use(memory, one)
  if (!one.clientKeeps || one.writing || memory.files.has(keptThinkingFile(conversation))) save(memory, one)
}

function save(memory: Memory, one: Open): void {
  const writing = write(memory, one)
    .catch((error: unknown) => memory.log.warn({ error: messageOf(error) }, 'thinking could not be kept on the disk'))
    .finally(() => {
      if (one.writing === writing) one.writing = null
    })
  one.writing = writing
}

/** Changes that come while a write runs share the next one. */
async function write(memory: Memory, one: Open): Promise<void> {
  const { conversation } = one
  const document = one.document ?? (await memory.store.document(keptThinkingSpec(conversation)))
  if (one.document === null) join(memory, one, document)
  const name = keptThinkingFile(conversation)
  const written = await document.update(() =>
    one.clientKeeps || (one.answers.length === 0 && !one.forgotten)
      ? null
      : { conversation, forgotten: one.forgotten, answers: one.answers },
  )
  memory.files.delete(name)
  if (written) memory.files.add(name)
  if (written) memory.forks.add(conversation, one.answers)
  await tidy(memory)
}

/** The conversation had left memory when its answer ended. */
function join(memory: Memory, one: Open, document: Document<KeptThinkingFile>): void {
  one.document = document
  const file = document.get()
  if (!file) return
  const answers = [...file.answers, ...one.answers]
  Object.assign(one, bounded({ answers, forgotten: file.forgotten || one.forgotten }, memory.clock.now()))
  one.chars = charsOf(one.answers)
}

/** A new conversation with known calls was forked from the one that has most of them. */
function forkedFrom({ open }: Memory, callIds: readonly string[]): Kept {
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
async function tidy(memory: Memory): Promise<void> {
  const removed: string[] = []
  for (const name of memory.files) {
    if (memory.files.size <= mostConversations) break
    memory.files.delete(name)
    removed.push(name)
  }
  // Their names are recorded first: a crash in between must not make them unknown.
  await memory.gone.add(removed)
  for (const name of removed) await remove(memory, name)
}

async function remove(memory: Memory, name: string): Promise<void> {
  for (const conversation of memory.open.keys())
    if (keptThinkingFile(conversation) === name) memory.open.delete(conversation)
  await (await fileNamed(memory, name)).remove()
}

/** Oldest first: after the first that is young enough, all are. */
async function clear(memory: Memory): Promise<void> {
  await tidy(memory)
  for (const name of memory.files) {
    const document = await fileNamed(memory, name)
    const last = document.get()?.answers.at(-1)
    if (last && !isOld(last, memory.clock.now())) return
    memory.files.delete(name)
    await memory.gone.add([name])
    await document.remove()
  }
}

/**
 * Returns the conversation for a turn's kept thinking: its session, or for a program that names none its beginning.
 * null: nothing is kept of it, since no request goes on from its answer.
 */
export function conversationOf({ call, identity, draft }: Turn): string | null {
  if (call.endpoint !== 'generate' || call.internal || call.test || identity.kind === 'title') return null
  if (identity.sessionId !== null) return `session-${identity.sessionId}`
  const begins = draft.lens.firstUserTexts().join('\0')
  return begins === '' ? null : `first-${createHash('sha256').update(begins).digest('hex').slice(0, 40)}`
}

/**
 * Returns possible ids of calls in the turn's request, from its bytes; other ids are among them. A conversation that
 * begins has none.
 */
export function callIdsSent({ draft: { lens } }: Pick<Turn, 'draft'>): readonly string[] {
  if (lens.messageCount() < 3) return []
  return [...lens.body.toString('latin1').matchAll(idMember)].map(([, id = '']) => id)
}

const idMember = /"(?:id|call_id|tool_call_id|tool_use_id)"\s*:\s*"([^"\\]+)"/g

/** The kept thinking of a turn's conversation. */
export interface KeptOfTurn extends Kept {
  /** provider and model that are asked now */
  by: string
}

export interface ThinkingPutBack {
  request: CanonicalRequest
  /** something could not be put back */
  lost: boolean
  /** which of the kept answers the client handed back whole */
  handedBack: readonly number[]
  /** something was put back for the others */
  needed: boolean
  /** how many answers the request holds */
  ordinal: number
}

/** Puts back what the turn's client left out. */
export function putThinkingBack(request: CanonicalRequest, { answers, forgotten, by }: KeptOfTurn): ThinkingPutBack {
  const ordinal = answersIn(request.messages)
  if (answers.length === 0 && !forgotten) return { request, lost: false, handedBack: [], needed: false, ordinal }
  const back = putBack(request, answers, by, forgotten)
  return {
    request: back.request,
    lost: back.lost,
    handedBack: back.handedBack.map((answer) => answers.indexOf(answer)),
    needed: back.request !== request,
    ordinal,
  }
}
