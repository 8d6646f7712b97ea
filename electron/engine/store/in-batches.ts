import { posix } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { ownTurn } from '../base/work.ts'
import type { Files } from './types.ts'

/** How many run at once: enough to keep the thread pool busy, few enough that one batch is far below 10 ms. */
const usualSize = 16

/**
 * Does something for thousands of files without holding up the event loop: one batch at a time, and the loop runs
 * before each, even when no answer had to be waited for. Items that fit into one batch start at once. Results keep
 * their order.
 */
export async function inBatches<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  batchSize = usualSize,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += batchSize) {
    if (items.length > batchSize) await ownTurn()
    results.push(...(await Promise.all(items.slice(start, start + batchSize).map(act))))
  }
  return results
}

/**
 * After a disk took longer than this (milliseconds) for one small file several times in a row, the next files are read
 * in the background. A single slow read says nothing: another process had the processor.
 */
const slow = { ms: 2, times: 3, nextOnes: 256 }

export interface FilesAtOnce {
  read(path: string): Promise<Buffer | string | null>
  modifiedAt(path: string): Promise<number | null>
}

/**
 * Reads the thousands of small files of a start. Each way through the thread pool costs several times what a file in
 * the system's cache does, so they are read in place, as long as the disk answers at once.
 */
export function filesAtOnce(files: Files, clock: Pick<Clock, 'monotonic'>): FilesAtOnce {
  let slowOnes = 0
  let inBackground = 0
  const watched = <T>(look: () => T): T => {
    const from = clock.monotonic()
    try {
      return look()
    } finally {
      slowOnes = clock.monotonic() - from > slow.ms ? slowOnes + 1 : 0
      if (slowOnes >= slow.times) {
        slowOnes = 0
        inBackground = slow.nextOnes
      }
    }
  }
  const isQuick = () => inBackground === 0 || --inBackground === 0
  return {
    async read(path) {
      const found = isQuick() ? watched(() => files.readInPlace?.(path)) : undefined
      return found === undefined ? files.read(path) : found
    },
    async modifiedAt(path) {
      const found = isQuick() ? watched(() => files.modifiedInPlace?.(path)) : undefined
      return found === undefined ? ((await files.modifiedAt?.(path)) ?? null) : found
    },
  }
}

/**
 * Picks the names of documents from the names in a folder, in the disk's order: no temporary files, none set aside, no
 * folders.
 */
export const documentNames = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))

/**
 * Sorts by last change, newest first, and by name where they changed at once. Only the times are sorted, as plain
 * numbers: to compare ten thousand names with a function holds up the event loop for milliseconds.
 */
export async function newestFirst(
  modifiedAt: (path: string) => Promise<number | null>,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const changedAt = new Map<number, string[]>()
  const times = await inBatches(names, async (name) => {
    const at = (await modifiedAt(posix.join(folder, name))) ?? 0
    const atOnce = changedAt.get(at)
    if (atOnce) atOnce.push(name)
    else changedAt.set(at, [name])
    return at
  })
  const sorted: string[] = []
  let before = NaN
  for (const at of Float64Array.from(times).sort().reverse()) {
    if (at !== before) for (const name of changedAt.get(at)?.sort() ?? []) sorted.push(name)
    before = at
  }
  return sorted
}
