import { elements, isString, member, members, stringOf, type Span } from '../../json-bytes/index.ts'
import { turnsIn, withoutBlanks, type AssistantTurn } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asText, parseObject, type JsonObject } from '../../values.ts'

export const roleOf = (body: Buffer, item: Span): string | null => stringOf(body, member(body, item, 'role'))

/** A block of a message; a content that is a bare text counts as one. */
export interface Part {
  at: Span
  block: JsonObject
  bare: boolean
}

export function partsOf(body: Buffer, item: Span): Part[] {
  const content = member(body, item, 'content')
  if (!content) return []
  if (isString(body, content))
    return [{ at: content, block: { type: 'text', text: stringOf(body, content) }, bare: true }]
  return elements(body, content).map((at) => ({
    at,
    block: parseObject(body.subarray(at.start, at.end)) ?? {},
    bare: false,
  }))
}

/** Visible text of a block; null for one of another kind. */
export const textOf = (block: JsonObject): string | null =>
  block['type'] === 'text' ? (asText(block['text']) ?? '') : null

/** Whatever is no text is skipped, not decoded, above all the arguments of calls. */
export const turns = ({ body, items }: RequestLens): AssistantTurn[] =>
  turnsIn(items(), (item) => (roleOf(body, item) === 'assistant' ? saidIn(body, item) : null))

function saidIn(body: Buffer, item: Span): Pick<AssistantTurn, 'text' | 'calls'> {
  const content = member(body, item, 'content')
  if (!content) return { text: '', calls: [] }
  if (isString(body, content)) return { text: withoutBlanks(stringOf(body, content) ?? ''), calls: [] }
  const texts: string[] = []
  const calls: string[] = []
  for (const block of elements(body, content)) {
    const [type = null, text = null, id = null] = members(body, block, ['type', 'text', 'id'])
    const kind = stringOf(body, type)
    if (kind === 'text') texts.push(stringOf(body, text) ?? '')
    if (kind === 'tool_use') calls.push(stringOf(body, id) ?? '')
  }
  return { text: withoutBlanks(texts.join('')), calls }
}
