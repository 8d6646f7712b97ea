import { lineBuffer } from './line-buffer.ts'

/** One event of a stream. `data` is a view that is only good during the call: copy what must stay. */
export interface SseEvent {
  /** value of its `event:` line, empty when it had none; decoded when asked for, most readers go by the data */
  name(): string
  data: Buffer
  /** the event was larger than the limit; `data` holds its beginning */
  truncated: boolean
}

export interface SseSplitter {
  push(chunk: Uint8Array): void
}

/** Bytes of one event that are kept at most; only a response with images in it comes near. */
export const maxEventBytes = 8 * 1024 * 1024

const nothing = Buffer.alloc(0)
/** What a line of data counts at least, so that millions of empty ones meet the limit too. */
const lineWeight = 64
const LF = 10,
  CR = 13,
  COLON = 58,
  SPACE = 32

/**
 * Splits a byte stream into events as the HTML standard says (9.2.6 of server-sent events): lines end in CR, LF or
 * CR LF, a leading BOM is dropped, several data lines are joined by LF, an unfinished event at the end is dropped.
 * Works under any chunk boundary, looks at each byte once and keeps no more than one event.
 */
export function sseSplitter(onEvent: (event: SseEvent) => void, limit = maxEventBytes): SseSplitter {
  const begun = lineBuffer(limit)
  let atStart = true
  let afterCr = false
  // Where the name stands, without a view of it: it is seldom asked for, and there is one per event.
  let nameIn: Buffer = nothing
  let nameFrom = 0
  let nameTo = 0
  let data: Buffer | null = null
  let furtherData: Buffer[] = []
  let dataBytes = 0
  let truncated = false

  function line(bytes: Buffer, start: number, end: number, cut: boolean): void {
    if (start === end) return dispatch()
    const first = bytes[start]
    if (first === 0x64 && fieldIs(bytes, start, end, 'data'))
      addData(bytes, valueStart(bytes, start + 4, end), end, cut)
    else if (first === 0x65 && fieldIs(bytes, start, end, 'event')) {
      nameIn = bytes
      nameFrom = valueStart(bytes, start + 5, end)
      nameTo = end
    }
  }

  function addData(bytes: Buffer, start: number, end: number, cut: boolean): void {
    const room = limit - dataBytes
    if (truncated || room <= 0) {
      truncated = true
      return
    }
    truncated = cut || end - start > room
    const kept = bytes.subarray(start, Math.min(end, start + room))
    if (data === null) data = kept
    else furtherData.push(kept)
    dataBytes += Math.max(kept.length + 1, lineWeight)
  }

  function dispatch(): void {
    const source = nameIn
    const from = nameFrom
    const to = nameTo
    const event = data && {
      name: () => source.toString('utf8', from, to),
      data: furtherData.length === 0 ? data : joined([data, ...furtherData]),
      truncated,
    }
    nameIn = nothing
    nameFrom = 0
    nameTo = 0
    data = null
    if (furtherData.length > 0) furtherData = []
    dataBytes = 0
    truncated = false
    if (event) onEvent(event)
  }

  return {
    push(bytes) {
      if (bytes.length === 0) return
      const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let i = afterCr && chunk[0] === LF ? 1 : 0
      afterCr = false
      let lf = nextLineFeed(chunk, i)
      let cr = chunk.indexOf(CR, i)
      for (;;) {
        if (lf >= 0 && lf < i) lf = nextLineFeed(chunk, i)
        if (cr >= 0 && cr < i) cr = chunk.indexOf(CR, i)
        const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr)
        if (end < 0) break
        if (begun.length === 0) line(chunk, atStart ? behindBom(chunk, i, end) : i, end, false)
        else {
          begun.add(chunk.subarray(i, end))
          const { line: whole, cut } = begun.take()
          line(whole, atStart ? behindBom(whole, 0, whole.length) : 0, whole.length, cut)
        }
        atStart = false
        i = end + 1
        if (end === cr) {
          if (i === chunk.length) afterCr = true
          else if (chunk[i] === LF) i++
        }
      }
      if (i < chunk.length) begun.add(chunk.subarray(i))
    },
  }
}

/** Most lines that are not data are short: a search in native code would cost more than it saves. */
function nextLineFeed(chunk: Buffer, from: number): number {
  const near = Math.min(from + 48, chunk.length)
  for (let i = from; i < near; i++) if (chunk[i] === LF) return i
  return near === chunk.length ? -1 : chunk.indexOf(LF, near)
}

function joined(lines: readonly Buffer[]): Buffer {
  const parts: Buffer[] = []
  for (const [i, part] of lines.entries()) {
    if (i > 0) parts.push(lineFeed)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
const lineFeed = Buffer.from('\n')

/** The field name is this word and nothing more. */
function fieldIs(bytes: Buffer, start: number, end: number, word: string): boolean {
  const behind = start + word.length
  if (behind > end || (behind < end && bytes[behind] !== COLON)) return false
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word.charCodeAt(i)) return false
  return true
}

/** Behind the colon and one space. */
function valueStart(bytes: Buffer, colon: number, end: number): number {
  const start = Math.min(colon + 1, end)
  return bytes[start] === SPACE && start < end ? start + 1 : start
}

const behindBom = (bytes: Buffer, start: number, end: number): number =>
  end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
    ? start + 3
    : start
