import { begunBytes } from './begun-bytes.ts'
import { asBuffer, Frame, maxFrameBytes, type Framer } from './frame.ts'
import { listWalker } from './list-walker.ts'

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
