import { systemCodeOf } from '../../base/errors.ts'
import { openToRead, readUpTo } from '../read-start.ts'

/**
 * The bytes of a regular file that is not larger than `most`; null where there is no such file. One with a second name
 * counts as none, unless it may: what git reads in it, it may tell.
 */
export async function readSmall(path: string, most = 4_096, mostNames = 1): Promise<Buffer | null> {
  let handle
  try {
    handle = await openToRead(path)
    const stat = await handle.stat()
    return stat.isFile() && stat.size <= most && stat.nlink <= mostNames ? await readUpTo(handle, stat.size) : null
  } catch (error) {
    const code = systemCodeOf(error)
    // ELOOP: a link; ENXIO: a socket; EISDIR: Windows says so of a folder
    if (
      code !== null &&
      ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO', 'EISDIR', 'EINVAL', 'EMLINK'].includes(code)
    )
      return null
    throw error
  } finally {
    await handle?.close()
  }
}
