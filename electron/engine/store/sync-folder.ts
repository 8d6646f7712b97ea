import { promises as fs } from 'node:fs'
import { systemCodeOf } from '../base/errors.ts'

/** What file systems answer that have no such thing as syncing a folder (FUSE, SMB, exFAT). */
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
