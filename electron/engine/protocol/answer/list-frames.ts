import type { Mutable } from '../../base/mutable.ts'
import { begunBytes, asBuffer, Frame, maxFrameBytes, type Framer } from './frame.ts'

/**
 * Cuts a JSON list that grows (`[{…},{…}]`) into its elements, so that a list that breaks off can still end properly,
 * with an error as its last element. Brackets, commas and blanks go with the element after them; those after the last
 * element are the rest. An element larger than the limit passes in pieces, and so does anything that is no list.
 */
export function listFrames(onFrame: (frame: Frame) => void, limit = maxFrameBytes): Framer {
  const walker = listWalker()
  const begun = begunBytes()
  /** where the current element begins in the kept bytes; below 0: it has not begun */
  let dataAt = -1
  /** the beginning of an element that passes in pieces */
  let head: Buffer | null = null

  function emit(chunk: Buffer, from: number, to: number, start: number | null): void {
    const inPlace = begun.length === 0 && head === null
    let frame: Frame
    if (inPlace && start !== null) frame = new Frame(chunk, from, to, start, to)
    else {
      const before = begun.length
      begun.add(chunk.subarray(from, to))
      const bytes = begun.take()
      const at = start === null ? dataAt : before + start - from
      frame = head === null ? new Frame(bytes, 0, bytes.length, at, bytes.length) : Frame.of(bytes, head, '', true)
    }
    dataAt = -1
    head = null
    onFrame(frame)
  }

  return {
    push(input) {
      const chunk = asBuffer(input)
      let from = 0
      let open: number | null = null
      for (const { start, end } of walker.walk(chunk)) {
        if (end === null) open = start
        else {
          emit(chunk, from, end, start)
          from = end
        }
      }
      if (from === chunk.length) return
      if (open !== null) dataAt = begun.length + open - from
      begun.add(chunk.subarray(from))
      if (walker.state !== 'none' && head === null && begun.length <= limit) return
      const piece = begun.take()
      if (dataAt >= 0) head ??= piece.subarray(dataAt, dataAt + limit)
      onFrame(new Frame(piece, 0, piece.length))
    },
    last: () => null,
    rest: () => begun.take(),
  }
}

/** Ends a list that broke off. `see` gets every frame that went to the client. */
export function listEnd(): {
  see(frame: Frame): void
  endOf(rest: Buffer): Buffer
  endWith(element: Buffer): Buffer
} {
  let any = false
  let torn = false
  return {
    see(frame) {
      any ||= frame.says
      torn = !frame.says
    },
    /** the end of the list: `rest` if it closes the list, or else a closing bracket */
    endOf: (rest) => (/^\s*\]/.test(rest.toString('latin1')) ? rest : Buffer.from(']')),
    /** one more element and the closing bracket; nothing if the client has half an element */
    endWith: (element) => (torn ? nothing : Buffer.concat([Buffer.from(any ? ',' : '['), element, Buffer.from(']')])),
  }
}

const nothing = Buffer.alloc(0)

// Finds the elements of a JSON list (`[{…},{…}]`) that comes in chunks cut anywhere.

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
