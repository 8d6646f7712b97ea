/** The end of a growing file, as `tail -f` shows it: also while it is rotated or not there yet. */
import { open, stat } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { systemCodeOf } from '../../engine/base/errors.ts'

/** a look costs one stat; fs.watch reports nothing on network drives and across WSL */
const pollMs = 200
const chunkBytes = 64 * 1024

/** The last `count` lines, and where the file ends; null when there is no file. */
export async function lastLines(
  file: string,
  count: number,
): Promise<{ lines: string[]; end: number; inode: number } | null> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!handle) return null
  try {
    const { size, ino } = await handle.stat()
    let tail = Buffer.alloc(0)
    let from = size
    // one line feed more than lines: the first piece is rarely whole
    while (from > 0 && feeds(tail) <= count) {
      const length = Math.min(chunkBytes, from)
      from -= length
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
      tail = Buffer.concat([buffer.subarray(0, bytesRead), tail])
    }
    const end = tail.lastIndexOf(10) + 1
    const lines = tail.subarray(0, end).toString('utf8').split('\n').slice(0, -1).slice(-count)
    return { lines, end: size - (tail.length - end), inode: ino }
  } finally {
    await handle.close()
  }
}

/** Calls `onLine` for every whole line after `from`, until the signal. */
export async function followFile(
  file: string,
  from: { end: number; inode: number } | null,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let at = from
  let decoder = new StringDecoder('utf8')
  let rest = ''
  while (!signal.aborted) {
    const info = await stat(file).catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return null
      throw error
    })
    if (info && (!at || info.ino !== at.inode || info.size < at.end)) {
      at = { end: 0, inode: info.ino }
      decoder = new StringDecoder('utf8')
      rest = ''
    }
    if (info && at && info.size > at.end) {
      const bytes = await readFrom(file, at.end)
      at = { ...at, end: at.end + bytes.length }
      const pieces = (rest + decoder.write(bytes)).split('\n')
      rest = pieces.pop() ?? ''
      for (const line of pieces) onLine(line)
    } else await look(signal)
  }
}

async function readFrom(file: string, position: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function look(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, pollMs)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

const feeds = (buffer: Buffer): number => {
  let n = 0
  for (const byte of buffer) if (byte === 10) n++
  return n
}
