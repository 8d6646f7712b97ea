import type { Usage } from '../../../../shared/cost/usage.ts'
import type { FinishKind } from '../../../../shared/events.ts'
import type { Frame } from '../answer/frame.ts'
import { failedEnd, kindOfEnds, type Said } from '../finish-names.ts'
import { decodeString, type Span } from '../json-bytes/index.ts'
import type { JsonObject } from '../values.ts'

/** The facts about a response so far. A protocol's reader fills them in. */
export interface Seen {
  /** how it ended, once that is known */
  finish: FinishKind | null
  /** its terminal event was seen */
  complete: boolean
  usage: Usage | null
  responseId: string | null
  model: string | null
  toolNames: Set<string>
  tail: TextTail
  error: { code: string; message: string } | null
}

/** Reads the answers of one protocol. */
export interface AnswerReader {
  readonly seen: Seen
  /** the answer is whole or has failed: counts and the protocol's final event may follow */
  ended(): boolean
  /** the final event was seen: only the end of the body follows */
  over(): boolean
  /** takes an event of a stream, or an element of a list that grows, that has data */
  frame(frame: Frame): void
  /** the protocol also streams in lists */
  readonly readsLists?: boolean
  /** takes a whole JSON answer */
  body(value: JsonObject): void
}

export const nothingSeen = (): Seen => ({
  finish: null,
  complete: false,
  usage: null,
  responseId: null,
  model: null,
  toolNames: new Set(),
  tail: textTail(),
  error: null,
})

/** Notes how the answer ended, by the words of its choices. */
export function noteEnd(seen: Seen, reasons: readonly (string | null)[], said: Said): void {
  seen.finish = kindOfEnds(reasons, said)
  if (seen.finish === 'error') seen.error ??= failedEnd(reasons.find((reason) => reason !== null) ?? '')
}

export function addTool(seen: Seen, name: string): void {
  seen.toolNames.add(name)
}

/** The end of a text that comes in pieces, kept as raw JSON bytes and decoded once, at the end. */
interface TextTail {
  /** a string token in `json` */
  addToken(json: Buffer, token: Span): void
  addText(text: string): void
  /** something else begins: an empty line separates the texts before and after */
  separate(): void
  isEmpty(): boolean
  text(): string
}

/** The most UTF-16 units that are returned. */
export const tailUnits = 4000
/** A unit is at most six bytes of JSON, as in `\u4e2d`; one more for the separator after a piece. */
const keptBytes = tailUnits * 6 + 1
/** Separates pieces: a raw line feed can't be inside a JSON string. */
const between = 0x0a

/** Starts with a few hundred bytes and never takes more than 48 KB, because there may be hundreds of slow streams. */
export function textTail(): TextTail {
  let bytes = Buffer.allocUnsafeSlow(256)
  let used = 0
  /** the bytes begin in the middle of a piece */
  let beginsCut = false
  let separator = false

  function room(needed: number): void {
    if (used + needed <= bytes.length) return
    if (used > keptBytes) {
      beginsCut = bytes[used - keptBytes - 1] !== between
      bytes.copyWithin(0, used - keptBytes, used)
      used = keptBytes
    }
    if (used + needed <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.min(keptBytes * 2, Math.max(bytes.length * 2, used + needed)))
    bytes.copy(larger, 0, 0, used)
    bytes = larger
  }

  function add(source: Buffer, start: number, end: number): void {
    if (start >= end) return
    if (separator && used > 0) {
      separator = false
      addPlain('\n\n')
    }
    separator = false
    if (end - start >= keptBytes) return addPlain(decodeString(source, { start: start - 1, end: end + 1 }))
    room(end - start + 1)
    if (end - start > 32) {
      source.copy(bytes, used, start, end)
      used += end - start
    } else for (let i = start; i < end; i++) bytes[used++] = source[i] ?? 0
    bytes[used++] = between
  }

  function addPlain(text: string): void {
    const json = Buffer.from(JSON.stringify(text.slice(-tailUnits)))
    add(json, 1, json.length - 1)
  }

  return {
    isEmpty: () => used === 0,
    addToken: (json, token) => add(json, token.start + 1, token.end - 1),
    addText: addPlain,
    separate() {
      separator = true
    },
    text() {
      const from = beginsCut ? bytes.indexOf(between) + 1 : 0
      const end = decodePieces(bytes.toString('utf8', from, Math.max(from, used))).slice(-tailUnits)
      return isLowSurrogate(end.charCodeAt(0)) ? end.slice(1) : end
    },
  }
}

/** Decodes all pieces in one go, or one by one if a piece has a bad escape (strings are not fully checked before). */
function decodePieces(pieces: string): string {
  return (
    decodeContent(pieces.replaceAll('\n', '')) ??
    pieces
      .split('\n')
      .map((piece) => decodeContent(piece) ?? piece)
      .join('')
  )
}

function decodeContent(json: string): string | null {
  try {
    const text: unknown = JSON.parse(`"${json}"`)
    return typeof text === 'string' ? text : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
