import { declareBehind } from '../../lens/lens.ts'
import { isArray, type Edit, decode, members, stringOf } from '../../json-bytes/index.ts'
import {
  type ToolDeclaration,
  writtenOnce,
  turnsIn,
  withoutBlanks,
  type AssistantTurn,
} from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asName, asNumber, asObject } from '../../values.ts'
import { readCallEntry } from '../call-finder.ts'
import { text as visibleText } from '../facts.ts'

/** Names of functions and custom tools; a vendor's own tool has its type for a name. */
export function clientTools(lens: RequestLens): string[] {
  const tools = asList(lens.value('tools')).map((tool) => {
    const entry = asObject(tool)
    const declared = asObject(entry?.['function']) ?? asObject(entry?.['custom']) ?? entry
    return asName(declared?.['name']) ?? asName(entry?.['type'])
  })
  const functions = asList(lens.value('functions')).map((fn) => asName(asObject(fn)?.['name']))
  return [...tools, ...functions].filter((name) => name !== null)
}

export function cannotDeclare(lens: RequestLens): string | null {
  if ((asNumber(lens.value('n')) ?? 1) > 1) return 'several choices asked for'
  // OpenAI takes one of the two, and answers with `function_call`, which has no id.
  if (asList(lens.value('functions')).length > 0) return 'tools declared as “functions”'
  // Declarations are long: they are counted, not read.
  const at = lens.place('tools')
  if (at && !isArray(lens.body, at) && lens.value('tools') !== null) return '“tools” is no list'
  // OpenAI's guide to predicted outputs: function calling is not supported with them.
  if ((lens.value('prediction') ?? null) !== null) return 'a predicted output'
  // OpenAI's models for it (gpt-4o-search-preview) take no functions; a client that declares some knows one that does.
  if (asObject(lens.value('web_search_options')) && (lens.toolCount() ?? 0) === 0)
    return 'a model that only searches the web'
  return null
}

export const declare = (lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] =>
  declareBehind(lens, lens.place('tools'), tools.map(declaration))

const declaration = writtenOnce(({ name, description, parameters, strict }) => ({
  type: 'function',
  function: { name, description, parameters, strict },
}))

export const turns = ({ body, items }: RequestLens): AssistantTurn[] =>
  turnsIn(items(), (item) => {
    const [role = null, content, calls] = members(body, item, ['role', 'content', 'tool_calls'])
    if (stringOf(body, role) !== 'assistant') return null
    const text = content ? withoutBlanks(visibleText(decode(body, content))) : ''
    return { text, calls: asList(calls ? decode(body, calls) : null).map(callId) }
  })

function callId(value: unknown): string {
  const { id, name } = readCallEntry(asObject(value) ?? {})
  return id ?? name ?? ''
}
