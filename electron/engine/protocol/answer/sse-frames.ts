import { begunBytes, asBuffer, Frame, maxFrameBytes, type Framer } from './frame.ts'

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

const LF = 10,
  CR = 13,
  COLON = 58,
  SPACE = 32,
  BRACE = 123

/** The least that a line of data counts, so that millions of empty lines reach the limit too. */
const lineWeight = 64

/** Collects the fields of one event, line by line; lines are places in bytes that do not change. */
interface SseFields {
  line(bytes: Buffer, start: number, end: number): void
  /** true if all lines so far were comments, and there was one */
  onlyComments(): boolean
  /** Returns the event that ends here, and begins the next. Its lines are in `source`. */
  frame(source: Buffer, from: number, to: number): Frame
  /** Returns an event of which only the beginning was kept, in `head`; `raw` is its last piece. */
  pieceFrame(head: Buffer, raw: Buffer): Frame
  /** adds all lines of an event that is whole in these bytes, from `start` on */
  lines(bytes: Buffer, start: number): void
  forget(): void
}

/**
 * Follows the HTML standard (9.2.6 of server-sent events): several data lines are joined by LF, the last name counts,
 * other fields and comments are ignored. For an event that came in several chunks, a line and the data count up to the
 * limit. One more field counts: llama.cpp before September 2025, and what is built on it (llama-box), send `error: {…}`
 * where others send `data:` in an event of that name (https://github.com/ggml-org/llama.cpp/pull/16109).
 */
function sseFields(limit: number): SseFields {
  // Offsets instead of views: there is one event for every few words of an answer.
  let nameFrom = 0
  let nameTo = 0
  let dataFrom = -1
  let dataTo = -1
  let furtherData: Buffer[] | null = null
  let dataBytes = 0
  let truncated = false
  let comments = 0
  let others = 0
  /** the event came in several chunks, and its lines are in a copy */
  let kept = false

  function addData(bytes: Buffer, lineStart: number, start: number, lineEnd: number): void {
    // An event within one chunk is in memory anyway, so it has no limit.
    const most = kept ? limit : Infinity
    const end = Math.min(lineEnd, Math.max(start, lineStart + most))
    const room = most - dataBytes
    if (truncated || room <= 0) {
      truncated = true
      return
    }
    const stop = Math.min(end, start + room)
    truncated = stop < lineEnd
    dataBytes += Math.max(stop - start + 1, lineWeight)
    if (dataFrom < 0) {
      dataFrom = start
      dataTo = stop
      return
    }
    furtherData ??= [bytes.subarray(dataFrom, dataTo)]
    furtherData.push(lineFeed, bytes.subarray(start, stop))
  }

  function forget(): void {
    nameFrom = nameTo = 0
    dataFrom = dataTo = -1
    furtherData = null
    dataBytes = 0
    truncated = false
    comments = others = 0
    kept = false
  }

  function line(bytes: Buffer, start: number, end: number): void {
    const first = bytes[start]
    if (first === COLON) {
      comments++
      return
    }
    others++
    if (first === 0x64 && fieldIs(bytes, start, end, 'data'))
      addData(bytes, start, valueStart(bytes, start + 4, end), end)
    else if (first === 0x65 && fieldIs(bytes, start, end, 'event')) {
      nameFrom = valueStart(bytes, start + 5, end)
      nameTo = end
    } else if (first === 0x65 && fieldIs(bytes, start, end, 'error')) {
      const from = valueStart(bytes, start + 5, end)
      if (bytes[from] !== BRACE) return
      addData(bytes, start, from, end)
      nameFrom = start
      nameTo = start + 5
    }
  }

  function lines(bytes: Buffer, start: number): void {
    kept = true
    for (let i = start; i < bytes.length;) {
      const end = endOfLine(bytes, i)
      if (end > i) line(bytes, i, end)
      i = end + 1
    }
  }

  return {
    line,
    lines,
    forget,
    onlyComments: () => comments > 0 && others === 0,
    frame(source, from, to) {
      const frame =
        dataFrom < 0
          ? new Frame(source, from, to)
          : furtherData === null && !truncated
            ? new Frame(source, from, to, dataFrom, dataTo, nameFrom, nameTo)
            : Frame.of(
                source.subarray(from, to),
                furtherData === null ? source.subarray(dataFrom, dataTo) : Buffer.concat(furtherData),
                source.toString('utf8', nameFrom, nameTo),
                truncated,
              )
      forget()
      return frame
    },
    pieceFrame(head, raw) {
      forget()
      lines(head, 0)
      const data =
        dataFrom < 0 ? null : furtherData === null ? head.subarray(dataFrom, dataTo) : Buffer.concat(furtherData)
      const frame = Frame.of(raw, data, head.toString('utf8', nameFrom, nameTo), true)
      forget()
      return frame
    },
  }
}

const lineFeed = Buffer.from('\n')

/** Returns where the line that holds `from` ends: at its LF or CR, or at the end of the bytes. */
function endOfLine(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from)
  const end = lf < 0 ? bytes.length : lf
  const cr = bytes.subarray(from, end).indexOf(CR)
  return cr < 0 ? end : from + cr
}

/** True if the field name is exactly this word. */
function fieldIs(bytes: Buffer, start: number, end: number, word: string): boolean {
  const behind = start + word.length
  if (behind > end || (behind < end && bytes[behind] !== COLON)) return false
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word.charCodeAt(i)) return false
  return true
}

/** Returns the offset after the colon and one space. */
function valueStart(bytes: Buffer, colon: number, end: number): number {
  const start = Math.min(colon + 1, end)
  return bytes[start] === SPACE && start < end ? start + 1 : start
}
