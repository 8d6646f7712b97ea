import { elements, isString, member, stringOf, type Span } from '../../json-bytes/index.ts'
import type { AssistantTurn } from '../../take-over/types.ts'
import { withoutBlanks } from '../../take-over/types.ts'
import type { RequestLens } from '../../types.ts'
import { asText, parseObject, type JsonObject } from '../../values.ts'
import { isCall } from './blocks.ts'

/** The messages of a request; none where it has no list of them. */
export function messagesOf(lens: RequestLens): Span[] {
  const at = lens.place('messages')
  return at ? elements(lens.body, at) : []
}

export const roleOf = (body: Buffer, item: Span): string | null => stringOf(body, member(body, item, 'role'))

/** A block of a message; a content that is a bare text counts as one. */
export interface Part { at: Span; block: JsonObject; bare: boolean }

export function partsOf(body: Buffer, item: Span): Part[] {
  const content = member(body, item, 'content')
  if (!content) return []
  if (isString(body, content)) return [{ at: content, block: { type: 'text', text: stringOf(body, content) }, bare: true }]
  return elements(body, content).map((at) => ({ at, block: parseObject(body.subarray(at.start, at.end)) ?? {}, bare: false }))
}

/** Visible text of a block; null for one of another kind. */
export const textOf = (block: JsonObject): string | null => (block['type'] === 'text' ? asText(block['text']) ?? '' : null)

/** Every answer of the history: assistant messages in a row are one. */
export function turns(lens: RequestLens): AssistantTurn[] {
  const found: AssistantTurn[] = []
  for (const [index, item] of messagesOf(lens).entries()) {
    if (roleOf(lens.body, item) !== 'assistant') continue
    const blocks = partsOf(lens.body, item).map(({ block }) => block)
    const text = withoutBlanks(blocks.map((block) => textOf(block) ?? '').join(''))
    const calls = blocks.filter(isCall).map((block) => asText(block['id']) ?? '')
    const before = found.at(-1)
    if (before?.last !== index - 1) found.push({ first: index, last: index, text, calls })
    else found.splice(-1, 1, { first: before.first, last: index, text: before.text + text, calls: [...before.calls, ...calls] })
  }
  return found
}
