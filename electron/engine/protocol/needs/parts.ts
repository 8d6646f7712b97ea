import { elements, isString, member, members, type Span } from '../json-bytes/index.ts'

/** Returns the elements of a list (a content, a list of tools) whose `type` passes `isIt`. */
export function typed(body: Buffer, list: Span | null, isIt: (type: string) => boolean): Span[] {
  if (!list) return []
  return elements(body, list).filter((element) => {
    const type = wordAt(body, member(body, element, 'type'))
    return type !== null && isIt(type)
  })
}

/** True if the bytes of a value have a word anywhere: a check that costs far less than walking the value. */
export const mentions = (body: Buffer, at: Span, word: string): boolean =>
  body.subarray(at.start, at.end).includes(word, 0, 'latin1')

/**
 * True if a tool of such a type is declared. Declarations are long, so most lists without one are ruled out by the
 * word.
 */
export function hasTool(body: Buffer, tools: Span | null, mention: string, isIt: (type: string) => boolean): boolean {
  return tools !== null && mentions(body, tools, mention) && typed(body, tools, isIt).length > 0
}

/**
 * Every vendor's types for web search begin this way: `web_search_20250305`, `web_search_preview`. A client's own tool
 * of that name is a function.
 */
export const isWebSearch = (type: string): boolean => type.startsWith('web_search')

export const contentOf = (body: Buffer, item: Span): Span | null => members(body, item, ['content'])[0] ?? null

/** Names of parts and tools are far shorter. */
const longest = 100

/** Returns a short string as it is written, escapes included, to compare it with names, which have none. */
export function wordAt(body: Buffer, at: Span | null | undefined): string | null {
  if (!at || !isString(body, at) || at.end - at.start > longest) return null
  return body.toString('latin1', at.start + 1, at.end - 1)
}
