/** A JSON list that grows while it is read: `[{…},{…}]`, cut anywhere. */

export interface ListWalker {
  /**
   * Reads on. @returns for each element that begins or ends in this chunk its place there: `start` null when it began
   * before the chunk, `end` null when it goes on behind it.
   */
  walk(chunk: Uint8Array): readonly { start: number | null; end: number | null }[]
  /** `before` its bracket, `inside`, `after` its closing one; `none`: it is no list */
  readonly state: 'before' | 'inside' | 'after' | 'none'
}

const quote = 0x22,
  backslash = 0x5c,
  comma = 0x2c,
  openBracket = 0x5b,
  closeBracket = 0x5d,
  openBrace = 0x7b,
  closeBrace = 0x7d
const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Follows brackets and strings only: what stands between them is the reader's to judge. */
export function listWalker(): ListWalker {
  let state: ListWalker['state'] = 'before'
  let depth = 0
  let inString = false
  let escaped = false
  let inElement = false

  return {
    get state() {
      return state
    },
    walk(chunk) {
      const found: { start: number | null; end: number | null }[] = []
      let start: number | null = null
      const ends = (end: number): void => {
        if (!inElement) return
        inElement = false
        found.push({ start, end })
        start = null
      }
      for (let i = 0; i < chunk.length && state !== 'after' && state !== 'none'; i++) {
        const c = chunk[i] ?? 0
        if (state === 'before') {
          if (c === openBracket) state = 'inside'
          else if (!isSpace(c) && !byteOrderMark.includes(c)) state = 'none'
        } else if (inString) {
          if (escaped) escaped = false
          else if (c === backslash) escaped = true
          else if (c === quote) {
            inString = false
            if (depth === 0) ends(i + 1)
          }
        } else if (depth === 0 && (c === comma || c === closeBracket)) {
          ends(i)
          if (c === closeBracket) state = 'after'
        } else if (!isSpace(c)) {
          if (!inElement) {
            inElement = true
            start = i
          }
          if (c === quote) inString = true
          else if (c === openBrace || c === openBracket) depth++
          else if ((c === closeBrace || c === closeBracket) && --depth === 0) ends(i + 1)
        }
      }
      if (inElement) found.push({ start, end: null })
      return found
    },
  }
}

/** Bytes of one element that are kept at most. */
const maxElementBytes = 8 * 1024 * 1024

/** Hands on each element once it is whole; `json` is only good during the call. */
export function listElements(
  onElement: (json: Buffer, truncated: boolean) => void,
  limit = maxElementBytes,
): { push(chunk: Buffer): void } {
  const walker = listWalker()
  let kept: Buffer[] = []
  let bytes = 0
  let truncated = false
  return {
    push(chunk) {
      for (const { start, end } of walker.walk(chunk)) {
        const piece = chunk.subarray(start ?? 0, end ?? chunk.length)
        const room = limit - bytes
        if (piece.length > room) truncated = true
        // What stays until the next chunk is copied: the chunk may be used again.
        if (room > 0) kept.push(end === null ? Buffer.from(piece.subarray(0, room)) : piece.subarray(0, room))
        bytes += Math.min(piece.length, Math.max(0, room))
        if (end === null) continue
        const json = kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)
        const wasTruncated = truncated
        kept = []
        bytes = 0
        truncated = false
        onElement(json, wasTruncated)
      }
    },
  }
}
