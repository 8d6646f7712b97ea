import { posix } from 'node:path'
import { inBatches } from './in-batches.ts'
import type { Files } from './types.ts'

/**
 * Names of documents among the names of a folder, as the disk gave them: no temporary files, none set aside, no
 * folders.
 */
export const documentNames = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))

/** Last changed first, by name where they changed at once. */
export async function newestFirst(
  modifiedAt: NonNullable<Files['modifiedAt']>,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const dated = await inBatches(names, async (name) => ({
    name,
    at: (await modifiedAt(posix.join(folder, name))) ?? 0,
  }))
  return dated.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name)
}
