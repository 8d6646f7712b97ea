import type { Mutable } from '../../base/mutable.ts'
import { holdsMoreValues } from '../json-bytes/count-values.ts'
import { parseObject, type JsonObject } from '../values.ts'

/** The most bytes of one frame that are kept; only an answer with images comes near. */
export const maxFrameBytes = 8 * 1024 * 1024

/** The most values in one frame: an event that repeats a long answer and its request's 500 tools has half as many. */
export const mostFrameValues = 60_000

/** As `from`: the part is missing. */
const nowhere = -1

/**
 * How an answer comes: as a stream of events, as a JSON list that grows, as one body, which is one frame, or as bytes
 * that are not cut into frames: a body too large to be held.
 */
export type AnswerForm = 'events' | 'list' | 'body' | 'bytes'

/**
 * One message of an answer: an event of a stream, or an element of a list that grows. The bytes of all frames, joined,
 * are the answer. There is one for each event, so it is a class, and decodes or slices only what is asked for.
 */
export class Frame {
  private cut = false
  private hasMany: boolean | null = null
  /** set by the observer of the answer: this event differs from the one before only in the next words of a text */
  onlyWords = false
  /** `raw` is a part of these bytes */
  readonly source: Buffer
  readonly from: number
  readonly to: number
  private rawView: Buffer | null = null
  private nameText: string | null = null
  private dataView: Buffer | null = null
  private text: string | null = null
  private parsed: JsonObject | null | undefined = undefined
  private readonly dataFrom: number
  private readonly dataTo: number
  private readonly nameFrom: number
  private readonly nameTo: number

  /** Data and name are places in `source`. */
  constructor(
    source: Buffer,
    from: number,
    to: number,
    dataFrom = nowhere,
    dataTo = nowhere,
    nameFrom = nowhere,
    nameTo = nowhere,
  ) {
    this.source = source
    this.from = from
    this.to = to
    this.dataFrom = dataFrom
    this.dataTo = dataTo
    this.nameFrom = nameFrom
    this.nameTo = nameTo
  }

  /**
   * A frame whose data is no part of its bytes: data of several lines, or the beginning of a frame that came in pieces.
   */
  static of(raw: Buffer, data: Buffer | null, name = '', truncated = false): Frame {
    const frame = new Frame(raw, 0, raw.length)
    frame.dataView = data
    frame.nameText = name
    frame.cut = truncated
    return frame
  }

  /** its bytes as they came, with the blank line after an event or the comma before an element */
  get raw(): Buffer {
    const { source, from, to } = this
    return (this.rawView ??= from === 0 && to === source.length ? source : source.subarray(from, to))
  }

  /**
   * the frame was larger than the limit (`data` is its beginning, `raw` its last piece), or it holds so many values
   * that parsing it would block other requests
   */
  get truncated(): boolean {
    if (this.cut || this.dataEnd - this.dataStart < mostFrameValues) return this.cut
    return (this.hasMany ??= this.data !== null && holdsMoreValues(this.data, mostFrameValues))
  }

  /** the payload; null for comments, stray line ends, and pieces of a frame that is too large */
  get data(): Buffer | null {
    if (this.dataView === null && this.dataFrom !== nowhere)
      this.dataView = this.source.subarray(this.dataFrom, this.dataTo)
    return this.dataView
  }

  /** the bytes that hold `data`, from `dataStart` to `dataEnd`, without making a view */
  get dataSource(): Buffer {
    return this.dataView ?? this.source
  }

  get dataStart(): number {
    return this.dataView === null ? Math.max(0, this.dataFrom) : 0
  }

  get dataEnd(): number {
    return this.dataView === null ? Math.max(0, this.dataTo) : this.dataView.length
  }

  get says(): boolean {
    return this.dataFrom !== nowhere || this.dataView !== null
  }

  /** value of its `event:` line, empty if it has none */
  get name(): string {
    return (this.nameText ??= this.source.toString('utf8', this.nameFrom, this.nameTo))
  }

  /** `data` with one character per byte: an index in this text is an index in `data`. */
  get latin1(): string {
    if (this.text !== null) return this.text
    const { source, dataFrom, dataTo, dataView } = this
    return (this.text =
      dataFrom === nowhere ? (dataView?.toString('latin1') ?? '') : source.toString('latin1', dataFrom, dataTo))
  }

  /** Its data as a JSON object, parsed on the first call; null if it is no object or not all of it is kept. */
  value(): JsonObject | null {
    if (this.parsed === undefined) {
      const data = this.truncated ? null : this.data
      this.parsed = data === null ? null : parseObject(data)
    }
    return this.parsed
  }
}

/** Cuts the bytes of an answer into frames, whatever chunks they come in. */
export interface Framer {
  push(chunk: Uint8Array): void
  /**
   * The rest after the last frame once the body has ended properly, as a frame: a stream's last event may lack its
   * blank line. null if that is half an event, or nothing.
   */
  last(): Frame | null
  /** takes the bytes that belong to no frame yet */
  rest(): Buffer
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Collects the bytes of frames to write: neighbours are sent together, without a copy. */
interface FrameBytes {
  add(frame: Frame): void
  /** bytes that are not part of any frame */
  addBytes(bytes: Buffer): void
  /** what was added since the last call, as one piece */
  take(): Buffer
}

export function frameBytes(): FrameBytes {
  let source: Buffer = nothing
  let from = 0
  let to = 0
  /** parts in front of the current one */
  let before: Buffer[] | null = null

  function addPart(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    if (to > from) {
      if (bytes === source && start === to) {
        to = end
        return
      }
      before ??= []
      before.push(part())
    }
    source = bytes
    from = start
    to = end
  }
  const part = (): Buffer => (from === 0 && to === source.length ? source : source.subarray(from, to))

  return {
    add: (frame) => addPart(frame.source, frame.from, frame.to),
    addBytes: (bytes) => addPart(bytes, 0, bytes.length),
    take() {
      if (to === from) return nothing
      const last = part()
      const all = before === null ? last : Buffer.concat([...before, last])
      source = nothing
      from = to = 0
      before = null
      return all
    },
  }
}

const nothing = Buffer.alloc(0)

/** The beginning of a frame whose end has not come yet. Adding many small pieces stays cheap. */
interface BegunBytes {
  readonly length: number
  /** keeps a copy, so the caller may reuse the piece's bytes */
  add(piece: Uint8Array): void
  /** a view of the bytes kept so far */
  all(): Buffer
  /** hands over the bytes and starts empty */
  take(): Buffer
}

export function begunBytes(): BegunBytes {
  let bytes = nothing
  const begun: Mutable<BegunBytes> = {
    length: 0,
    add(piece) {
      const { length } = begun
      if (length + piece.length > bytes.length) {
        // Copied a few times only: a long frame gets fresh memory little by little, as its pieces come.
        const size = length < longBytes ? bytes.length * 2 : bytes.length * 32
        const larger = Buffer.allocUnsafe(Math.max(512, size, length + piece.length))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(piece, length)
      begun.length = length + piece.length
    },
    all: () => bytes.subarray(0, begun.length),
    take() {
      const taken = bytes.subarray(0, begun.length)
      bytes = nothing
      begun.length = 0
      return taken
    },
  }
  return begun
}

const longBytes = 256 * 1024
