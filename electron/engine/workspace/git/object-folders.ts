import { promises as fs, type Dirent } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemCodeOf } from '../../base/errors.ts'
import { isInside } from '../confine.ts'
import type { Repository } from './find-repository.ts'
import { readSmall } from './read-small.ts'

/** A folder of objects: its real path, and the folders in it that hold some. */
export interface ObjectFolder {
  path: string
  holding: readonly string[]
}

const mostFolders = 16
const mostObjects = 500_000
const largestList = 64 * 1024

/**
 * Where a repository keeps its objects: in its own folder, and in alternates (gitrepository-layout(5)) that are inside
 * of it or of its work tree. What leads out, by an alternate or a link, would be another repository's; what is no file
 * would hold git up.
 */
export async function objectFolders({
  top,
  commonDir,
}: Repository): Promise<readonly ObjectFolder[] | { problem: string }> {
  const found: ObjectFolder[] = []
  const waiting = [join(commonDir, 'objects')]
  let left = mostObjects
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const path = await realOf(next)
    // Git leaves an alternate out that is not there.
    if (path === null) continue
    if (found.some((one) => one.path === path)) continue
    if (!isInside(commonDir, path) && !isInside(top, path)) return leadsOut
    if (found.length >= mostFolders) return { problem: 'The repository has too many folders of objects.' }
    const entries = (await entriesOf(path)).filter(({ name }) => /^(?:[0-9a-f]{2}|pack)$/.test(name))
    if (!entries.every((entry) => entry.isDirectory())) return leadsOut
    const holding = entries.map(({ name }) => name)
    for (const objects of await Promise.all(holding.map((name) => entriesOf(join(path, name))))) {
      if (!objects.every((entry) => entry.isFile())) return leadsOut
      if ((left -= objects.length) < 0) return { problem: 'The repository has too many loose objects: run git gc.' }
    }
    found.push({ path, holding })
    const alternates = (await readSmall(join(path, 'info', 'alternates'), largestList))?.toString('utf8') ?? ''
    waiting.push(
      ...alternates
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => resolve(path, line)),
    )
  }
  return found
}

const leadsOut = {
  problem:
    'The repository’s objects are links, or are kept in another ' +
    'folder (objects/info/alternates), which may not be looked at.',
}

async function realOf(path: string): Promise<string | null> {
  try {
    return await fs.realpath(path)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES') return null
    throw error
  }
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    return await fs.readdir(path, { withFileTypes: true })
  } catch (error) {
    // packed away meanwhile
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  }
}
