import { promises as fs } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { OnwardError, systemCodeOf } from '../base/errors.ts'

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
