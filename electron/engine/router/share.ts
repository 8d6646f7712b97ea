import type { PoolEntry } from './prepared.ts'

/** An entry in its place, and the percentage of sessions it takes where weights decide. */
export interface Placed {
  entry: PoolEntry
  percent: number | null
}

/**
 * Returns a pool in the order in which one session tries it. Neighbours with weights are ranked by the session's name
 * (rendezvous hashing with weights): the same session always gets the same order, sessions spread by weight, and an
 * entry that is added or removed moves only its own sessions.
 */
export function* eachInOrder(entries: readonly PoolEntry[], session: string): Generator<Placed> {
  for (let i = 0; i < entries.length;) {
    const entry = entries[i]
    if (entry === undefined) break
    if (entry.weight === null) {
      yield { entry, percent: null }
      i++
      continue
    }
    let end = i
    while (entries[end] !== undefined && entries[end]?.weight !== null) end++
    yield* ranked(entries, i, end, session)
    i = end
  }
}

export const inOrder = (entries: readonly PoolEntry[], session: string): readonly Placed[] => [
  ...eachInOrder(entries, session),
]

/** Mostly only the first is wanted: the others are sorted only for a caller that asks for more. */
function* ranked(entries: readonly PoolEntry[], from: number, end: number, session: string): Generator<Placed> {
  const start = hash(session)
  const names = namesOf(entries)
  const scores = new Float64Array(entries.length)
  let total = 0
  let first = from
  for (let i = from; i < end; i++) {
    const share = entries[i]?.weight ?? 1
    const score = -Math.log((mixed(start ^ (names[i] ?? 0)) + 1) / 2 ** 32) / share
    scores[i] = score
    total += share
    if (score < (scores[first] ?? Infinity)) first = i
  }
  const placed = (entry: PoolEntry): Placed => ({ entry, percent: ((entry.weight ?? 1) / total) * 100 })
  const best = entries[first]
  if (best) yield placed(best)
  const others = entries
    .map((entry, i) => ({ entry, score: scores[i] ?? 0 }))
    .filter((_, i) => i >= from && i < end && i !== first)
    .sort((a, b) => a.score - b.score)
  for (const { entry } of others) yield placed(entry)
}

const known = new WeakMap<readonly PoolEntry[], Int32Array>()
/** Returns a hash of each entry's name; those of a whole pool are made once. */
function namesOf(entries: readonly PoolEntry[]): Int32Array {
  const before = known.get(entries)
  if (before) return before
  const made = Int32Array.from(entries, ({ providerId, model }) => hash(`${providerId}.${model}`))
  known.set(entries, made)
  return made
}

/** FNV-1a; two of them, combined and mixed, are 32 bits even enough to share sessions by. */
const offset = 0x811c9dc5
function hash(text: string): number {
  let h = offset
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h
}

function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
