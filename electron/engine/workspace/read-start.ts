import { constants, promises as fs } from 'node:fs'

// O_NONBLOCK: a pipe put there would hold up the open for ever. Windows knows neither flag, nor such pipes.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens what stands at a path itself, never what a link there leads to. */
export const openToRead = (path: string): Promise<fs.FileHandle> => fs.open(path, flags)

/** The beginning of an open file; shorter where the file is. */
export async function readUpTo(handle: fs.FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let at = 0
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}
