import { locate, notThere, holdsSecrets } from './confine.ts'
import { openToRead, readUpTo } from './read-start.ts'
import { refused, shownPath, type Refused } from './relative-path.ts'
import { headBytes, secretByHead } from './secret-files.ts'
import { isAtPlace } from './where-opened.ts'

/** The beginning of a regular file of the folder. */
export interface Bytes {
  ok: true
  /** the file's real path relative to the folder */
  path: string
  bytes: Buffer
  /** the whole file's */
  size: number
}

/**
 * Reads at most `most` bytes. The agent may swap a file or a folder on the way for a link while this goes on, so what
 * was opened has to be what stands inside afterwards; only then is anything read.
 */
export async function readInside(folder: string, asked: string, most: number): Promise<Bytes | Refused> {
  const place = await locate(folder, asked)
  if (!place.ok) return place
  if (place.kind === 'folder') return refused(`“${shownPath(place.path)}” is a folder.`, 'a folder')
  let handle
  try {
    handle = await openToRead(place.real)
  } catch (error) {
    return notThere(place.path, error)
  }
  try {
    const opened = await handle.stat()
    if (!opened.isFile() || !(await isAtPlace(handle, folder, place)))
      return refused(`“${shownPath(place.path)}” was replaced while it was read. Ask again.`, 'changed meanwhile')
    const { size } = opened
    const bytes = await readUpTo(handle, Math.min(size, most))
    if (secretByHead(bytes.toString('latin1', 0, headBytes))) return holdsSecrets(place.path, 'a private key')
    return { ok: true, path: place.path, bytes, size }
  } catch (error) {
    return notThere(place.path, error)
  } finally {
    await handle.close()
  }
}
