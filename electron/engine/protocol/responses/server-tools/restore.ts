import { bareInput } from '../../append/append-items.ts'
import { type Edit, type Span, elements, isString, member, splice } from '../../json-bytes/index.ts'
import { memberEdits, rootOf } from '../../json-bytes/walk.ts'
import { type AssistantTurn, type HiddenHistory, callsByPlace, withoutBlanks } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { parseObject, asList, asName, asObject, asText, type JsonObject, withoutElements } from '../../values.ts'
import { responsesDialect } from '../request-lens.ts'
import { callOf } from './read-answer.ts'
import { partText, visibleText } from './visible-text.ts'

/** An item of the answer as it is sent: the client's, by its index in the request, or one put back. */
type Piece = { from: number; bytes: Buffer; is: 'call' | 'reasoning' | 'other' } | { from: null; bytes: Buffer }

/**
 * Puts hidden calls back among the client's copy of the answer. Between two of the client's calls, a hidden call goes
 * after a thought that lost the item it led to ("reasoning was provided without its required following item"), else to
 * the end.
 */
function placeCalls(pieces: readonly Piece[], hidden: HiddenHistory['calls']): Piece[] {
  const out: Piece[] = []
  let calls = 0
  const standing = callsByPlace(hidden)
  const waiting = (): Buffer[] => standing(calls).map(({ json }) => Buffer.from(json))
  let here = waiting()
  const put = (count: number): void => {
    out.push(...here.splice(0, count).map((bytes) => ({ from: null, bytes })))
  }
  for (const [i, piece] of pieces.entries()) {
    const isCall = piece.from !== null && piece.is === 'call'
    if (isCall) put(here.length)
    out.push(piece)
    if (isCall) {
      calls++
      here = waiting()
    } else if (isReasoning(piece) && isReasoning(pieces[i + 1])) put(1)
  }
  put(here.length)
  // The answer had more calls than the client has now, so the places of these are unknown.
  out.push(
    ...hidden
      .filter(({ callsBefore }) => callsBefore > calls)
      .map(({ json }) => ({ from: null, bytes: Buffer.from(json) })),
  )
  return out
}

const isReasoning = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.from !== null && piece.is === 'reasoning'

/**
 * Puts back what was hidden around an answer: earlier rounds before it, hidden calls at their places, their results
 * right after its last item and so before the client's own.
 */
export function restoreAnswer(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[] {
  const { body } = lens
  const items = lens.items()
  const before = hidden.before.map((json) => Buffer.from(json))
  const put = (bytes: Buffer): Piece => ({ from: null, bytes })
  const pieces = [
    ...before.map(put),
    ...placeCalls(ofClient(body, items, turn, hidden.filler, before), hidden.calls),
    ...hidden.results.map((json) => put(Buffer.from(json))),
  ]
  const same = pieces.length === turn.last - turn.first + 1 && pieces.every((piece, i) => piece.from === turn.first + i)
  return same && !hidden.filler && before.length === 0 ? [] : [write(body, items, turn, pieces)]
}

/** Returns the items of the client that stay. */
function ofClient(
  body: Buffer,
  items: readonly Span[],
  turn: AssistantTurn,
  filler: boolean,
  before: readonly Buffer[],
): Piece[] {
  const own = items.slice(turn.first, turn.last + 1).map(({ start, end }, i) => {
    const bytes = body.subarray(start, end)
    const isAnswer = responsesDialect.view(body, { start, end }).role !== 'tool'
    return { bytes, value: parseObject(bytes) ?? {}, from: turn.first + i, isAnswer }
  })
  const answer = own.filter((item) => item.isAnswer)
  const left = leftOfCopy(
    answer,
    before.map((json) => parseObject(json) ?? {}),
  )
  return own.flatMap((item): Piece[] => {
    const bytes = item.isAnswer ? (left[answer.indexOf(item)] ?? null) : item.bytes
    // Such a message holds nothing but a text of Onward's own.
    if (!bytes || (filler && item.isAnswer && isMessage(item.value))) return []
    const is =
      item.isAnswer && callOf(item.value).length > 0
        ? 'call'
        : item.value['type'] === 'reasoning'
          ? 'reasoning'
          : 'other'
    return [{ from: item.from, bytes, is }]
  })
}

/** Writes one edit for the whole answer; items that stay neighbours keep the bytes between them. */
function write(body: Buffer, items: readonly Span[], turn: AssistantTurn, pieces: readonly Piece[]): Edit {
  const start = items[turn.first]?.start ?? 0
  const end = items[turn.last]?.end ?? start
  const [above, below] = [items[turn.first - 1], items[turn.last + 1]]
  const [first] = pieces
  if (!first) return { start: !below && above ? above.end : start, end: below?.start ?? end, replacement: '' }

  const out: Buffer[] = []
  // Earlier items were put right after the item above when they were sent, so they are again, byte for byte.
  const joins = first.from === null && above !== undefined
  for (const [i, piece] of pieces.entries()) {
    const last = pieces[i - 1]
    if (last) out.push(between(body, items, last.from, piece.from))
    else if (joins) out.push(comma)
    out.push(piece.bytes)
  }
  return { start: joins ? above.end : start, end, replacement: Buffer.concat(out) }
}

function between(body: Buffer, items: readonly Span[], above: number | null, below: number | null): Buffer {
  if (above === null || below !== above + 1) return comma
  return body.subarray(items[above]?.end, items[below]?.start)
}

const comma = Buffer.from(',')

/** Puts results before the input of a request that names the answer, and not its items: the provider has the calls. */
export function resultsInFront(lens: RequestLens, results: readonly string[]): Edit[] {
  if (results.length === 0) return []
  const { body } = lens
  const input = lens.place('input')
  const list = `[${results.join(',')}]`
  if (!input) return memberEdits(body, rootOf(body), { input: list })
  const around = bareInput(body, input)
  // Inserts, so that markers may be taken out of the text at the same time.
  if (around)
    return [
      { start: input.start, end: input.start, replacement: `[${results.join(',')},${around.before}` },
      { start: input.end, end: input.end, replacement: `${around.after}]` },
    ]
  const [first] = lens.items()
  if (!first) return [{ ...input, replacement: list }]
  return [{ start: first.start, end: first.start, replacement: `${results.join(',')},` }]
}

interface ClientItem {
  bytes: Buffer
  value: JsonObject
}

/**
 * Returns the remainder of a client's items once those of earlier rounds are put before them unchanged; null for an
 * item that is removed. Clients leave out ids and thinking and join texts, so texts are compared character by character
 * without white space, and thoughts by their id, seal or text.
 */
function leftOfCopy(items: readonly ClientItem[], before: readonly JsonObject[]): (Buffer | null)[] {
  const known = before.filter((item) => !isMessage(item))
  const shown = withoutBlanks(
    before
      .filter((item) => isMessage(item) && item['role'] === 'assistant')
      .map(visibleText)
      .join(''),
  )
  const own = withoutBlanks(
    items
      .filter(({ value }) => isMessage(value))
      .map(({ value }) => visibleText(value))
      .join(''),
  )
  // A text that begins differently is no copy, so it stays.
  let signs = own.startsWith(shown) ? shown.length : 0
  return items.map(({ bytes, value }) => {
    if (isMessage(value)) {
      const { rest, lacking } = messageBehind(bytes, signs)
      signs = lacking
      return rest
    }
    const at = known.findIndex((item) => isSame(item, value))
    if (at < 0) return bytes
    // Each matches one copy only: the same search may have been made twice.
    known.splice(at, 1)
    return null
  })
}

const isMessage = (item: JsonObject): boolean => (item['type'] ?? 'message') === 'message'

function isSame(item: JsonObject, copy: JsonObject): boolean {
  const id = asName(copy['id'])
  if (id !== null && id === asName(item['id'])) return true
  if (item['type'] !== copy['type']) return false
  const seal = asName(copy['encrypted_content'])
  if (seal !== null && asName(item['encrypted_content']) !== null) return seal === item['encrypted_content']
  if (item['type'] === 'reasoning') return thought(copy) !== '' && thought(copy) === thought(item)
  return asText(item['type'])?.endsWith('_call') === true && facts(item) === facts(copy)
}

const thought = (item: JsonObject): string =>
  withoutBlanks(
    [...asList(item['summary']), ...asList(item['content'])]
      .map((part) => asText(asObject(part)?.['text']) ?? '')
      .join(''),
  )

/**
 * Returns the members of an item beside its id and state, which clients leave out, as they do members without a value.
 */
function facts(item: JsonObject): string {
  return JSON.stringify(
    Object.entries(item)
      .filter(([name, value]) => name !== 'id' && name !== 'status' && value !== null && value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * Returns the rest of a text after its first `signs` characters other than white space, and how many of them it lacked.
 */
function behind(text: string, signs: number): { rest: string; lacking: number } {
  let left = signs
  let at = 0
  for (; at < text.length && left > 0; at++) if (!/\s/.test(text.charAt(at))) left--
  // The white space that joined the cut text to its rest is part of neither.
  return { rest: text.slice(at).trimStart(), lacking: left }
}

/**
 * Returns a message without the first `signs` characters of its text, not counting white space; null if nothing is
 * left.
 */
function messageBehind(message: Buffer, signs: number): { rest: Buffer | null; lacking: number } {
  if (signs === 0) return { rest: message, lacking: 0 }
  const content = member(message, rootOf(message), 'content')
  if (!content) return { rest: message, lacking: signs }
  if (isString(message, content)) {
    const { rest, lacking } = behind(asText(parseObject(message)?.['content']) ?? '', signs)
    return { rest: rest === '' ? null : splice(message, [{ ...content, replacement: JSON.stringify(rest) }]), lacking }
  }
  const parts = elements(message, content)
  const gone = new Set<number>()
  const edits: Edit[] = []
  let lacking = signs
  for (const [i, part] of parts.entries()) {
    const value = parseObject(message.subarray(part.start, part.end))
    const text = partText(value)
    if (lacking === 0 || text === null) continue
    const cut = behind(text, lacking)
    lacking = cut.lacking
    const at = member(message, part, asText(value?.['text']) === null ? 'refusal' : 'text')
    if (cut.rest === '') gone.add(i)
    else if (at) edits.push({ ...at, replacement: JSON.stringify(cut.rest) })
  }
  if (gone.size === parts.length) return { rest: null, lacking }
  return { rest: splice(message, [...edits, ...withoutElements(parts, (i) => gone.has(i))]), lacking }
}
