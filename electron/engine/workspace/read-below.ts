import { constants, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'
import { openToRead, readUpTo } from './read-start.ts'

export type ReadBelow =
  | { kind: 'read'; bytes: Buffer }
  /** a link stands on the way, or something else than a folder */
  | { kind: 'link' }
  | { kind: 'not-a-file' }
  /** the same file has another name somewhere, which may be one that must not be read */
  | { kind: 'many-names' }
  | { kind: 'too-large' }
  /** something on the way was replaced while it was read */
  | { kind: 'changed' }

/**
 * How a file is reached: each part opened from the folder before it, which no swap of names can lead astray; or by its
 * name, looked at before and after, where the system offers nothing better.
 */
export type Reach = 'by-descriptor' | 'by-name'

/** A folder that is open is a path of its own on Linux (proc(5)); Node has no openat. */
const ownReach = (): Reach => (process.platform === 'linux' ? 'by-descriptor' : 'by-name')

/**
 * Reads a small regular file of one name below a folder, once, without following a link on the way: what is checked is
 * what is read, however names are swapped meanwhile. `parts` hold no separators, no `.` and no `..`; links to `top`
 * itself are the caller's. @throws the system's errors
 */
export async function readBelow(
  top: string,
  parts: readonly string[],
  mostBytes: number,
  reach: Reach = ownReach(),
): Promise<ReadBelow> {
  const before = reach === 'by-name' ? await walk(top, parts) : null
  if (before?.kind === 'link') return before
  let file
  try {
    file = await (reach === 'by-name' ? openToRead(join(top, ...parts)) : openFrom(top, parts))
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ELOOP' || code === 'ENOTDIR') return { kind: 'link' }
    throw error
  }
  try {
    const opened = await file.stat({ bigint: true })
    if (!opened.isFile()) return { kind: 'not-a-file' }
    if (opened.nlink > 1n) return { kind: 'many-names' }
    if (opened.size > mostBytes) return { kind: 'too-large' }
    if (before !== null && !(await isStill(top, parts, before.ids, idOf(opened)))) return { kind: 'changed' }
    const bytes = await readUpTo(file, mostBytes + 1)
    return bytes.length > mostBytes ? { kind: 'too-large' } : { kind: 'read', bytes }
  } finally {
    await file.close()
  }
}

async function openFrom(top: string, parts: readonly string[]): Promise<fs.FileHandle> {
  const asFolder = constants.O_RDONLY | constants.O_DIRECTORY
  let folder = await fs.open(top, asFolder)
  try {
    for (const part of parts.slice(0, -1)) {
      const next = await fs.open(`/proc/self/fd/${folder.fd}/${part}`, asFolder | constants.O_NOFOLLOW)
      await folder.close()
      folder = next
    }
    return await openToRead(`/proc/self/fd/${folder.fd}/${parts.at(-1) ?? ''}`)
  } finally {
    await folder.close()
  }
}

interface Id {
  dev: bigint
  ino: bigint
}
const idOf = ({ dev, ino }: Id): string => `${dev}:${ino}`

/** Walks the path down to the file; a link anywhere ends it. */
async function walk(
  top: string,
  parts: readonly string[],
): Promise<{ kind: 'walked'; ids: readonly string[] } | { kind: 'link' }> {
  const ids: string[] = []
  let path = top
  for (const [i, part] of parts.entries()) {
    path = join(path, part)
    const found = await fs.lstat(path, { bigint: true })
    if (found.isSymbolicLink() || (i < parts.length - 1 && !found.isDirectory())) return { kind: 'link' }
    ids.push(idOf(found))
  }
  return { kind: 'walked', ids }
}

/** Several looks, each of which must find the same: a folder that is swapped back and forth hardly stands so often. */
const passes = 4

async function isStill(
  top: string,
  parts: readonly string[],
  ids: readonly string[],
  opened: string,
): Promise<boolean> {
  if (ids.at(-1) !== opened) return false
  for (let pass = 0; pass < passes; pass++) {
    const again = await walk(top, parts)
    if (again.kind !== 'walked' || again.ids.join() !== ids.join()) return false
  }
  return true
}
