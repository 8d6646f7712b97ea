/** Finds the elements of a JSON list (`[{…},{…}]`) that comes in chunks cut anywhere. */

import type { Mutable } from '../../base/mutable.ts'

interface ListWalker {
  /**
   * Reads on.
   * @returns the place of each element that begins or ends in this chunk: `start` is null if it began before the chunk,
   * `end` is null if it goes on after it.
   */
  walk(chunk: Uint8Array): readonly { start: number | null; end: number | null }[]
  /** `before` its opening bracket, `inside`, `after` its closing bracket; `none`: it is no list */
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

/** Follows brackets and strings only; the caller judges what is between them. */
export function listWalker(): ListWalker {
  let depth = 0
  let inString = false
  let escaped = false
  let inElement = false

  const walker: Mutable<ListWalker> = {
    state: 'before',
    walk(chunk) {
      let { state } = walker
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
      walker.state = state
      if (inElement) found.push({ start, end: null })
      return found
    },
  }
  return walker
}
