import { contentTexts, type ItemView, type LensDialect } from '../lens/dialect.ts'
import { members, stringOf } from '../json-bytes/index.ts'

/** Chat Completions: `messages` with a role each; content is a string or a list of parts. */
export const chatDialect: LensDialect = {
  protocol: 'chat',
  list: 'messages',
  system: null,
  view(body, item) {
    const [role = null, content = null] = members(body, item, ['role', 'content'])
    const known = roles[stringOf(body, role) ?? ''] ?? 'other'
    return { role: known, texts: known === 'user' || known === 'system' ? contentTexts(body, content, ['text']) : [] }
  },
}

const roles: Partial<Record<string, ItemView['role']>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
}
