import { join, sep } from 'node:path'
import { isUtf8 } from 'node:buffer'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import { refuseGoalPath } from './goal-path.ts'

/** What of `node:fs/promises` is needed; injected. */
export interface GoalFiles {
  realpath(path: string): Promise<string>
  lstat(path: string): Promise<{ isFile(): boolean; size: number }>
  readFile(path: string): Promise<Buffer>
}

export type GoalFileRefusal = 'bad-path' | 'file-outside' | 'file-unreadable' | 'file-empty' | 'file-too-large'
export type GoalFileResult = { ok: true; text: string } | { ok: false; code: GoalFileRefusal; message: string }

/** bytes */
const maxBytes = 64 * 1024

/**
 * The text of `sm:<file://path>`, read from below the Onward home. Links are followed only as long as they stay inside.
 * Never throws: a refusal leaves the state as it is and the request goes on.
 */
export async function readGoalFile(home: string, path: string, files: GoalFiles): Promise<GoalFileResult> {
  const refused = refuseGoalPath(path)
  if (refused !== null) return refuse('bad-path', refused)
  try {
    const root = await files.realpath(home)
    const real = await files.realpath(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      return refuse('file-outside', `“${path}” leads out of the Onward home folder.`)
    const stat = await files.lstat(real)
    if (!stat.isFile()) return refuse('file-unreadable', `“${path}” is not a file.`)
    if (stat.size > maxBytes) return tooLarge(path)
    const bytes = await files.readFile(real)
    if (bytes.length > maxBytes) return tooLarge(path)
    if (!isUtf8(bytes)) return refuse('file-unreadable', `“${path}” is not UTF-8 text.`)
    const text = bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    return text === '' ? refuse('file-empty', `“${path}” is empty.`) : { ok: true, text }
  } catch (error) {
    return refuse('file-unreadable', `“${path}” can't be read: ${systemCodeOf(error) ?? messageOf(error)}.`)
  }
}

const refuse = (code: GoalFileRefusal, message: string): GoalFileResult => ({ ok: false, code, message })
const tooLarge = (path: string): GoalFileResult =>
  refuse('file-too-large', `“${path}” is larger than ${maxBytes / 1024} KiB.`)
