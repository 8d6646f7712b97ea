import { isArray, isObject, stringOf, elements, member, type Edit, type Span } from '../../json-bytes/index.ts'
import { listOf, memberEdits, rootOf } from '../../json-members.ts'
import { behindLast } from '../../list-edits.ts'
import type { ToolDeclaration } from '../../server-tools/types.ts'
import { writtenOnce } from '../../server-tools/written-once.ts'
import type { RequestLens } from '../../types.ts'

/** Tools of the vendor have a name as well, a set of MCP tools that of its server. */
export function clientTools(lens: RequestLens): string[] {
  const at = toolList(lens)
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

export function declare(lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] {
  if (tools.length === 0) return []
  const ours = tools.map(declaration)
  const at = toolList(lens)
  return at ? [behindLast(lens.body, at, ours)] : memberEdits(lens.body, rootOf(lens.body), { tools: listOf(ours) })
}

/**
 * Without `strict`: a model that does not know it refuses the whole request ("does not support strict tools", "Extra
 * inputs are not permitted"), which can't be told from its name, and so does one whose strict schemas together grow too
 * large.
 */
const declaration = writtenOnce(({ name, description, parameters }) => ({
  name,
  description,
  input_schema: parameters,
}))

function toolList(lens: RequestLens): Span | null {
  const at = lens.place('tools')
  return at && isArray(lens.body, at) ? at : null
}

const isNull = (lens: RequestLens, at: Span): boolean =>
  !isObject(lens.body, at) && lens.body.toString('latin1', at.start, at.end) === 'null'
