import { elements, isString, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { joined, memberEdits, listOf, rootOf } from '../../json-bytes/walk.ts'
import { type AssistantTurn, type HiddenHistory, withoutBlanks } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { withoutElements, asText, type JsonObject } from '../../values.ts'
import { isCall, isThinking } from '../facts.ts'
import { partsOf, roleOf, type Part, textOf } from './declare.ts'

/**
 * One edit for the answer, others for the user's message that takes the results. A cache mark on a block that goes is
 * lost with it: it only says how far a prompt is worth keeping, and clients set theirs anew in every request.
 */
export function restore(lens: RequestLens, turn: AssistantTurn, hidden: HiddenHistory): Edit[] {
  const { body } = lens
  const items = lens.items()
  const own = items.slice(turn.first, turn.last + 1)
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last) return []
  const results = hidden.calls.length > 0 ? hidden.results : []
  const taker = results.length > 0 ? takerOf(body, items, turn.last) : null
  const answer = answerOf(body, own, hidden)
  const whole = [
    ...hidden.before.map((item) => Buffer.from(item)),
    ...(answer ? [answer] : []),
    ...(results.length > 0 && !taker ? [Buffer.from(`{"role":"user","content":[${results.join(',')}]}`)] : []),
  ]
  const edits: Edit[] =
    whole.length > 0
      ? [{ start: first.start, end: last.end, replacement: Buffer.concat(joined(whole)) }]
      : withoutElements(items, (i) => i >= turn.first && i <= turn.last)
  return taker ? [...edits, ...takeResults(body, taker, results)] : edits
}

/** Returns the rest of the client's copy of an answer, its hidden calls in it; null when nothing is left. */
function answerOf(body: Buffer, items: readonly Span[], { before, filler, calls }: HiddenHistory): Buffer | null {
  const parts = items.flatMap((item, i) => partsOf(body, item).map((part) => ({ ...part, item: i })))
  const kept = keptOf(parts, saidBefore(before), filler)
  const edits = answerWith(
    body,
    items,
    parts.map((part, i) => ({ ...part, kept: kept[i] ?? 'all' })),
    calls,
  )
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0]
  return (
    edits &&
    splice(
      body.subarray(start, end),
      edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    )
  )
}

/** The user's message that answers the client's own calls, or follows at once. System messages may stand between. */
function takerOf(body: Buffer, items: readonly Span[], last: number): Span | null {
  let index = last + 1
  for (let item = items[index]; item && roleOf(body, item) === 'system'; item = items[index]) index++
  const item = items[index]
  if (!item || roleOf(body, item) !== 'user' || !member(body, item, 'content')) return null
  return index === last + 1 || partsOf(body, item).some(({ block }) => block['type'] === 'tool_result') ? item : null
}

/**
 * Results have to stand in front of everything else in their message. The edits touch no byte of its texts, so that
 * these can be edited in the same go.
 */
function takeResults(body: Buffer, item: Span, results: readonly string[]): Edit[] {
  const at = member(body, item, 'content')
  if (!at) return []
  const front = `[${results.join(',')}`
  if (isString(body, at)) {
    const colon = body.lastIndexOf(':', at.start)
    return [
      { start: colon, end: colon + 1, replacement: `:${front},{"type":"text","text":` },
      { start: at.end, end: at.end, replacement: '}]' },
    ]
  }
  const list = elements(body, at)
  if (list.length === 0) return memberEdits(body, item, { content: `${front}]` })
  return [{ start: at.start, end: at.start + 1, replacement: `${front},` }]
}

/** A block of the answer, the index of its message among the answer's, and what of it stays. */
interface PlacedPart extends Part {
  item: number
  kept: Kept
}

/** Where a hidden call comes in: beside a block, or at the end of a message. */
interface Spot {
  item: number
  part: PlacedPart | null
  side: 'front' | 'behind'
  json: Buffer
}

/**
 * Edits that leave only what is kept of an answer's messages and put hidden calls in; null when none of the messages is
 * left.
 */
function answerWith(
  body: Buffer,
  items: readonly Span[],
  parts: readonly PlacedPart[],
  calls: HiddenHistory['calls'],
): Edit[] | null {
  const kept = parts.filter((part) => part.kept !== 'none')
  // Thinking alone is no message.
  if (calls.length === 0 && kept.length < parts.length && kept.every(({ block }) => isThinking(block))) return null
  const spots = spotsOf(items, kept, calls)
  const isGone = (item: number): boolean =>
    parts.some((part) => part.item === item) &&
    !kept.some((part) => part.item === item) &&
    !spots.some((spot) => spot.item === item)
  return [
    ...items.flatMap((at, item) =>
      isGone(item)
        ? []
        : itemEdits(
            body,
            at,
            parts.filter((part) => part.item === item),
            spots.filter((spot) => spot.item === item),
          ),
    ),
    ...withoutElements(items, isGone),
  ]
}

function spotsOf(items: readonly Span[], kept: readonly PlacedPart[], calls: HiddenHistory['calls']): Spot[] {
  const own = kept.filter(({ block }) => isCall(block))
  const end = own.at(-1) ?? kept.at(-1)
  return calls.map(({ json, callsBefore }) => {
    const front = own[callsBefore]
    const part = front ?? end ?? null
    return { item: part?.item ?? items.length - 1, part, side: front ? 'front' : 'behind', json: Buffer.from(json) }
  })
}

function itemEdits(body: Buffer, item: Span, parts: readonly PlacedPart[], spots: readonly Spot[]): Edit[] {
  const kept = parts.filter((part) => part.kept !== 'none')
  if (kept.length === parts.length && spots.length === 0 && kept.every((part) => part.kept === 'all')) return []
  const calls = spots.map(({ json }) => json)
  if (kept.length === 0) return memberEdits(body, item, { content: listOf(calls) })
  const [only] = kept
  if (only?.bare) {
    const text =
      typeof only.kept === 'string'
        ? body.subarray(only.at.start, only.at.end)
        : Buffer.from(JSON.stringify(only.kept.text))
    const block = Buffer.concat([Buffer.from('{"type":"text","text":'), text, Buffer.from('}')])
    return [{ ...only.at, replacement: calls.length === 0 ? text : listOf([block, ...calls]) }]
  }
  // Calls first: one is put in at the place from which the bytes after it may be removed.
  return [
    ...kept.flatMap((part) => insertions(part, spots)),
    ...kept.flatMap((part) => textEdits(body, part)),
    ...withoutElements(
      parts.map(({ at }) => at),
      (i) => parts[i]?.kept === 'none',
    ),
  ]
}

function insertions(part: PlacedPart, spots: readonly Spot[]): Edit[] {
  const of = (side: Spot['side']): Buffer[] =>
    spots.filter((spot) => spot.part === part && spot.side === side).map(({ json }) => json)
  const [front, behind] = [of('front'), of('behind')]
  return [
    ...(front.length > 0
      ? [{ start: part.at.start, end: part.at.start, replacement: Buffer.concat([...joined(front), comma]) }]
      : []),
    ...(behind.length > 0
      ? [{ start: part.at.end, end: part.at.end, replacement: Buffer.concat([comma, ...joined(behind)]) }]
      : []),
  ]
}
const comma = Buffer.from(',')

function textEdits(body: Buffer, { at, kept }: PlacedPart): Edit[] {
  if (typeof kept === 'string') return []
  const block = body.subarray(at.start, at.end)
  return memberEdits(block, rootOf(block), { text: JSON.stringify(kept.text) }).map((edit) => ({
    ...edit,
    start: edit.start + at.start,
    end: edit.end + at.start,
  }))
}

/** How much of a block stays in the client's copy of an answer: all of it, none, or another text. */
type Kept = 'all' | 'none' | { text: string }

interface SaidBefore {
  /** visible text without blanks */
  text: string
  /** signs of blocks that are no text */
  signs: ReadonlySet<string>
}

/** Collects what the assistant says in the items that come whole before an answer. */
function saidBefore(items: readonly string[]): SaidBefore {
  const blocks = items
    .map((item) => Buffer.from(item))
    .filter((item) => roleOf(item, rootOf(item)) === 'assistant')
    .flatMap((item) => partsOf(item, rootOf(item)).map(({ block }) => block))
  return {
    text: withoutBlanks(blocks.map((block) => textOf(block) ?? '').join('')),
    signs: new Set(blocks.flatMap(signsOf)),
  }
}

/**
 * Each of these alone identifies a block: thinking by its signature or words, calls and what the vendor ran by their
 * ids.
 */
function signsOf(block: JsonObject): string[] {
  return ['signature', 'data', 'thinking', 'id', 'tool_use_id'].flatMap((name) => {
    const value = asText(block[name])?.trim()
    return value ? [`${name} ${value}`] : []
  })
}

/**
 * Words count only where a client keeps no signature: a model may think the same twice, and a tool loop needs all it
 * signed.
 */
function isIn(block: JsonObject, { signs }: SaidBefore): boolean {
  const all = signsOf(block)
  const signed = all.filter((sign) => !sign.startsWith('thinking '))
  return (signed.length > 0 ? signed : all).some((sign) => signs.has(sign))
}

/**
 * Returns how much of each of an answer's blocks stays after what was said before it, in order. `filler`: none of its
 * text is the model's.
 */
function keptOf(parts: readonly Part[], before: SaidBefore, filler: boolean): Kept[] {
  const whole = withoutBlanks(parts.map(({ block }) => textOf(block) ?? '').join(''))
  /** characters that are not blank and still have to go */
  let left = whole.startsWith(before.text) ? before.text.length : 0
  let cutting = left > 0
  return parts.map(({ block }) => {
    const text = textOf(block)
    if (text === null) return isIn(block, before) ? 'none' : 'all'
    if (filler) return 'none'
    if (!cutting) return 'all'
    const size = withoutBlanks(text).length
    if (size <= left) {
      left -= size
      return 'none'
    }
    cutting = false
    return left === 0 ? 'all' : { text: behind(text, left) }
  })
}

/** Returns the text after so many characters that are not blank, and after the blanks that follow them. */
function behind(text: string, signs: number): string {
  let at = 0
  for (let left = signs; left > 0; at++) if (!/\s/.test(text.charAt(at))) left--
  return text.slice(at).trimStart()
}
