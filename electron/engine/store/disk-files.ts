import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  constants,
  promises as fs,
  readFile as readWithCallback,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname, basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { systemCodeOf, OnwardError } from '../base/errors.ts'
import type { Files } from './types.ts'

const fileMode = 0o600
/** Reads each of ten thousand small files with a third less work than node:fs/promises, which opens a FileHandle. */
const readFile = promisify(readWithCallback)
/** absent on Windows, where symbolic links need a privilege to be made at all */
const noFollow = constants.O_NOFOLLOW ?? 0

/** Temporary files begin with this; the holder of the folder's lock may remove what a dead process left. */
export const tempPrefix = '.onward-'

/**
 * The real disk. Writes never go through a symbolic link: a new file takes the place of the link itself, and an
 * append to a link is refused. With `root`, paths are taken below it and nothing outside of it is touched.
 * @throws the system error as it came (`ENOSPC`, `EROFS`, ...), or OnwardError `path-refused`
 */
export function diskFiles(root?: string): Files {
  const place = root === undefined ? async (path: string) => path : confine(root)
  const synced = sharedSync(syncFolder)
  let temps = 0

  const openTemp = async (folder: string) => {
    for (let made = false; ;) {
      const path = `${folder}/${tempPrefix}${process.pid}-${++temps}.tmp`
      try {
        return {
          path,
          handle: await fs.open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | noFollow, fileMode),
        }
      } catch (error) {
        const code = systemCodeOf(error)
        // EEXIST: left by an earlier process with the same id; the next number is free
        if (code === 'ENOENT' && !made) await makeFolder(folder)
        else if (code !== 'EEXIST') throw error
        made ||= code === 'ENOENT'
      }
    }
  }

  const writeAtomic = async (path: string, data: string, mode?: number) => {
    const target = await place(path)
    const temp = await openTemp(dirname(target))
    try {
      try {
        await temp.handle.writeFile(data)
        if (mode !== undefined) await temp.handle.chmod(mode)
        await temp.handle.sync()
      } finally {
        await temp.handle.close()
      }
      await fs.rename(temp.path, target)
    } catch (error) {
      // what can't be removed now is swept at the next start; the caller must hear of the write
      await fs.rm(temp.path, { force: true }).then(undefined, () => undefined)
      throw error
    }
    await synced(dirname(target))
  }

  const makeFolder = async (path: string) => {
    const target = await place(path)
    const first = await makeFolders(target)
    if (first === undefined) return
    // each new entry is made durable in the folder above it
    for (let made = target; made.length >= first.length; made = dirname(made)) await synced(dirname(made))
  }

  return {
    writeAtomic,
    makeFolder,
    ...(root === undefined ? inPlace() : {}),
    async read(path) {
      try {
        return await readFile(await place(path))
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT') return null
        throw error
      }
    },
    async append(path, data, how) {
      const target = await place(path)
      const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | noFollow
      const handle = await fs.open(target, flags, fileMode).catch(async (error: unknown) => {
        if (systemCodeOf(error) !== 'ENOENT') throw error
        await makeFolder(dirname(target))
        return fs.open(target, flags, fileMode)
      })
      // mostly not synced: records may lose their last lines in a power cut, documents may not
      try {
        await handle.writeFile(data)
        if (how?.sync) await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async remove(path) {
      const target = await place(path)
      try {
        await fs.unlink(target)
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT') return
        throw error
      }
      await synced(dirname(target))
    },
    async rename(from, to) {
      const [source, target] = [await place(from), await place(to)]
      await fs.rename(source, target)
      await synced(dirname(target))
      if (dirname(source) !== dirname(target)) await synced(dirname(source))
    },
    async list(folder) {
      try {
        return await fs.readdir(await place(folder))
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT') return []
        throw error
      }
    },
    async modifiedAt(path) {
      try {
        return (await fs.lstat(await place(path))).mtimeMs
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT') return null
        throw error
      }
    },
  }
}

const mode = 0o700

/**
 * Makes a folder and those above it, open to the owner only. Not by node:fs's recursive mkdir: on a read-only disk that
 * says ENOENT, and where nothing can ever be made (`/proc`) it never ends (seen with Node 20).
 * @returns the first one that was made, undefined when all were there
 * @throws the system error as it came
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  try {
    return await makeOne(path)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
  }
  const first = await makeFolders(dirname(path))
  const last = await makeOne(path)
  return first ?? last
}

/** @returns undefined when it existed */
async function makeOne(path: string): Promise<string | undefined> {
  try {
    await fs.mkdir(path, { mode })
    return path
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || !(await isFolder(path))) throw error
    return undefined
  }
}

const isFolder = (path: string): Promise<boolean> =>
  fs.stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

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

/**
 * Turns a path into the real one below `root`. Links inside the root that lead out of it are refused; the last part
 * is left as it is, because it may not exist yet.
 * @throws OnwardError `path-refused`
 */
export function confine(root: string): (path: string) => Promise<string> {
  const top = resolve(root)
  return async (path) => {
    const wanted = resolve(top, path)
    if (!isBelow(top, wanted)) throw refused(path, root)
    if (wanted === top) return top
    const real = await realFolder(dirname(wanted))
    if (!isBelow(await realFolder(top), real)) throw refused(path, root)
    return join(real, basename(wanted))
  }
}

const refused = (path: string, root: string) =>
  new OnwardError('path-refused', `"${path}" leads out of ${root}, so Onward does not touch it.`)

const isBelow = (top: string, path: string) => {
  const way = relative(top, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Returns the real path of a folder, whose last parts may not exist yet. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await fs.realpath(folder)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    return join(await realFolder(dirname(folder)), basename(folder))
  }
}

/** Without it, opening a pipe would wait for a writer. Windows has no such files. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads small files in place, all with one buffer. */
export function inPlace(): Required<Pick<Files, 'readInPlace' | 'modifiedInPlace'>> {
  let memory: Buffer | null = null
  return {
    readInPlace: (path) =>
      orNull(() => {
        const file = openSync(path, flags)
        try {
          if (!fstatSync(file).isFile()) return undefined
          memory ??= Buffer.allocUnsafeSlow(65_536)
          const length = readSync(file, memory, 0, memory.length, 0)
          const found = memory.subarray(0, length)
          return length < memory.length && isAscii(found) ? found.toString('latin1') : undefined
        } finally {
          closeSync(file)
        }
      }),
    modifiedInPlace: (path) => orNull(() => lstatSync(path).mtimeMs),
  }
}

function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * The most bytes of a name before its tail becomes a hash; leaves room for a prefix and `.json.corrupt-<time>` below
 * 255.
 */
const longest = 120
const headKept = 70
/** A spelled-out name never has `%~`: there `%` is followed by hex digits or `u`, and `~` is always escaped. */
const hashMark = '%~'
/** names Windows keeps for devices, whatever the extension (Naming Files, Paths, and Namespaces, Microsoft Learn) */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/

/**
 * Returns an id as a file name: reversible, and two ids never share a file, also where the file system ignores case or
 * normalises Unicode (therefore only lower-case ASCII is left as it is). Long ids end in a hash; the document itself
 * must then hold the id, because the name no longer does.
 */
export function fileNameOf(id: string): string {
  const before = known.get(id)
  if (before !== undefined) return before
  const name = nameOf(id)
  if (known.size >= mostKnown) known.clear()
  if (id.length <= longest) known.set(id, name)
  return name
}

/** Every request asks for the same few sessions. */
const known = new Map<string, string>()
const mostKnown = 2_000
/** a name in which nothing is escaped */
const plainName = /^[a-z0-9_-][a-z0-9_.-]*$/

function nameOf(id: string): string {
  const name = escapeDevice(plainName.test(id) ? id : escape(id))
  if (name.length <= longest) return name
  return `${name.slice(0, headKept)}${hashMark}${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 40)}`
}

/** Returns the file of a scope's documents: `tmux:main:%3` is `tmux-main%3a%253.json`. */
export function scopeFile(scope: string): string {
  const cut = scope.indexOf(':')
  const family = scope.slice(0, cut)
  // `session-<id>.json` belongs to the session itself (sessions/session-store.ts)
  return `${family === 'session' ? 'reenter' : family}-${fileNameOf(scope.slice(cut + 1))}.json`
}

function escape(id: string): string {
  if (id === '') return '%'
  let name = ''
  for (const char of id) {
    const code = char.codePointAt(0) ?? 0
    if (/^[a-z0-9_-]$/.test(char) || (char === '.' && name !== '')) name += char
    // a lone surrogate has no UTF-8 form
    else if (code >= 0xd800 && code <= 0xdfff) name += `%u${code.toString(16).padStart(4, '0')}`
    else for (const byte of Buffer.from(char, 'utf8')) name += `%${byte.toString(16).padStart(2, '0')}`
  }
  return name
}

const escapeDevice = (name: string) =>
  deviceName.test(name) ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
