import { elements, isArray, member, stringOf, type Span } from '../json-bytes/index.ts'
import { mentions } from '../needs/parts.ts'

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
export function countTools(body: Buffer, top: ReadonlyMap<string, Span>, own: number | null): number | null {
  const input = top.get('input')
  if (!input || !isArray(body, input) || !mentions(body, input, '"additional_tools"')) return own
  const list = additionalTools(body, elements(body, input))
  return list ? (own ?? 0) + elements(body, list).length : own
}
