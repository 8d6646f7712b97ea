import { crc32 } from 'node:zlib'
import { isArray, splice, type Edit, type Span, decode, stringOf } from '../../json-bytes/index.ts'
import { joined, listOf, rootOf } from '../../json-bytes/walk.ts'
import {
  type AssistantTurn,
  type HiddenHistory,
  callsByPlace,
  textCutter,
  withoutBlanks,
} from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { parseObject, type JsonObject, sortedJson, asObject, asName, asText } from '../../values.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { either, contentsIn, placeOf, partsOf } from '../request-lens.ts'

/**
 * Rewrites the contents of the answer that change; the others stay as they are. Contents of Gemini have no cache marks:
 * a cache has a name of its own.
 */
export function restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[] {
  const { body } = lens
  const contents = contentsIn(lens)
  const own = contents.slice(turn.first, turn.last + 1)
  const left = insertCalls(leftOf(body, own, hidden), hidden.calls)
  const beside = besideResults(body, contents[turn.last + 1] ?? null, hidden.results)
  const now = [
    ...hidden.before.map((json) => Buffer.from(json)),
    ...left.flatMap((content) => contentBytes(body, content)),
    ...(beside.item === null ? [] : [Buffer.from(beside.item)]),
  ]
  return [...inPlaceOf(lens, contents, turn, now), ...beside.edits]
}

/** Returns the client's own answer without its copy of the rounds that are put back whole. */
function leftOf(body: Buffer, own: readonly Span[], hidden: HiddenHistory): Left[] {
  const contents = own.map((at) => ({ at, parts: partsIn(body, at) }))
  const cut = copyCutter(
    hidden.before.flatMap(modelParts),
    contents.flatMap(({ parts }) => parts.map(({ value }) => value)),
  )
  return contents.map(({ at, parts }) => {
    let changed = false
    const kept = parts.flatMap(({ at: place, value }) => {
      const rest = withoutStandIn(withoutFiller(cut(value), hidden.filler), hidden.calls.length > 0)
      const isSame = rest === value
      changed ||= !isSame
      if (!rest) return []
      return [
        {
          json: isSame ? body.subarray(place.start, place.end) : Buffer.from(JSON.stringify(rest)),
          isCall: callOf(rest) !== null,
          says: !isBlank(rest),
        },
      ]
    })
    return { at, parts: kept, changed }
  })
}

function modelParts(json: string): JsonObject[] {
  const content = Buffer.from(json)
  if (!parseObject(content)) return []
  const root = rootOf(content)
  return isModels(content, root) ? partsIn(content, root).map(({ value }) => value) : []
}

function withoutFiller(part: JsonObject | null, filler: boolean): JsonObject | null {
  if (!part || !filler || !visibleText(part)) return part
  const rest = { ...part, text: '' }
  return isBlank(rest) ? null : rest
}

/** Removes the empty text that replaced hidden calls in a chunk (filter.ts): not every Google API takes it back. */
const withoutStandIn = (part: JsonObject | null, hasCalls: boolean): JsonObject | null =>
  part && hasCalls && part['text'] === '' && isBlank(part) ? null : part

/** Returns nothing if all that made it part of an answer is gone. */
function contentBytes(body: Buffer, { at, parts, changed }: Left): Buffer[] {
  if (at === null)
    return [
      Buffer.concat([Buffer.from('{"role":"model","parts":'), listOf(parts.map(({ json }) => json)), Buffer.from('}')]),
    ]
  const raw = body.subarray(at.start, at.end)
  if (!changed) return [raw]
  const list = either(body, at, 'parts')
  if (!list || !parts.some(({ says }) => says)) return []
  return [
    splice(raw, [
      { start: list.start - at.start, end: list.end - at.start, replacement: listOf(parts.map(({ json }) => json)) },
    ]),
  ]
}

/** Returns edits that replace the answer's contents by these. */
function inPlaceOf(lens: RequestLens, contents: readonly Span[], turn: AssistantTurn, now: readonly Buffer[]): Edit[] {
  const [first, last, list] = [contents[turn.first], contents[turn.last], placeOf(lens, 'contents')]
  if (!first || !last || !list) return []
  if (!isArray(lens.body, list))
    return [{ ...list, replacement: now.length === 1 ? Buffer.concat([...now]) : listOf(now) }]
  if (now.length > 0) return [{ start: first.start, end: last.end, replacement: Buffer.concat(joined(now)) }]
  const [prior, next] = [contents[turn.first - 1], contents[turn.last + 1]]
  return [{ start: prior?.end ?? first.start, end: prior ? last.end : (next?.start ?? last.end), replacement: '' }]
}

interface BesideResults {
  /** a new content right after the answer */
  item: string | null
  edits: Edit[]
}

/**
 * Adds results before the client's own in the content after the answer: Google wants the results of all calls there.
 */
function besideResults(body: Buffer, next: Span | null, results: readonly string[]): BesideResults {
  if (results.length === 0) return { item: null, edits: [] }
  const theirs =
    next && partsIn(body, next).find(({ value }) => 'functionResponse' in value || 'function_response' in value)
  if (!next || !theirs) return { item: `{"role":"user","parts":[${results.join(',')}]}`, edits: [] }
  const list = either(body, next, 'parts')
  if (list && !isArray(body, list))
    return {
      item: null,
      edits: [
        { start: list.start, end: list.start, replacement: `[${results.join(',')},` },
        { start: list.end, end: list.end, replacement: ']' },
      ],
    }
  const { start } = theirs.at
  return { item: null, edits: [{ start, end: start, replacement: `${results.join(',')},` }] }
}

interface LeftPart {
  json: Buffer
  isCall: boolean
  says: boolean
}

/** The remainder of one content; without a place it is new. */
interface Left {
  at: Span | null
  parts: readonly LeftPart[]
  changed: boolean
}

/** Puts hidden calls among the client's: after the calls that came before them, and the first ones before all. */
function insertCalls(contents: readonly Left[], calls: HiddenHistory['calls']): Left[] {
  if (calls.length === 0) return [...contents]
  const own = contents.reduce((count, { parts }) => count + parts.filter(({ isCall }) => isCall).length, 0)
  if (own === 0) return atEnd(contents, calls.map(written))
  const standing = callsByPlace(calls, own)
  let seen = 0
  return contents.map((content) => {
    const parts = content.parts.flatMap((part) => {
      if (!part.isCall) return [part]
      const front = seen === 0 ? standing(0).map(written) : []
      seen++
      return [...front, part, ...standing(seen).map(written)]
    })
    return { ...content, parts, changed: content.changed || parts.length > content.parts.length }
  })
}

const written = ({ json }: HiddenHistory['calls'][number]): LeftPart => ({
  json: Buffer.from(json),
  isCall: true,
  says: true,
})

/** Adds them to the last content that still has something to say, or to a new one. */
function atEnd(contents: readonly Left[], calls: readonly LeftPart[]): Left[] {
  const last = contents.findLastIndex(({ parts }) => parts.some(({ says }) => says))
  if (last < 0) return [{ at: null, parts: calls, changed: true }]
  return contents.map((content, i) =>
    i === last ? { ...content, parts: [...content.parts, ...calls], changed: true } : content,
  )
}

/**
 * Returns the remainder of a part of the client's answer; null if nothing remains, the same object if all of it does.
 */
type CutPart = (part: JsonObject) => JsonObject | null

/**
 * Takes the client's copy of earlier rounds out of its answer: `before` are the parts of those rounds, `shown` all of
 * the client's. Call it for each part of `shown` once, in order.
 */
function copyCutter(before: readonly JsonObject[], shown: readonly JsonObject[]): CutPart {
  const cutText = textCutter(joinedText(shown, visibleText), joinedText(before, visibleText)) ?? keepAll
  const cutThought = thoughtCutter(joinedText(before, thoughtText), joinedText(shown, thoughtText))
  const signatures = new Set(before.flatMap((part) => signatureOf(part) ?? []))
  const others = before.filter(isOther).map(sortedJson)

  function cut(part: JsonObject, text: string, rest: string): JsonObject | null {
    const isKnown = signatures.has(signatureOf(part) ?? '')
    if (rest === text && !isKnown) return part
    const { thoughtSignature, thought_signature, ...unsigned } = part
    const left = {
      ...unsigned,
      text: rest,
      ...(isKnown || thoughtSignature === undefined ? {} : { thoughtSignature }),
      ...(isKnown || thought_signature === undefined ? {} : { thought_signature }),
    }
    return isBlank(left) ? null : left
  }

  return (part) => {
    if (isOther(part)) {
      const copy = others.indexOf(sortedJson(part))
      if (copy >= 0) others.splice(copy, 1)
      return copy >= 0 ? null : part
    }
    const text = visibleText(part)
    if (text !== null) return cut(part, text, cutText(text))
    const thought = thoughtText(part)
    if (thought === null) return part
    const rest = cutThought(thought)
    if (rest === thought) return signatures.has(signatureOf(part) ?? '') ? null : part
    // A removed thought loses its signature too.
    return rest === '' ? null : cut(part, thought, rest)
  }
}

const joinedText = (parts: readonly JsonObject[], textOf: (part: JsonObject) => string | null): string =>
  parts.map((part) => textOf(part) ?? '').join('')
/** True for an image, code that ran, … */
const isOther = (part: JsonObject): boolean =>
  visibleText(part) === null && thoughtText(part) === null && callOf(part) === null

type CutText = (text: string) => string
const keepAll: CutText = (text) => text

/** Thoughts are joined without white space; if a client has only some of them, each is looked up by itself. */
function thoughtCutter(said: string, shown: string): CutText {
  const whole = withoutBlanks(said)
  if (whole === '') return keepAll
  if (!withoutBlanks(shown).startsWith(whole)) return (text) => (whole.includes(withoutBlanks(text)) ? '' : text)
  const cutText = textCutter(shown, said) ?? keepAll
  let left = whole.length
  return (text) => {
    if (left <= 0) return text
    left -= withoutBlanks(text).length
    return cutText(text)
  }
}

/** A part of a request's content, and its place. */
interface ContentPart {
  at: Span
  value: JsonObject
}

export const isModels = (body: Buffer, content: Span): boolean =>
  stringOf(body, either(body, content, 'role'))?.toLowerCase() === 'model'

export const partsIn = (body: Buffer, content: Span): ContentPart[] =>
  partsOf(body, content).map((at) => ({ at, value: asObject(decode(body, at)) ?? {} }))

const thoughtText = (part: JsonObject): string | null =>
  part['thought'] === true ? (asText(part['text']) ?? '') : null

const signatureOf = (part: JsonObject): string | null =>
  asName(part['thoughtSignature']) ?? asName(part['thought_signature'])

/** True if a part has no content at all except white space. */
const isBlank = (part: JsonObject): boolean =>
  Object.keys(part).every((name) => name === 'text' || name === 'thought') && (asText(part['text']) ?? '').trim() === ''

/**
 * Returns a key that tells calls of one name apart. Clients drop Gemini's ids or make up their own (older versions of
 * Google's SDK took none, its CLI makes some up), but send back the arguments; Go programs sort their members.
 */
export function callKey(call: JsonObject): string {
  return `${asText(call['name']) ?? ''}#${crc32(sortedJson(call['args'] ?? {})).toString(36)}`
}
