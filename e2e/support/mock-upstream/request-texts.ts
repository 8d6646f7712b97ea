import { at } from './json-path.ts'
import { isTimeTag } from './time-tag.ts'
import type { Endpoint } from './types.ts'

/** Text of a content: a string, or the texts of its parts. Tool results have none. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return isTimeTag(content) ? '' : content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (at(part, 'type') === 'tool_result' ? undefined : at(part, 'text')))
    .filter((t): t is string => typeof t === 'string' && !isTimeTag(t))
    .join('\n')
}

const itemsOf = (endpoint: Endpoint, json: unknown): readonly unknown[] => {
  const list = at(
    json,
    endpoint === 'responses' || endpoint === 'compact' ? 'input' : endpoint === 'gemini' ? 'contents' : 'messages',
  )
  return typeof list === 'string' ? [{ role: 'user', content: list }] : Array.isArray(list) ? list : []
}
/** A user's message that says nothing but the time: Onward's, not the client's. */
const isOnlyTime = (item: unknown): boolean => {
  const content = at(item, 'content') ?? at(item, 'parts')
  return (
    at(item, 'role') === 'user' &&
    (typeof content === 'string'
      ? isTimeTag(content)
      : Array.isArray(content) && content.length > 0 && content.every((part) => isTimeTag(at(part, 'text'))))
  )
}
const isSystem = (item: unknown): boolean => at(item, 'role') === 'system' || at(item, 'role') === 'developer'

/** Text of the last message when it is the user's (trailing system items aside), else null. */
export function lastUserText(endpoint: Endpoint, json: unknown): string | null {
  const last = itemsOf(endpoint, json).findLast((item) => !isSystem(item) && !isOnlyTime(item))
  if (at(last, 'role') !== 'user') return null
  const text = textOf(at(last, 'content') ?? at(last, 'parts'))
  return text === '' ? null : text
}

/** Every system text, joined; the one that says what the request is about comes first or last, so callers search it. */
export function systemText(endpoint: Endpoint, json: unknown): string {
  const own =
    endpoint === 'gemini'
      ? at(json, 'systemInstruction', 'parts')
      : at(json, endpoint === 'responses' ? 'instructions' : 'system')
  const inline = itemsOf(endpoint, json)
    .filter(isSystem)
    .map((item) => textOf(at(item, 'content')))
  // Gemini CLI's begin with an empty line.
  return [textOf(own), ...inline]
    .filter((t) => t !== '')
    .join('\n')
    .trim()
}
