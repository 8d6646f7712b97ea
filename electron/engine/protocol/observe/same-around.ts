import type { Frame } from '../answer/frame.ts'
import type { Span } from '../json-bytes/index.ts'

/**
 * Most events of an answer differ in one string, its next words. The bytes around that string are compared with those
 * of the event before: if they are the same, the event holds nothing else new, and is never decoded.
 */
interface SameAround {
  /** returns the string token of an event like the last learned one, in its `dataSource`; null if the event differs */
  tokenIn(frame: Frame): Span | null
  /** remembers an event of which only this token of its data matters */
  learn(frame: Frame, token: Span): void
}

const quote = 0x22
const backslash = 0x5c

export function sameAround(): SameAround {
  let before: Buffer | null = null
  let behind: Buffer = nothing
  return {
    tokenIn({ dataSource, dataStart, dataEnd }) {
      if (before === null) return null
      const start = dataStart + before.length
      const end = dataEnd - behind.length
      if (
        end < start ||
        dataSource.compare(before, 0, before.length, dataStart, start) !== 0 ||
        dataSource.compare(behind, 0, behind.length, end, dataEnd) !== 0
      )
        return null
      // The first quote without a backslash has to be the one that `behind` begins with.
      let i = start
      for (; i < end; i++) {
        const byte = dataSource[i]
        if (byte === quote) return null
        if (byte === backslash) i++
      }
      return i === end ? { start: start - 1, end: end + 1 } : null
    },
    learn({ dataSource, dataStart, dataEnd }, token) {
      before = Buffer.from(dataSource.subarray(dataStart, dataStart + token.start + 1))
      behind = Buffer.from(dataSource.subarray(dataStart + token.end - 1, dataEnd))
    },
  }
}

const nothing: Buffer = Buffer.alloc(0)
