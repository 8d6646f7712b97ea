import { readFile } from 'node:fs/promises'
import { systemCodeOf } from '../base/errors.ts'

const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

/** A file of the installed program, also inside Electron's archive; null when there is none. */
export async function readFileOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (absent.has(systemCodeOf(error) ?? '')) return null
    throw error
  }
}
