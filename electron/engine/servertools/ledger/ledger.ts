import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type EntryProtocol, entryProtocols } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { AssistantTurn } from '../../protocol/server-tools/types.ts'
import { fileNameOf } from '../../store/disk-files.ts'
import type { Document, Store, DocumentSpec } from '../../store/types.ts'

/** Messages that sessions' providers saw and their clients did not. */
export interface Ledger {
  /** Finds out which sessions have entries. Until then each session that is asked for is looked up on the disk. */
  load(): Promise<void>
  /** whether the session may have something: without waiting */
  mayHave(sessionId: string): boolean
  /** oldest first; of this protocol only */
  of(sessionId: string, protocol: EntryProtocol): Promise<readonly LedgerEntry[]>
  /** Resolves when it is on the disk. @throws OnwardError `store-failed` */
  add(sessionId: string, entry: LedgerEntry): Promise<void>
  /** Drops entries that the client no longer has. @throws OnwardError `store-failed` */
  forget(sessionId: string, entries: readonly LedgerEntry[]): Promise<void>
}

/** characters, of one session; the oldest go first */
const mostChars = 4 * 1024 * 1024
const mostEntries = 2_000
/** A conversation taken up again after so long has no more use for its hidden history. */
const keptMs = 30 * 24 * 60 * 60_000
/** documents kept at hand */
const mostOpen = 64

export function createLedger({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): Ledger {
  const files = new Set<string>()
  let listed = false
  /** last used last; the store itself holds a document only while it is in use */
  const open = new Map<string, Document<LedgerFile>>()

  const documentOf = async (sessionId: string): Promise<Document<LedgerFile>> => {
    const document = open.get(sessionId) ?? (await store.document(ledgerSpec(sessionId)))
    open.delete(sessionId)
    open.set(sessionId, document)
    const [oldest] = open.keys()
    if (open.size > mostOpen && oldest !== undefined) open.delete(oldest)
    return document
  }
  const change = async (
    sessionId: string,
    next: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[],
  ): Promise<void> => {
    const document = await documentOf(sessionId)
    const kept = await document.update((file) => {
      const entries = next(file?.entries ?? [])
      return entries.length === 0 ? null : { sessionId, entries }
    })
    if (kept) files.add(ledgerFile(sessionId))
    else files.delete(ledgerFile(sessionId))
  }

  return {
    async load() {
      for (const name of await store.list(ledgerFolder)) files.add(name)
      listed = true
    },
    mayHave: (sessionId) => !listed || files.has(ledgerFile(sessionId)),
    async of(sessionId, protocol) {
      const document = await documentOf(sessionId)
      return (document.get()?.entries ?? []).filter((entry) => entry.protocol === protocol)
    },
    add: (sessionId, entry) => change(sessionId, (entries) => bounded([...entries, entry], clock.now())),
    forget: (sessionId, gone) =>
      change(sessionId, (entries) =>
        entries.filter((entry) => !gone.some((one) => one === entry || JSON.stringify(one) === JSON.stringify(entry))),
      ),
  }
}

function bounded(entries: readonly LedgerEntry[], now: number): readonly LedgerEntry[] {
  const kept: LedgerEntry[] = []
  let chars = 0
  for (const entry of entries.toReversed()) {
    chars += sizeOf(entry)
    if (kept.length >= mostEntries || (kept.length > 0 && chars > mostChars) || now - entry.at > keptMs) break
    kept.push(entry)
  }
  return kept.toReversed()
}

const entryShape = z.object({
  at: z.number(),
  protocol: z.enum(entryProtocols),
  /**
   * the answer it belongs to, as the client has it: how many answers stood before it, its text without blanks, its own
   * calls
   */
  anchor: z.object({
    ordinal: z.number(),
    textLength: z.number(),
    textDigest: z.string(),
    calls: z.array(z.string()).readonly(),
  }),
  /** Responses: the id the client has of the answer, and that of its last round */
  responseId: z.string().nullable(),
  continuesAs: z.string().nullable().default(null),
  hidden: z.object({
    before: z.array(z.string()).readonly(),
    filler: z.boolean(),
    calls: z.array(z.object({ json: z.string(), callsBefore: z.number() })).readonly(),
    results: z.array(z.string()).readonly(),
  }),
})

/** The messages hidden around one answer of a session, and how to find that answer again. */
export type LedgerEntry = Readonly<z.infer<typeof entryShape>>

interface LedgerFile {
  sessionId: string
  entries: readonly LedgerEntry[]
}
const fileShape = z.object({ sessionId: z.string(), entries: z.array(entryShape) })

const ledgerFolder = 'servertool-pending'
const ledgerFile = (sessionId: string): string => `${fileNameOf(sessionId)}.json`
export const ledgerSpec = (sessionId: string): DocumentSpec<LedgerFile> => ({
  path: `${ledgerFolder}/${ledgerFile(sessionId)}`,
  version: 1,
  parse: (value) => fileShape.parse(value),
})

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** `text` without blanks. */
export const anchorOf = (ordinal: number, text: string, calls: readonly string[]): LedgerEntry['anchor'] => ({
  ordinal,
  textLength: text.length,
  textDigest: digest(text),
  calls,
})

/** The length is looked at first: hardly ever do two answers of a conversation share it. */
export function isAnchor({ anchor }: LedgerEntry, turn: AssistantTurn): boolean {
  return (
    turn.text.length === anchor.textLength &&
    turn.calls.length === anchor.calls.length &&
    turn.calls.every((call, i) => call === anchor.calls[i]) &&
    digest(turn.text) === anchor.textDigest
  )
}

/** The size that counts against a session's limit. */
const sizeOf = ({ hidden }: LedgerEntry): number =>
  [...hidden.before, ...hidden.results, ...hidden.calls.map(({ json }) => json)].reduce(
    (sum, text) => sum + text.length,
    200,
  )
