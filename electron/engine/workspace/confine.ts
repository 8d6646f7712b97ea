import { promises as fs } from 'node:fs'
import { join, relative, resolve, sep, isAbsolute } from 'node:path'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import { hidden, refused, relativePath, shownPath, type Refused } from './relative-path.ts'
import { secretByName, secretFolderAbove } from './secret-files.ts'

/** The folder that may be looked at, and the places that never are. */
export interface Confines {
  /** the session's, absolute */
  folder: string
  /**
   * real paths of which nothing is shown, also where the session's folder is below one or holds one: Onward's own home
   */
  closed: readonly string[]
}

/** `closed`: absolute, links followed here; one that is not there yet is closed by its name. */
export async function confinesOf(folder: string, closed: readonly string[]): Promise<Confines> {
  const real = (path: string) => fs.realpath(path).catch(() => resolve(path))
  return { folder, closed: await Promise.all(closed.map(real)) }
}

/** A file or folder that may be looked at. */
export interface Place {
  ok: true
  kind: 'file' | 'folder'
  /** absolute, without links */
  real: string
  /** the same relative to the folder, with `/`; empty: the folder itself */
  path: string
}

/**
 * Where a path leads to in the folder, links followed; refused where that is outside, a secret, or neither file nor
 * folder.
 */
export async function locate({ folder, closed }: Confines, asked: string): Promise<Place | Refused> {
  const wanted = relativePath(asked)
  if (!wanted.ok) return wanted
  // It is not known yet whether it is a file.
  const secret = secretByName(`${wanted.path}/`)
  if (secret !== null) return holdsSecrets(wanted.path, secret)
  try {
    const top = await fs.realpath(folder)
    const real = await fs.realpath(join(top, ...wanted.parts))
    const way = relative(top, real)
    if (!isInside(top, real))
      return refused(
        `“${shownPath(wanted.path)}” is a link that leads out of the session’s folder.`,
        'outside the folder',
      )
    const path = sep === '/' ? way : way.split(sep).join('/')
    const shut = shutAt({ closed }, wanted.path, real)
    if (shut !== null) return shut
    const stat = await fs.lstat(real)
    const behind = secretByName(stat.isDirectory() ? `${path}/` : path)
    if (behind !== null) return holdsSecrets(wanted.path, behind)
    if (stat.isFile()) return { ok: true, kind: 'file', real, path }
    if (stat.isDirectory()) return { ok: true, kind: 'folder', real, path }
    return refused(`“${shownPath(wanted.path)}” is neither a file nor a folder.`, 'not a file')
  } catch (error) {
    return notThere(wanted.path, error)
  }
}

/** True if a real path is the folder's or below it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Why nothing of a real path is shown, wherever the session's folder begins; null: nothing speaks against it. */
export function shutAt({ closed }: Pick<Confines, 'closed'>, path: string, real: string): Refused | null {
  if (closed.some((one) => isInside(one, real)))
    return hidden(
      `“${shownPath(path)}” is in Onward’s own home, of which nothing is shown to a model. Look for other evidence.`,
      'Onward’s own',
    )
  const secret = secretFolderAbove(real)
  return secret === null ? null : holdsSecrets(path, secret)
}

export const holdsSecrets = (path: string, what: string): Refused =>
  hidden(
    `“${shownPath(path)}” is one of the files that are never shown to a model (${what}). Look for other evidence.`,
    'holds secrets',
  )

export function notThere(path: string, error: unknown): Refused {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return refused(`There is no “${shownPath(path)}” in the session’s folder.`, 'no such file')
    case 'ELOOP':
      return refused(`“${shownPath(path)}” is a link that leads nowhere.`, 'no such file')
    case 'EACCES':
    case 'EPERM':
      return refused(`“${shownPath(path)}” may not be read by Onward.`, 'not readable')
    default:
      return refused(`“${shownPath(path)}” can’t be read: ${systemCodeOf(error) ?? messageOf(error)}.`, 'not readable')
  }
}
