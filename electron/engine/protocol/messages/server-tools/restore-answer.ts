import type { Edit, Span } from '../../json-bytes/index.ts'
import { joined, listOf, memberEdits, rootOf } from '../../json-members.ts'
import { withoutElements } from '../../values.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import { isCall, isThinking } from '../facts.ts'
import type { Part } from './history.ts'
import type { Kept } from './said-before.ts'

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
export function answerWith(
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
