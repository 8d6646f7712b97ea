import type { AssistantTurn } from '../../protocol/take-over.ts'
import { isAnchor, type LedgerEntry } from './entry.ts'

export interface Matched { entry: LedgerEntry; turn: AssistantTurn }

/**
 * Finds the answers the entries belong to, both in their order. An answer at the very place it had is preferred, since
 * agents say “Done.” more than once; one that stands nowhere any more was compacted or edited away.
 */
export function matchEntries(entries: readonly LedgerEntry[], turns: readonly AssistantTurn[]): { found: readonly Matched[]; lost: readonly LedgerEntry[] } {
  const found: Matched[] = []
  const lost: LedgerEntry[] = []
  let from = 0
  for (const entry of entries) {
    const at = placeOf(entry, turns, from)
    const turn = turns[at]
    if (!turn) {
      lost.push(entry)
      continue
    }
    found.push({ entry, turn })
    from = at + 1
  }
  return { found, lost }
}

function placeOf(entry: LedgerEntry, turns: readonly AssistantTurn[], from: number): number {
  const { ordinal } = entry.anchor
  const there = turns[ordinal]
  if (ordinal >= from && there && isAnchor(entry, there)) return ordinal
  for (let i = from; i < turns.length; i++) {
    const turn = turns[i]
    if (turn && isAnchor(entry, turn)) return i
  }
  return -1
}
