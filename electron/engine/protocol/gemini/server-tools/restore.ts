import { isArray, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { joined, listOf, rootOf } from '../../json-members.ts'
import { type AssistantTurn, type HiddenHistory, callsByPlace } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { call as callOf, text as visibleText } from '../facts.ts'
import { either } from '../request-lens.ts'
import { contentsOf, placeOf } from '../request-place.ts'
import { isModels, partsIn } from './contents.ts'
import { copyCutter } from './cut-copy.ts'
import { isBlank } from './parts.ts'

/**
 * Rewrites the contents of the answer that change; the others stay as they are. Contents of Gemini have no cache marks:
 * a cache has a name of its own.
 */
export function restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[] {
  const { body } = lens
  const contents = contentsOf(lens)
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
