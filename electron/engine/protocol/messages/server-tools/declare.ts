import { declareBehind } from '../../append/moving-mark.ts'
import { elements, isArray, isObject, member, stringOf, type Edit, type Span } from '../../json-bytes/index.ts'
import { type ToolDeclaration, writtenOnce } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'

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
