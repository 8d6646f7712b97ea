import { promises as fs } from 'node:fs'
import { systemCodeOf } from '../../base/errors.ts'

/** Reads Linux's /proc. Null or empty where a process is gone or belongs to somebody else. */
export interface ProcFiles {
  read(path: string): Promise<string | null>
  list(path: string): Promise<readonly string[]>
  link(path: string): Promise<string | null>
}

const hidden = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL', 'ENOTDIR'])

const orHidden = async <T>(work: Promise<T>, nothing: T): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (hidden.has(systemCodeOf(error) ?? '')) return nothing
    throw error
  }
}

export const systemProcFiles = (): ProcFiles => ({
  read: (path) => orHidden<string | null>(fs.readFile(path, 'utf8'), null),
  list: (path) => orHidden<readonly string[]>(fs.readdir(path), []),
  link: (path) => orHidden<string | null>(fs.readlink(path), null),
})
