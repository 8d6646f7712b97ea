import type { PoolEntry } from './prepared.ts'

/** An entry in its place, and the percent of the sessions it takes where weights decide. */
export interface Placed { entry: PoolEntry; percent: number | null }

/**
 * A pool in the order in which one session tries it. Entries beside each other with weights are ranked by the session's
 * name (rendezvous hashing with weights): the same session always gets the same order, sessions spread by weight, and
 * an entry that comes or goes moves only its own sessions.
 */
export function inOrder(entries: readonly PoolEntry[], session: string): readonly Placed[] {
  const placed: Placed[] = []
  for (let i = 0; i < entries.length;) {
    const entry = entries[i]
    if (entry === undefined) break
    if (entry.weight === null) { placed.push({ entry, percent: null }); i++; continue }
    let end = i
    while (entries[end] !== undefined && entries[end]?.weight !== null) end++
    placed.push(...ranked(entries.slice(i, end), session))
    i = end
  }
  return placed
}

function ranked(entries: readonly PoolEntry[], session: string): Placed[] {
  const total = entries.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
  return entries
    .map((entry) => ({ entry, percent: ((entry.weight ?? 0) / total) * 100, score: -Math.log((hash(`${session}\0${entry.providerId}.${entry.model}`) + 1) / 2 ** 32) / (entry.weight ?? 1) }))
    .sort((a, b) => a.score - b.score)
    .map(({ entry, percent }) => ({ entry, percent }))
}

/** FNV-1a with a final mix: 32 bits, even enough to share sessions by. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
