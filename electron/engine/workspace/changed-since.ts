import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { isLeftOut } from './entries.ts'

/** Entries examined; a folder with more counts as changed. */
const mostEntries = 20_000
const atOnce = 64

/**
 * Returns true if any file or folder changed after an instant (epoch milliseconds): its content, its mode, or its
 * entries. Visits upper levels first and stops at the first change. An entry that can't be examined counts as changed:
 * an agent must not be blamed for doing nothing where Onward could not see.
 */
export async function changedSince(
  folder: string,
  at: number,
  signal: AbortSignal,
  most = mostEntries,
): Promise<boolean> {
  const newer = async (path: string): Promise<boolean> => {
    const { mtimeMs, ctimeMs } = await fs.lstat(path)
    return mtimeMs > at || ctimeMs > at
  }
  try {
    if (await newer(folder)) return true
    const folders = [folder]
    let left = most
    for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
      const batch: string[] = []
      for await (const entry of await fs.opendir(next)) {
        if (signal.aborted || --left < 0) return true
        if (isLeftOut(entry.name)) continue
        const path = join(next, entry.name)
        if (entry.isDirectory()) folders.push(path)
        batch.push(path)
        if (batch.length >= atOnce && (await any(batch.splice(0), newer))) return true
      }
      if (await any(batch, newer)) return true
    }
    return signal.aborted
  } catch {
    // gone or not readable: see above
    return true
  }
}

const any = async (paths: readonly string[], is: (path: string) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(paths.map(is))).includes(true)
