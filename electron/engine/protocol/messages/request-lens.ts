import { contentTexts, type ItemView, type LensDialect } from '../lens/dialect.ts'
import { elements, members, stringOf, type Span } from '../json-bytes/index.ts'

/** Messages: `system` beside `messages`; tool results are blocks of user messages. */
export const messagesDialect: LensDialect = {
  protocol: 'messages',
  list: 'messages',
  system: 'system',
  view(body, item) {
    const [roleAt = null, content = null] = members(body, item, ['role', 'content'])
    const role = roles[stringOf(body, roleAt) ?? ''] ?? 'other'
    if (role !== 'user' && role !== 'system') return { role, texts: [] }
    const texts = contentTexts(body, content, ['text'])
    return { role: role === 'user' && texts.length === 0 && hasToolResult(body, content) ? 'tool' : role, texts }
  },
}

const hasToolResult = (body: Buffer, content: Span | null): boolean =>
  content !== null &&
  elements(body, content).some((block) => stringOf(body, members(body, block, ['type'])[0] ?? null) === 'tool_result')

/** `system` in the middle of the conversation is sent by Claude Code 2.1. */
const roles: Partial<Record<string, ItemView['role']>> = { user: 'user', assistant: 'assistant', system: 'system' }
