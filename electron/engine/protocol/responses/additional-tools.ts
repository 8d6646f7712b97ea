import { elements, isArray, member, stringOf, type Span } from '../json-bytes/index.ts'
import { mentions } from '../needs/parts.ts'

/**
 * The list of an item `additional_tools`, the first there is: Codex declares its tools to its newest models by one in
 * front of the conversation, and leaves out `tools` (measured with 0.169 and gpt-6.1-sol).
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

/** How many tools a request declares; null: it says nothing of tools. */
export function countTools(body: Buffer, top: ReadonlyMap<string, Span>, own: number | null): number | null {
  const input = top.get('input')
  if (!input || !isArray(body, input) || !mentions(body, input, '"additional_tools"')) return own
  const list = additionalTools(body, elements(body, input))
  return list ? (own ?? 0) + elements(body, list).length : own
}
