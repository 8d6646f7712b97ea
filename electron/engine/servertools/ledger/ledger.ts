import type { Clock } from '../../base/clock.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Document, Store } from '../../store/types.ts'
import { ledgerFile, ledgerFolder, ledgerSpec, sizeOf, type LedgerEntry, type LedgerFile } from './entry.ts'

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
