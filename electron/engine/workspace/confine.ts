import { promises as fs } from 'node:fs'
import { join, relative, sep, isAbsolute } from 'node:path'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import { refused, relativePath, shownPath, type Refused } from './relative-path.ts'
import { secretByName } from './secret-files.ts'

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
export async function locate(folder: string, asked: string): Promise<Place | Refused> {
  const wanted = relativePath(asked)
  if (!wanted.ok) return wanted
  const secret = secretByName(wanted.path)
  if (secret !== null) return holdsSecrets(wanted.path, secret)
  try {
    const top = await fs.realpath(folder)
    const real = await fs.realpath(join(top, ...wanted.parts))
    const way = relative(top, real)
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      return refused(
        `“${shownPath(wanted.path)}” is a link that leads out of the session’s folder.`,
        'outside the folder',
      )
    const path = sep === '/' ? way : way.split(sep).join('/')
    const behind = secretByName(path)
    if (behind !== null) return holdsSecrets(wanted.path, behind)
    const stat = await fs.lstat(real)
    if (stat.isFile()) return { ok: true, kind: 'file', real, path }
    if (stat.isDirectory()) return { ok: true, kind: 'folder', real, path }
    return refused(`“${shownPath(wanted.path)}” is neither a file nor a folder.`, 'not a file')
  } catch (error) {
    return notThere(wanted.path, error)
  }
}

export const holdsSecrets = (path: string, what: string): Refused =>
  refused(
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
