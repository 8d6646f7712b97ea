import { isString, members, stringOf, type Span, elements, isArray, member } from '../json-bytes/index.ts'
import { contentTexts, type ItemView, type LensDialect } from '../lens/lens.ts'
import { mentions } from '../needs/parts.ts'

/** Responses: `input` is a text or a list of items; messages among them may leave out their `type`. */
export const responsesDialect: LensDialect = {
  protocol: 'responses',
  list: 'input',
  system: 'instructions',
  tools: countTools,
  view(body, item) {
    if (isString(body, item)) return { role: 'user', texts: [item] }
    const [type = null, role = null, content = null] = members(body, item, ['type', 'role', 'content'])
    const kind = stringOf(body, type)
    return kind === null || kind === 'message' ? message(body, role, content) : { role: roleOfItem(kind), texts: [] }
  },
}

function message(body: Buffer, roleAt: Span | null, content: Span | null): ItemView {
  const role = roles[stringOf(body, roleAt) ?? ''] ?? 'other'
  return {
    role,
    texts: role === 'user' || role === 'system' ? contentTexts(body, content, ['input_text', 'text']) : [],
  }
}

/** Items beside messages: the model's actions, and the results of its tools. */
function roleOfItem(type: string): ItemView['role'] {
  if (type.endsWith('_output') || type === 'mcp_approval_response') return 'tool'
  return type.endsWith('_call') || type === 'reasoning' || type === 'mcp_approval_request' ? 'assistant' : 'other'
}

const roles: Partial<Record<string, ItemView['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

/**
 * Returns the list of the first item `additional_tools`: Codex declares its tools to its newest models by such an item
 * before the conversation, and leaves out `tools` (measured with 0.169 and gpt-6.1-sol).
 */
export function additionalTools(body: Buffer, items: readonly Span[]): Span | null {
  for (const item of items) {
    if (
      !mentions(body, item, '"additional_tools"') ||
      stringOf(body, member(body, item, 'type')) !== 'additional_tools'
    )
      continue
    const list = member(body, item, 'tools')
    if (list && isArray(body, list)) return list
  }
  return null
}

/** Returns how many tools a request declares; null if it does not mention tools. */
function countTools(body: Buffer, top: ReadonlyMap<string, Span>, own: number | null): number | null {
  const input = top.get('input')
  if (!input || !isArray(body, input) || !mentions(body, input, '"additional_tools"')) return own
  const list = additionalTools(body, elements(body, input))
  return list ? (own ?? 0) + elements(body, list).length : own
}
