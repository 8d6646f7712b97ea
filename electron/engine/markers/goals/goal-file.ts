import { isUtf8 } from 'node:buffer'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import { readBelow, type ReadBelow } from '../../workspace/read-below.ts'

export type GoalFileRefusal = 'bad-path' | 'file-outside' | 'file-unreadable' | 'file-empty' | 'file-too-large'
export type GoalFileResult = { ok: true; text: string } | { ok: false; code: GoalFileRefusal; message: string }

/** bytes */
const maxBytes = 64 * 1024

export interface GoalFolders {
  /** the Onward home; of it, only what is below `goals/` can be a goal */
  home: string
  /** where the session's agent works; null: not known */
  session: string | null
}

/**
 * The text of `sm:<file://path>`: a file below `goals/` in the home, or below `.onward/goals/` in the session's folder.
 * No link is followed below those two. Never throws: a refusal leaves the state as it is and the request goes on.
 */
export async function readGoalFile(
  folders: GoalFolders,
  path: string,
  read: (top: string, parts: readonly string[], most: number) => Promise<ReadBelow> = readBelow,
): Promise<GoalFileResult> {
  const refused = refuseGoalPath(path)
  const place = goalPlace(path)
  if (refused !== null || place === null) return refuse('bad-path', refused ?? 'This is no path of a goal.')
  // A second name of the same file (an alternate data stream) has a colon on Windows.
  if (sep === '\\' && path.includes(':')) return refuse('bad-path', 'The file name has a colon in it.')
  const folder = place.of === 'home' ? folders.home : folders.session
  if (folder === null) return refuse('file-unreadable', 'The folder this session works in is not known.')
  try {
    const top = await realpath(folder)
    if (await isKeptBack(folders.home, join(top, ...place.parts)))
      return refuse('file-outside', `“${path}” is in the Onward home, outside its folder goals/.`)
    return asText(path, await read(top, place.parts, maxBytes))
  } catch (error) {
    return refuse('file-unreadable', `“${path}” can't be read: ${systemCodeOf(error) ?? messageOf(error)}.`)
  }
}

/** The home holds keys and other people's texts: an agent that works in it must not read them as goals. */
async function isKeptBack(home: string, real: string): Promise<boolean> {
  const root = await realpath(home)
  return real.startsWith(root + sep) && !real.startsWith(join(root, 'goals') + sep)
}

function asText(path: string, found: ReadBelow): GoalFileResult {
  switch (found.kind) {
    case 'link':
      return refuse('file-outside', `“${path}” leads over a link; a goal and the folders it is in must be real ones.`)
    case 'not-a-file':
      return refuse('file-unreadable', `“${path}” is not a file.`)
    case 'many-names':
      return refuse('file-outside', `“${path}” has a second name on the disk (a hard link); copy it instead.`)
    case 'changed':
      return refuse('file-unreadable', `“${path}” was replaced while it was read.`)
    case 'too-large':
      return refuse('file-too-large', `“${path}” is larger than ${maxBytes / 1024} KiB.`)
    case 'read': {
      if (!isUtf8(found.bytes)) return refuse('file-unreadable', `“${path}” is not UTF-8 text.`)
      const text = found.bytes
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trim()
      return text === '' ? refuse('file-empty', `“${path}” is empty.`) : { ok: true, text }
    }
  }
}

const refuse = (code: GoalFileRefusal, message: string): GoalFileResult => ({ ok: false, code, message })

/** A path of a goal: which folder of goals it names, and its parts there, without separators, `.` and `..`. */
export interface GoalPlace {
  of: 'home' | 'session'
  parts: readonly string[]
}

/** The folders goals are read from: below the Onward home, and below the folder the session's agent works in. */
const places: readonly { of: GoalPlace['of']; folder: readonly string[] }[] = [
  { of: 'home', folder: ['goals'] },
  { of: 'session', folder: ['.onward', 'goals'] },
]

/** Looks at the path alone; links are checked when the file is read. */
function goalPlace(path: string): GoalPlace | null {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  const place = places.find(
    ({ folder }) => parts.length > folder.length && folder.every((part, i) => parts[i] === part),
  )
  return place ? { of: place.of, parts } : null
}

/** Why a path can't name a goal, or null. */
export function refuseGoalPath(path: string): string | null {
  if (path === '') return 'The file name is missing.'
  if (/[\p{Cc}"“”<>*]/u.test(path)) return 'The file name has quotes, < > * or control characters in it.'
  if (/^[\\/~]/.test(path) || /^[A-Za-z]:/.test(path)) return `The file must be named relative. ${where}`
  if (path.split(/[\\/]/).includes('..')) return 'The file name must not lead out of its folder with “..”.'
  return goalPlace(path) === null ? where : null
}

const where =
  'A goal is read from goals/ in the Onward home (goals/name.md) or from ' +
  '.onward/goals/ in the session’s folder (.onward/goals/name.md).'
