import { promises as fs } from 'node:fs'
import { systemCodeOf } from '../base/errors.ts'

/** The errors of file systems that can't sync a folder (FUSE, SMB, exFAT). */
const unsupported = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'])

/** Makes a rename or a removal in this folder durable (fsync(2): syncing the file does not sync its name). */
export async function syncFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  // Windows gives no handle on a folder; NTFS journals renames itself
  if (platform === 'win32') return
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!unsupported.has(systemCodeOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/**
 * Shares one sync between all who wait for the same folder: each caller gets one that began after its call, so what it
 * did before is in it. A thousand renames at once need only a few syncs.
 */
export function sharedSync(sync: (folder: string) => Promise<void>): (folder: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()

  const begin = (folder: string): Promise<void> => {
    next.delete(folder)
    const one = sync(folder).finally(() => {
      if (running.get(folder) === one) running.delete(folder)
    })
    running.set(folder, one)
    return one
  }
  return (folder) => {
    const current = running.get(folder)
    if (!current) return begin(folder)
    const waiting = next.get(folder) ?? current.then(again, again)
    next.set(folder, waiting)
    return waiting

    function again(): Promise<void> {
      return begin(folder)
    }
  }
}
