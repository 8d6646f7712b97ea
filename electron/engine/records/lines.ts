import { freeMemory } from '../base/free-memory.ts'

/** Memory that several lines stand in. */
export interface Chunk {
  readonly bytes: Buffer
  /** lines that are kept, pieces that wait for the disk, and the writer that goes on in it */
  holders: number
}

/**
 * A line of text as bytes outside of V8's heap: as a string it would be copied by two minor collections before a major
 * one frees it. Its chunk holds other lines too, and goes when none of them is kept.
 */
export interface Line {
  readonly chunk: Chunk
  readonly start: number
  /** its line break stands here */
  readonly end: number
}

export const textOf = ({ chunk, start, end }: Line): string => chunk.bytes.toString('utf8', start, end)

export const holds = ({ chunk, start, end }: Line, text: string): boolean =>
  chunk.bytes.subarray(start, end).includes(text)

/** Bytes that are not freed by hand: they go with a collection. */
export const leftToCollector = (bytes: Buffer): Chunk => ({ bytes, holders: Number.POSITIVE_INFINITY })

/**
 * Gives up one hold on the chunk. With the last one its memory is freed at once: by then it is old, and would weigh
 * until a major collection, which comes seldom. A later read of it is empty.
 */
export function release(chunk: Chunk): void {
  chunk.holders--
  if (chunk.holders === 0) freeMemory(chunk.bytes)
}

/** bytes of a chunk: the first is small, for an engine that has little to say */
const smallest = 4 * 1024
const largest = 64 * 1024

/** Puts lines one after the other. The receiver of a line holds its chunk. */
export function lineWriter(): (text: string) => Line {
  let chunk: Chunk = leftToCollector(Buffer.alloc(0))
  let used = 0
  let size = smallest
  return (text) => {
    // no sign takes more in UTF-8
    const most = text.length * 3 + 1
    if (most > largest / 4) {
      const own = Buffer.from(`${text}\n`)
      return { chunk: leftToCollector(own), start: 0, end: own.length - 1 }
    }
    if (used + most > chunk.bytes.length) {
      release(chunk)
      chunk = { bytes: Buffer.allocUnsafeSlow(Math.max(size, most)), holders: 1 }
      size = Math.min(size * 2, largest)
      used = 0
    }
    const start = used
    const end = start + chunk.bytes.write(text, start)
    chunk.bytes[end] = 10
    used = end + 1
    chunk.holders++
    return { chunk, start, end }
  }
}

/** Lines in a row, with their line breaks, for a write. Those of one chunk are one piece. */
export interface LineRow {
  /** how many they are */
  bytes(): number
  add(line: Line): void
  /** takes all of it out; the bytes are the taker's own */
  take(): Buffer
  /** puts back what was taken */
  putBack(bytes: Buffer): void
  /** takes the oldest lines out until no more than `bytes` are left */
  shorten(bytes: number): void
  /** takes those out for which this is so */
  drop(gone: (text: string) => boolean): void
}

export function lineRow(): LineRow {
  let pieces: { chunk: Chunk; start: number; end: number }[] = []
  let length = 0
  const take = () => {
    const bytes = Buffer.concat(pieces.map(({ chunk, start, end }) => chunk.bytes.subarray(start, end)))
    for (const { chunk } of pieces) release(chunk)
    pieces = []
    length = 0
    return bytes
  }
  const putBack = (bytes: Buffer) => {
    if (bytes.length > 0) pieces.unshift({ chunk: leftToCollector(bytes), start: 0, end: bytes.length })
    length += bytes.length
  }
  return {
    bytes: () => length,
    add({ chunk, start, end }) {
      const last = pieces.at(-1)
      if (last?.chunk === chunk && last.end === start) last.end = end + 1
      else {
        chunk.holders++
        pieces.push({ chunk, start, end: end + 1 })
      }
      length += end + 1 - start
    },
    take,
    putBack,
    shorten(most) {
      if (length <= most) return
      const bytes = take()
      // what is left begins with a whole line
      putBack(bytes.subarray(bytes.indexOf(10, bytes.length - most - 1) + 1))
    },
    drop(gone) {
      const kept = take()
        .toString('utf8')
        .split('\n')
        .filter((text) => text !== '' && !gone(text))
      putBack(Buffer.from(kept.map((text) => `${text}\n`).join('')))
    },
  }
}
