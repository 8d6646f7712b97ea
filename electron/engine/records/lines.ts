/**
 * A line of text as bytes outside of V8's heap: as a string it would be copied by two minor collections before a major
 * one frees it. Its chunk holds other lines too, and goes when none of them is kept.
 */
export interface Line {
  readonly chunk: Buffer
  readonly start: number
  /** its line break stands here */
  readonly end: number
}

export const textOf = ({ chunk, start, end }: Line): string => chunk.toString('utf8', start, end)

export const holds = ({ chunk, start, end }: Line, text: string): boolean => chunk.subarray(start, end).includes(text)

/** bytes of a chunk: the first is small, for an engine that has little to say */
const smallest = 4 * 1024
const largest = 64 * 1024

/** Puts lines one behind the other. */
export function lineWriter(): (text: string) => Line {
  let chunk = Buffer.alloc(0)
  let used = 0
  let size = smallest
  return (text) => {
    // no sign takes more in UTF-8
    const most = text.length * 3 + 1
    if (most > largest / 4) {
      const own = Buffer.from(`${text}\n`)
      return { chunk: own, start: 0, end: own.length - 1 }
    }
    if (used + most > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(size, most))
      size = Math.min(size * 2, largest)
      used = 0
    }
    const start = used
    const end = start + chunk.write(text, start)
    chunk[end] = 10
    used = end + 1
    return { chunk, start, end }
  }
}

/** Lines in a row, with their line breaks: what is to be written. Those of one chunk are one piece. */
export interface LineRow {
  /** how many they are */
  bytes(): number
  add(line: Line): void
  /** takes all of it out */
  take(): Buffer
  /** puts back what was taken */
  putBack(bytes: Buffer): void
  /** takes the oldest lines out until no more than `bytes` are left */
  shorten(bytes: number): void
  /** takes those out for which this is so */
  drop(gone: (text: string) => boolean): void
}

export function lineRow(): LineRow {
  let pieces: { chunk: Buffer; start: number; end: number }[] = []
  let length = 0
  const take = () => {
    const parts = pieces.map(({ chunk, start, end }) => chunk.subarray(start, end))
    pieces = []
    length = 0
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }
  const putBack = (bytes: Buffer) => {
    if (bytes.length > 0) pieces.unshift({ chunk: bytes, start: 0, end: bytes.length })
    length += bytes.length
  }
  return {
    bytes: () => length,
    add({ chunk, start, end }) {
      const last = pieces.at(-1)
      if (last?.chunk === chunk && last.end === start) last.end = end + 1
      else pieces.push({ chunk, start, end: end + 1 })
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
