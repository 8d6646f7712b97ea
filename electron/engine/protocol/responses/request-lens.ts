import { contentTexts, type ItemView, type LensDialect } from '../lens/lens.ts'
import { isString, members, stringOf, type Span } from '../json-bytes/index.ts'
import { countTools } from './additional-tools.ts'

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
