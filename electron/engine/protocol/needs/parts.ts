import { elements, member, members, type Span } from '../json-bytes/index.ts'
import { wordAt } from './word.ts'

/** Those elements of a list (a content, a list of tools) whose `type` is like that. */
export function typed(body: Buffer, list: Span | null, isIt: (type: string) => boolean): Span[] {
  if (!list) return []
  return elements(body, list).filter((element) => {
    const type = wordAt(body, member(body, element, 'type'))
    return type !== null && isIt(type)
  })
}

/** Whether the bytes of a value have a word at all: a look that costs far less than walking it. */
export const mentions = (body: Buffer, at: Span, word: string): boolean =>
  body.subarray(at.start, at.end).includes(word, 0, 'latin1')

/** Whether a tool of such a type is declared. Declarations are long: most that have none are seen to at a glance. */
export function hasTool(body: Buffer, tools: Span | null, mention: string, isIt: (type: string) => boolean): boolean {
  return tools !== null && mentions(body, tools, mention) && typed(body, tools, isIt).length > 0
}

/**
 * Every vendor's types for it begin so: `web_search_20250305`, `web_search_preview`. A client's own tool is a function
 * of that name.
 */
export const isWebSearch = (type: string): boolean => type.startsWith('web_search')

/** The member `content` of a message, or of a block. */
export const contentOf = (body: Buffer, item: Span): Span | null => members(body, item, ['content'])[0] ?? null
