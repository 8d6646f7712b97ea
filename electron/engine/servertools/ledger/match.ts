import type { AssistantTurn } from '../../protocol/server-tools/types.ts'
import { isAnchor, type LedgerEntry } from './ledger.ts'

export interface Matched {
  entry: LedgerEntry
  turn: AssistantTurn
}

/**
 * Finds the answers that the entries belong to. An answer at its old place is preferred, since agents say “Done.” more
 * than once, and the newest entry for it, since clients ask again for answers that never reached them. The others are
 * searched in their order; one that is no longer found was compacted or edited away.
 */
export function matchEntries(
  entries: readonly LedgerEntry[],
  turns: readonly AssistantTurn[],
): { found: readonly Matched[]; lost: readonly LedgerEntry[] } {
  const placed = new Map<number, LedgerEntry>()
  for (const entry of entries.toReversed())
    if (stands(entry, turns) && !placed.has(entry.anchor.ordinal)) placed.set(entry.anchor.ordinal, entry)

  const found: Matched[] = []
  const lost: LedgerEntry[] = []
  let from = 0
  for (const entry of entries) {
    const { ordinal } = entry.anchor
    const at =
      placed.get(ordinal) === entry
        ? ordinal
        : stands(entry, turns)
          ? -1
          : turns.findIndex((turn, i) => i >= from && !placed.has(i) && isAnchor(entry, turn))
    const turn = turns[at]
    if (!turn) {
      lost.push(entry)
      continue
    }
    placed.set(at, entry)
    found.push({ entry, turn })
    from = at + 1
  }
  return { found, lost }
}

function stands(entry: LedgerEntry, turns: readonly AssistantTurn[]): boolean {
  const there = turns[entry.anchor.ordinal]
  return there !== undefined && isAnchor(entry, there)
}
