import { isArray, isObject, isString, type Edit } from '../json-bytes/index.ts'
import { joined } from '../json-members.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/**
 * Inserts that put items behind the last of a list, every other byte as it was. A bare text, or one content that is no
 * list, becomes the list's first item: `wrap` is what stands around it there.
 */
export function behindItems(lens: RequestLens, list: 'messages' | 'input' | 'contents', items: readonly Buffer[], wrap: { before: string; after: string }): Edit[] {
  const { body } = lens
  const at = lens.place(list)
  if (!at || lens.lastMessage()?.role === 'assistant') return []
  if (isArray(body, at)) return [behindLast(body, at, items)]
  if (!isString(body, at) && !(list === 'contents' && isObject(body, at))) return []
  const { before, after } = isString(body, at) ? wrap : { before: '', after: '' }
  return [
    { start: at.start, end: at.start, replacement: `[${before}` },
    { start: at.end, end: at.end, replacement: Buffer.concat([Buffer.from(`${after},`), ...joined(items), Buffer.from(']')]) },
  ]
}

/** How OpenAI's and Anthropic's protocols write a user's message around its text. */
export const asUserMessage = { before: '{"role":"user","content":', after: '}' }
