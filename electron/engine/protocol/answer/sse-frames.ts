import { begunBytes } from './begun-bytes.ts'
import { asBuffer, Frame, maxFrameBytes, type Framer } from './frame.ts'
import { sseFields } from './sse-fields.ts'

const LF = 10,
  CR = 13

/**
 * Cuts a stream into its events as the HTML standard says (9.2.6 of server-sent events): lines end in CR, LF or CR LF,
 * a leading BOM is dropped. Chunks may be cut anywhere, and only an event that came in several chunks is copied. An
 * event larger than the limit passes in pieces, so that memory stays bounded; whole comment lines between events pass
 * at once, because they may be all that keeps a client waiting.
 */
export function sseFrames(onFrame: (frame: Frame) => void, limit = maxFrameBytes): Framer {
  const fields = sseFields(limit)
  const begun = begunBytes()
  let atStart = true
  /** the beginning of an event that passes in pieces */
  let head: Buffer | null = null
  let lineEmpty = true
  let afterCr = false

  function emit(chunk: Buffer, from: number, to: number): void {
    const frame = whole(chunk, from, to)
    atStart = false
    onFrame(frame)
  }

  function whole(chunk: Buffer, from: number, to: number): Frame {
    if (begun.length === 0 && head === null) return fields.frame(chunk, from, to)
    begun.add(chunk.subarray(from, to))
    const bytes = begun.take()
    if (head !== null) {
      const beginning = head
      head = null
      return fields.pieceFrame(beginning, bytes)
    }
    fields.forget()
    fields.lines(bytes, startIn(bytes, 0))
    return fields.frame(bytes, 0, bytes.length)
  }

  /** Returns where the current event begins in these bytes, after a leading BOM. */
  const startIn = (bytes: Buffer, from: number): number =>
    atStart && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf ? from + 3 : from

  /** Keeps the part of the chunk that belongs to an event that has not ended. */
  function keep(chunk: Buffer, from: number): void {
    if (from === chunk.length) return
    if (begun.length === 0 && head === null && fields.onlyComments() && lineEmpty && chunk[chunk.length - 1] === LF) {
      emit(chunk, from, chunk.length)
      return
    }
    fields.forget()
    begun.add(chunk.subarray(from))
    if (head === null && begun.length <= limit) return
    const piece = begun.take()
    head ??= piece
    onFrame(new Frame(piece, 0, piece.length))
  }

  return {
    push(input) {
      const chunk = asBuffer(input)
      if (chunk.length === 0) return
      let from = 0
      let i = 0
      if (afterCr && chunk[0] === LF) {
        i = 1
        // The event of this LF ended with the CR before it.
        if (begun.length === 0 && head === null) {
          onFrame(new Frame(chunk, 0, 1))
          from = 1
        }
      }
      afterCr = false
      // An event that begins and ends in one chunk is read in place.
      let inPlace = begun.length === 0 && head === null
      let lf = nextLineFeed(chunk, i)
      let cr = chunk.indexOf(CR, i)
      let lineStart = inPlace ? startIn(chunk, i) : i
      for (;;) {
        if (lf >= 0 && lf < i) lf = nextLineFeed(chunk, i)
        if (cr >= 0 && cr < i) cr = chunk.indexOf(CR, i)
        const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr)
        if (end < 0) break
        const isBlank = lineEmpty && end === i
        if (inPlace && end > lineStart) fields.line(chunk, lineStart, end)
        lineEmpty = true
        i = end + 1
        if (end === cr) {
          if (i === chunk.length) afterCr = true
          else if (chunk[i] === LF) i++
        }
        if (isBlank) {
          emit(chunk, from, i)
          from = i
          inPlace = true
        }
        lineStart = i
      }
      if (i < chunk.length) lineEmpty = false
      keep(chunk, from)
    },
    rest: () => begun.take(),
    last() {
      if (head !== null || begun.length === 0) return null
      const bytes = begun.all()
      fields.forget()
      fields.lines(bytes, startIn(bytes, 0))
      const frame = fields.frame(bytes, 0, bytes.length)
      if (!isWholeEvent(frame)) return null
      begun.take()
      return frame
    },
  }
}

/** Returns the frames of a text of whole events. */
export function framesIn(events: Buffer): Frame[] {
  const frames: Frame[] = []
  sseFrames((frame) => frames.push(frame)).push(events)
  return frames
}

/** Half an event is no valid JSON: the answer broke off in it. */
const isWholeEvent = (frame: Frame): boolean => frame.value() !== null || frame.latin1.trim() === '[DONE]'

/** Lines other than data are short, and a native search for their end would cost more than this loop. */
function nextLineFeed(chunk: Buffer, from: number): number {
  if (chunk[from] === 0x64) return chunk.indexOf(LF, from)
  const near = Math.min(from + 48, chunk.length)
  for (let i = from; i < near; i++) if (chunk[i] === LF) return i
  return near === chunk.length ? -1 : chunk.indexOf(LF, near)
}
