import type { Usage } from '../../../../shared/cost/usage.ts'
import type { FinishKind } from '../../../../shared/events.ts'
import { messageOf } from '../../base/errors.ts'
import type { Mutable } from '../../base/mutable.ts'
import { Frame, maxFrameBytes, type AnswerForm } from '../answer/frame.ts'
import { listFrames } from '../answer/list-frames.ts'
import { sseFrames } from '../answer/sse-frames.ts'
import { failedEnd, kindOfEnds, type Said } from '../finish-names.ts'
import { decodeString, type Span } from '../json-bytes/index.ts'
import { shortJson, type ShortJson } from '../json-bytes/short-json.ts'
import type { ResponseObserver, ResponseSummary } from '../types.ts'
import { parseObject, type JsonObject } from '../values.ts'
import { errorIn } from './peek.ts'

/** The most bytes of a JSON answer that are read. */
const maxBodyBytes = 16 * 1024 * 1024
/** A longer JSON answer keeps only the ends of its long texts and lists: nothing else of them is needed. */
const wholeBytes = 512 * 1024
/** More than this is left only of an object with as many members as no provider's has. */
const maxShortBytes = 2 * 1024 * 1024

/** Watches a response on its way to the client. The first character of a body shows whether it is a stream or JSON. */
export function observeResponse(reader: AnswerReader, form: AnswerForm, status: number): ResponseObserver {
  let problem: Problem | null = null
  /** a whole JSON answer was read */
  let read = false
  let events = 0
  const pieces = bodyPieces(reader.readsLists === true)

  function event(frame: Frame): void {
    if (!frame.says) return
    events++
    reader.frame(frame.to - frame.from > maxFrameBytes ? beginningOf(frame) : frame)
  }
  /** Elements that are not objects are not counted as events. */
  function element(frame: Frame): void {
    if (!frame.says) return
    if (frame.data?.[0] === 0x7b) events++
    reader.frame(frame)
  }

  function body(whole: Buffer, value: Frame['value']): void {
    switch (formOf(whole, reader.readsLists === true)) {
      case 'events': {
        const stream = sseFrames(event)
        stream.push(whole)
        const last = stream.last()
        if (last) event(last)
        return
      }
      case 'list':
        return listFrames(element).push(whole)
      case 'json':
        return whole.length > maxBodyBytes ? tooLarge() : json(value())
      case 'unknown':
    }
  }
  function json(value: ReturnType<Frame['value']>): void {
    if (!value) return
    reader.body(value)
    reader.seen.error ??= errorIn(value)
    read = true
  }
  function tooLarge(why = `is larger than ${maxBodyBytes / 1024 / 1024} MB`): void {
    problem ??= { code: 'answer-too-large', message: `The answer ${why}; it was passed on unread.` }
  }

  function take(frame: Frame): void {
    switch (form) {
      case 'events':
        return event(frame)
      case 'list':
        return element(frame)
      case 'body':
        return body(frame.raw, () => (frame.raw.length > wholeBytes ? longBody(frame.raw) : frame.value()))
      case 'bytes':
        pieces.add(frame.raw)
    }
  }
  function takePieces(): void {
    const whole = pieces.take()
    if (whole === null) return tooLarge()
    if (Buffer.isBuffer(whole)) body(whole, () => parseObject(whole))
    else json(shortBody(whole))
  }
  function longBody(raw: Buffer): JsonObject | null {
    const shortened = shortJson()
    shortened.add(raw)
    return shortBody(shortened)
  }
  function shortBody(shortened: ShortJson): JsonObject | null {
    const whole = shortened.json()
    if (whole.length <= maxShortBytes) return parseObject(whole)
    tooLarge('holds more than is read of one')
    return null
  }

  /** Watching must never harm a response; a fault in here is reported in the summary. */
  function guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      problem ??= { code: 'unreadable-answer', message: `The answer could not be read: ${messageOf(error)}` }
    }
  }

  /** Updates the public state after the reader has seen something. */
  function look(): void {
    observer.ended = reader.ended()
    observer.progress = reader.over() ? 'over' : observer.ended && reader.seen.error === null ? 'whole' : 'under-way'
    observer.failed = reader.seen.error !== null
  }

  const observer: Mutable<ResponseObserver> = {
    ended: false,
    progress: 'under-way',
    failed: false,
    seen: reader.seen,
    frame(frame) {
      try {
        take(frame)
      } catch (error) {
        problem ??= { code: 'unreadable-answer', message: `The answer could not be read: ${messageOf(error)}` }
      }
      look()
    },
    finish(brokenOff) {
      if (form === 'bytes') guarded(takePieces)
      look()
      const complete = read || reader.seen.complete
      return summary(reader.seen, complete, problem ?? whyUnread({ complete, brokenOff, status, events }))
    },
  }
  return observer
}

/** The pieces of an answer that is not cut into frames. */
function bodyPieces(readsLists: boolean) {
  let pieces: Buffer[] = []
  let bytes = 0
  /** takes the place of `pieces` for a long answer */
  let short: ShortJson | null = null
  return {
    add(piece: Buffer): void {
      bytes += piece.length
      if (bytes > maxBodyBytes) {
        pieces = []
        short = null
      } else if (short) short.add(piece)
      else pieces.push(piece)
      if (short || bytes <= wholeBytes || formOf(pieces[0] ?? piece, readsLists) !== 'json') return
      short = shortJson()
      for (const one of pieces) short.add(one)
      pieces = []
    },
    /** null: more than is read of one */
    take(): Buffer | ShortJson | null {
      if (bytes > maxBodyBytes) return null
      const whole = short ?? Buffer.concat(pieces)
      pieces = []
      return whole
    },
  }
}

/** Parsing a larger frame would block other requests. */
const beginningOf = ({ raw, data, name }: Frame): Frame =>
  Frame.of(raw, data && data.subarray(0, maxFrameBytes), name, true)

interface Problem {
  code: string
  message: string
}

/** Returns the form of an answer by its first character; the declared type may be wrong. */
export function formOf(bytes: Buffer, readsLists: boolean): 'unknown' | 'events' | 'list' | 'json' {
  if (bytes[0] === 0x7b) return 'json'
  const first = /\S/.exec(bytes.toString('latin1', 0, 256).replace(/^\u00ef\u00bb\u00bf/, ''))?.[0]
  if (first === undefined) return 'unknown'
  if (first === '[' && readsLists) return 'list'
  return first === '{' || first === '[' ? 'json' : 'events'
}

function whyUnread(end: { complete: boolean; brokenOff: boolean; status: number; events: number }): Problem | null {
  if (end.status >= 400)
    return { code: `http-${end.status}`, message: `The provider answered with status ${end.status}.` }
  if (end.complete || end.brokenOff || end.events > 0) return null
  return { code: 'bad-answer', message: 'The answer of the provider is neither whole JSON nor a stream of events.' }
}

function summary(seen: Seen, complete: boolean, problem: Problem | null): ResponseSummary {
  const error = seen.error ?? problem
  return {
    finish: error ? 'error' : complete ? (seen.finish ?? 'incomplete') : 'broken-off',
    complete,
    usage: seen.usage,
    responseId: seen.responseId,
    model: seen.model,
    toolNames: [...seen.toolNames],
    text: seen.tail.text(),
    error,
  }
}

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
