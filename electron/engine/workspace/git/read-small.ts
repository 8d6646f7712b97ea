import { systemCodeOf } from '../../base/errors.ts'
import { openToRead, readUpTo } from '../read-start.ts'

/** The bytes of a regular file that is not larger than `most`; null where there is no such file. */
export async function readSmall(path: string, most = 4_096): Promise<Buffer | null> {
  let handle
  try {
    handle = await openToRead(path)
    const stat = await handle.stat()
    return stat.isFile() && stat.size <= most ? await readUpTo(handle, stat.size) : null
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
