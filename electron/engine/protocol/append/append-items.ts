import { OnwardError } from '../../base/errors.ts'
import { isArray, type Edit, type Span } from '../json-bytes/index.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/** Returns the text to put around a single value to make it the first item of a list; null if it can't be one. */
export type Wrap = (body: Buffer, at: Span) => { before: string; after: string } | null

/**
 * Returns inserts that put items after the last of a list; every other byte stays.
 * @throws OnwardError `cannot-continue` if nothing can be added
 */
export function appendItems(
  lens: RequestLens,
  list: 'messages' | 'input' | 'contents',
  items: readonly Buffer[],
  wrap?: Wrap,
): Edit[] {
  const edits = insertsBehind(lens.body, lens.place(list), items, wrap)
  if (edits) return edits
  throw new OnwardError('cannot-continue', `The request has no list “${list}” that a followup could be added to.`)
}

/**
 * The same for Onward's own words after a client's request. Returns `[]` if nothing can be added, or if the client has
 * begun the answer, because the model continues the last item.
 */
export const appendAfterLastItem = (
  lens: RequestLens,
  list: Span | null,
  items: readonly Buffer[],
  wrap?: Wrap,
): Edit[] =>
  items.length === 0 || lens.lastMessage()?.role === 'assistant'
    ? []
    : (insertsBehind(lens.body, list, items, wrap) ?? [])

/** Returns null if nothing can be added. */
export function insertsBehind(body: Buffer, list: Span | null, items: readonly Buffer[], wrap?: Wrap): Edit[] | null {
  if (!list) return null
  if (isArray(body, list)) return [behindLast(body, list, items)]
  const around = wrap?.(body, list)
  if (!around) return null
  return [
    { start: list.start, end: list.start, replacement: `[${around.before}` },
    { start: list.end, end: list.end, replacement: `${around.after},${items.join(',')}]` },
  ]
}
