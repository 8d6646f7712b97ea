/** V8's compiled code of a file, kept beside checksums of both: how it is read and written. */
import { isAscii } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** checksums of the source and of what is kept of it */
const HEAD_BYTES = 8
/** More than this is no memory to keep: it is given back with the next collection of a start. */
const MOST_SHARED_BYTES = 256 * 1024

export type Read = (path: string, leading?: string, trailing?: string) => Buffer

/**
 * Reads files with a text before and after their content. Good until the next file is read: all share one piece of
 * memory, which would otherwise stay with an idle engine, megabytes of it.
 */
export function reader(): { read: Read; release(): void } {
  const none = Buffer.alloc(0)
  let shared = none
  const memoryFor = (bytes: number): Buffer => {
    if (bytes > MOST_SHARED_BYTES) return Buffer.allocUnsafeSlow(bytes)
    if (shared === none) shared = Buffer.allocUnsafeSlow(MOST_SHARED_BYTES)
    return shared
  }
  const read: Read = (path, leading = '', trailing = '') => {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const whole = leading.length + size + trailing.length
      const memory = memoryFor(whole)
      let end = memory.write(leading, 'latin1')
      for (let got = 1; got > 0 && end < leading.length + size; end += got)
        got = readSync(file, memory, end, leading.length + size - end, null)
      end += memory.write(trailing, end, 'latin1')
      return memory.subarray(0, end)
    } finally {
      closeSync(file)
    }
  }
  return { read, release: () => void (shared = none) }
}

/** In one piece, so that V8 need not put it together, and taken as it is where each byte is a sign. */
export function wrappedSource(read: Read, file: string, before: string, after: string): { text: string; sum: number } {
  const bytes = read(file, before, after)
  return { text: bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), sum: crc32(bytes) }
}

export function readKept(read: Read, path: string, sum: number): Buffer | undefined {
  try {
    const all = read(path)
    const data = all.subarray(HEAD_BYTES)
    return all.readUInt32LE(0) === sum && all.readUInt32LE(4) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** One that can't be written is compiled again. */
export function writeKept(path: string, sum: number, data: Buffer): void {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(sum, 0)
  head.writeUInt32LE(crc32(data), 4)
  const unfinished = `${path}.${process.pid}`
  try {
    writeFileSync(unfinished, Buffer.concat([head, data]), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    // The engine itself reports that it can't write there.
  }
}
