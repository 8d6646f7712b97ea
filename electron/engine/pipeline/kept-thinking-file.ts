import { z } from 'zod'
import { type KeptAnswer, sizeOf } from '../protocol/canonical/kept/match-answers.ts'
import { wireProtocols } from '../protocol/canonical/request.ts'
import { fileNameOf } from '../store/disk-files.ts'
import type { DocumentSpec, Document, Store } from '../store/types.ts'

/**
 * The kept thinking of one conversation: `session-<id>`, or for a program that names none `first-<digest of its
 * beginning>`.
 */
export interface KeptThinkingFile {
  conversation: string
  /** some answers that were kept here have been dropped */
  forgotten: boolean
  /** oldest first */
  answers: readonly KeptAnswer[]
}

const seal = z.object({
  of: z.enum(wireProtocols),
  data: z.string(),
  id: z.string().optional(),
  redacted: z.boolean().optional(),
  text: z.string().optional(),
  phase: z.object({ at: z.number(), before: z.string(), mark: z.string() }).optional(),
})

const fileShape: z.ZodType<KeptThinkingFile> = z.object({
  conversation: z.string(),
  forgotten: z.boolean(),
  answers: z.array(
    z.object({
      at: z.number(),
      of: z.enum(wireProtocols),
      by: z.string(),
      ordinal: z.number(),
      text: z.string(),
      calls: z.string().nullable(),
      pieces: z.array(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('thinking'), text: z.string(), seal }),
          z.object({ type: z.literal('text'), length: z.number(), solid: z.number() }),
          z.object({ type: z.literal('call'), id: z.string(), seal: seal.nullable() }),
        ]),
      ),
    }),
  ),
})

export const keptThinkingFolder = 'thinking'
export const keptThinkingFile = (conversation: string): string => `${fileNameOf(conversation)}.json`
export const keptThinkingSpec = (conversation: string): DocumentSpec<KeptThinkingFile> => ({
  path: `${keptThinkingFolder}/${keptThinkingFile(conversation)}`,
  version: 1,
  parse: (value) => fileShape.parse(value),
  asideWhenNewer: true,
})

export interface Kept {
  /** oldest first */
  answers: readonly KeptAnswer[]
  /** some answers that were kept here have been dropped */
  forgotten: boolean
}

/** of one conversation; characters */
const mostChars = 4 * 1024 * 1024
const mostAnswers = 2_000
/** After this time no client goes on with a conversation in which its thinking is still of use. */
const keptMs = 30 * 24 * 60 * 60_000

export const isOld = ({ at }: KeptAnswer, now: number): boolean => now - at > keptMs

export const charsOf = (answers: readonly KeptAnswer[]): number =>
  answers.reduce((sum, answer) => sum + sizeOf(answer), 0)

/**
 * Drops what is too old or too much. If it is too much, half of it goes at once: each answer that goes changes the
 * beginning of the next request, which costs its provider's whole cache. The newest stays, whatever its size.
 */
export function bounded({ answers, forgotten }: Kept, now: number): Kept {
  const young = answers.filter((answer) => !isOld(answer, now))
  const fits = young.length <= mostAnswers && charsOf(young) <= mostChars
  const kept = fits ? young : newest(young)
  return { answers: kept, forgotten: forgotten || kept.length < answers.length }
}

function newest(answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
  const kept: KeptAnswer[] = []
  let chars = 0
  for (const answer of answers.toReversed()) {
    chars += sizeOf(answer)
    if (kept.length > 0 && (kept.length >= mostAnswers / 2 || chars > mostChars / 2)) break
    kept.push(answer)
  }
  return kept.toReversed()
}

/** Finds the conversation on the disk that a new one was forked from, by the calls in its history. */
export interface KeptForks {
  /** true once for each conversation: a failed search is not repeated */
  isNew(conversation: string): boolean
  add(conversation: string, answers: readonly KeptAnswer[]): void
  /** the conversation that has most of these calls */
  bestOf(ids: readonly string[]): Promise<string | null>
}

const mostLookedUp = 1_000

export const callIdsOf = ({ pieces }: KeptAnswer): string[] =>
  pieces.flatMap((piece) => (piece.type === 'call' ? [piece.id] : []))

/** `onDisk` is read once, at the first search. */
export function keptForks(onDisk: () => Promise<readonly Document<KeptThinkingFile>[]>): KeptForks {
  const lookedUp = new Set<string>()
  /** conversations by the ids of their calls */
  const calls = new Map<string, Set<string>>()
  let reading: Promise<void> | null = null

  function add(conversation: string, answers: readonly KeptAnswer[]): void {
    for (const id of answers.flatMap(callIdsOf)) calls.set(id, (calls.get(id) ?? new Set()).add(conversation))
  }

  async function read(): Promise<void> {
    for (const document of await onDisk()) {
      const file = document.get()
      if (file) add(file.conversation, file.answers)
    }
  }

  return {
    isNew(conversation) {
      if (lookedUp.has(conversation)) return false
      lookedUp.add(conversation)
      const [oldest] = lookedUp
      if (lookedUp.size > mostLookedUp && oldest !== undefined) lookedUp.delete(oldest)
      return true
    },
    add(conversation, answers) {
      if (reading) add(conversation, answers)
    },
    async bestOf(ids) {
      await (reading ??= read())
      const counts = new Map<string, number>()
      for (const id of new Set(ids)) for (const one of calls.get(id) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1)
      let best: { conversation: string | null; count: number } = { conversation: null, count: 0 }
      for (const [conversation, count] of counts) if (count > best.count) best = { conversation, count }
      return best.conversation
    },
  }
}

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
