import { close, open, promises as fs, read } from 'node:fs'
import { systemCodeOf } from '../../base/errors.ts'

/** Reads Linux's /proc. Null or empty if a process is gone or belongs to another user. */
export interface ProcFiles {
  read(path: string): Promise<string | null>
  /** of files that anybody can make long */
  bytes(path: string): Promise<Buffer | null>
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

/** The kernel hands out a page at a time: with a promise for each, reading took twice as long. */
const readBytes = (path: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    open(path, 'r', (failed, fd) => {
      if (failed) return reject(failed)
      let bytes = Buffer.allocUnsafe(32 * 1024)
      let length = 0
      const more = () => {
        if (bytes.length - length < 8 * 1024) bytes = Buffer.concat([bytes], 2 * bytes.length)
        read(fd, bytes, length, bytes.length - length, null, (error, count) => {
          length += count
          if (!error && count > 0) return more()
          close(fd, () => (error ? reject(error) : resolve(bytes.subarray(0, length))))
        })
      }
      more()
    }),
  )

export const systemProcFiles = (): ProcFiles => ({
  read: (path) => orHidden<string | null>(fs.readFile(path, 'utf8'), null),
  bytes: (path) => orHidden<Buffer | null>(readBytes(path), null),
  list: (path) => orHidden<readonly string[]>(fs.readdir(path), []),
  link: (path) => orHidden<string | null>(fs.readlink(path), null),
})
