import { type Stats, promises as fs } from 'node:fs'
import { holdsSecrets, locate, notThere, type Confines, type Place } from './confine.ts'
import { openToRead, readUpTo } from './read-start.ts'
import { hidden, refused, shownPath, type Refused } from './relative-path.ts'
import { secretIn } from './secret-content.ts'

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
 * Reads at most `most` bytes of what may be shown to a model. A file with a second name is not: it may be anything of
 * the disk, and the name by which a secret is known is the other one.
 */
export async function readToShow(confines: Confines, asked: string, most: number): Promise<Bytes | Refused> {
  const file = await readOpened(confines, asked, most, (path, { nlink }) =>
    nlink > 1
      ? hidden(
          `“${shownPath(path)}” has another name elsewhere (a hard ` +
            'link), so what it is can’t be told. Look for other evidence.',
          'a hard link',
        )
      : null,
  )
  const secret = file.ok ? secretIn(file.bytes) : null
  return file.ok && secret !== null ? holdsSecrets(file.path, secret) : file
}

/** Reads at most `most` bytes of a file whose content is not shown to any model or person. */
export const readInside = (confines: Confines, asked: string, most: number): Promise<Bytes | Refused> =>
  readOpened(confines, asked, most, () => null)

/**
 * The agent may swap a file or a folder on the way for a link while this goes on, so what was opened has to be what
 * stands inside afterwards; only then is anything read.
 */
async function readOpened(
  confines: Confines,
  asked: string,
  most: number,
  against: (path: string, stat: Stats) => Refused | null,
): Promise<Bytes | Refused> {
  const place = await locate(confines, asked)
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
    if (!opened.isFile() || !(await isAtPlace(handle, confines, place)))
      return refused(`“${shownPath(place.path)}” was replaced while it was read. Ask again.`, 'changed meanwhile')
    const no = against(place.path, opened)
    if (no !== null) return no
    const { size } = opened
    return { ok: true, path: place.path, bytes: await readUpTo(handle, Math.min(size, most)), size }
  } catch (error) {
    return notThere(place.path, error)
  } finally {
    await handle.close()
  }
}

/** Passes over a path where the system can't say what is open: all must find the same. */
const passes = 4

/**
 * A path of what is open, whatever its name leads to by now; null where the system has none (it is Linux's, proc(5)).
 */
export async function pathOfOpen(handle: fs.FileHandle): Promise<{ path: string; real: string } | null> {
  const path = `/proc/self/fd/${handle.fd}`
  const real = await fs.readlink(path).catch(() => null)
  return real === null ? null : { path, real }
}

/**
 * True if the file that was opened is the one at the place inside. Between a check and an open a folder on the way may
 * be swapped for a link and back, so the open file is asked, not its name.
 */
export async function isAtPlace(handle: fs.FileHandle, confines: Confines, place: Place): Promise<boolean> {
  const open = await pathOfOpen(handle)
  if (open !== null) return open.real === place.real
  const opened = await handle.stat({ bigint: true })
  for (let pass = 0; pass < passes; pass++) {
    const again = await locate(confines, place.path)
    const there = await fs.lstat(place.real, { bigint: true })
    if (!again.ok || again.real !== place.real || opened.ino !== there.ino || opened.dev !== there.dev) return false
  }
  return true
}
