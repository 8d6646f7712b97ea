import { holdsMoreValues } from '../json-bytes/count-values.ts'
import { parseObject, type JsonObject } from '../values.ts'

/** Bytes of one frame that are kept at most; only an answer with images in it comes near. */
export const maxFrameBytes = 8 * 1024 * 1024

/** Values in one frame: an event that repeats a long answer and five hundred tools of its request has half of them. */
export const mostFrameValues = 60_000

/** Where something stands; `from` below 0: nowhere. */
const nowhere = -1

/**
 * In which form an answer comes: as a stream of events, as a JSON list that grows, as one body, which is one frame, or
 * as bytes that nobody cuts: a body too large to be held.
 */
export type AnswerForm = 'events' | 'list' | 'body' | 'bytes'

/**
 * One message of an answer: an event of a stream, an element of a list that grows. The bytes of all frames, joined, are
 * the answer. There is one for each event, so it is a class, and what nobody asks for is neither decoded nor viewed.
 */
export class Frame {
  private cut = false
  private hasMany: boolean | null = null
  /** whoever watches the answer has read it: but for the next words of a text it is an event like the one before */
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

  /** A frame whose data stands nowhere in its bytes: of several lines, or the beginning of what went by in pieces. */
  static of(raw: Buffer, data: Buffer | null, name = '', truncated = false): Frame {
    const frame = new Frame(raw, 0, raw.length)
    frame.dataView = data
    frame.nameText = name
    frame.cut = truncated
    return frame
  }

  /** its bytes as they came, the blank line behind an event and the comma in front of an element included */
  get raw(): Buffer {
    const { source, from, to } = this
    return (this.rawView ??= from === 0 && to === source.length ? source : source.subarray(from, to))
  }

  /**
   * it was larger than what is kept: `data` is its beginning, `raw` its last piece; or it holds so much that others
   * would wait until it is read
   */
  get truncated(): boolean {
    if (this.cut || this.dataEnd - this.dataStart < mostFrameValues) return this.cut
    return (this.hasMany ??= this.data !== null && holdsMoreValues(this.data, mostFrameValues))
  }

  /** what it says; null: nothing, as comments, stray line ends, and pieces of what is too large */
  get data(): Buffer | null {
    if (this.dataView === null && this.dataFrom !== nowhere)
      this.dataView = this.source.subarray(this.dataFrom, this.dataTo)
    return this.dataView
  }

  /** `data` without a view made for it: from `dataStart` to `dataEnd` in these bytes */
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

  /** value of its `event:` line, empty where it has none */
  get name(): string {
    return (this.nameText ??= this.source.toString('utf8', this.nameFrom, this.nameTo))
  }

  /** What it says with one sign for each byte: a place in this text is a place in `data`. */
  get latin1(): string {
    if (this.text !== null) return this.text
    const { source, dataFrom, dataTo, dataView } = this
    return (this.text =
      dataFrom === nowhere ? (dataView?.toString('latin1') ?? '') : source.toString('latin1', dataFrom, dataTo))
  }

  /** Its data as a JSON object, parsed when somebody asks, once; null where it is none or not all of it is kept. */
  value(): JsonObject | null {
    if (this.parsed === undefined) {
      const data = this.truncated ? null : this.data
      this.parsed = data === null ? null : parseObject(data)
    }
    return this.parsed
  }
}

/** Cuts the bytes of an answer into its frames, however they come. */
export interface Framer {
  push(chunk: Uint8Array): void
  /**
   * What stands behind the last frame when the body has ended properly: a stream's last event may lack its blank line.
   * null: it is half of one, or nothing.
   */
  last(): Frame | null
  /** takes its bytes */
  rest(): Buffer
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
