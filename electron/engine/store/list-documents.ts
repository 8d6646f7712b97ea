import { posix } from 'node:path'
import { inBatches } from './in-batches.ts'
import type { Files } from './types.ts'

/**
 * Names of documents among the names of a folder, as the disk gave them: no temporary files, none set aside, no
 * folders.
 */
export const documentNames = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))

/** Last changed first; unchanged order where the file system's times can't be had. */
export async function newestFirst(
  modifiedAt: Files['modifiedAt'],
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  if (!modifiedAt) return [...names]
  const dated = await inBatches(names, async (name) => ({
    name,
    at: (await modifiedAt(posix.join(folder, name))) ?? 0,
  }))
  return dated.sort((a, b) => b.at - a.at).map(({ name }) => name)
}
