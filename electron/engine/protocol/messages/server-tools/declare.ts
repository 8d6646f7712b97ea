import { declareBehind } from '../../lens/lens.ts'
import {
  elements,
  isArray,
  isObject,
  member,
  stringOf,
  type Edit,
  type Span,
  isString,
  members,
} from '../../json-bytes/index.ts'
import {
  type ToolDeclaration,
  writtenOnce,
  turnsIn,
  withoutBlanks,
  type AssistantTurn,
} from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asText, parseObject, type JsonObject } from '../../values.ts'

/** Tools of the vendor have a name as well, a set of MCP tools that of its server. */
export function clientTools(lens: RequestLens): string[] {
  const at = lens.place('tools')
  if (!at) return []
  return elements(lens.body, at).flatMap((tool) => {
    const name =
      stringOf(lens.body, member(lens.body, tool, 'name')) ??
      stringOf(lens.body, member(lens.body, tool, 'mcp_server_name'))
    return name === null ? [] : [name]
  })
}

/** Anthropic gives one answer per request and lets all kinds of tools stand together, under any `tool_choice`. */
export function cannotDeclare(lens: RequestLens): string | null {
  const tools = lens.place('tools')
  if (tools && !isArray(lens.body, tools) && !isNull(lens, tools)) return '“tools” is no list'
  const messages = lens.place('messages')
  return messages && isArray(lens.body, messages) ? null : 'no list of messages'
}

export const declare = (lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] =>
  declareBehind(lens, lens.place('tools'), tools.map(declaration))

/**
 * Without `strict`: a model that does not know it refuses the whole request ("does not support strict tools", "Extra
 * inputs are not permitted"), and its name does not show that. So does one whose strict schemas together grow too
 * large.
 */
const declaration = writtenOnce(({ name, description, parameters }) => ({
  name,
  description,
  input_schema: parameters,
}))

const isNull = (lens: RequestLens, at: Span): boolean =>
  !isObject(lens.body, at) && lens.body.toString('latin1', at.start, at.end) === 'null'

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
