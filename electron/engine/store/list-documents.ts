import { posix } from 'node:path'
import { inBatches } from './in-batches.ts'

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
