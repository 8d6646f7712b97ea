import { OnwardError } from '../../base/errors.ts'
import { isArray, type Edit, type Span } from '../json-bytes/index.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/** What stands around one value that is no list, once it is the first of one; null: it can be none. */
export type Wrap = (body: Buffer, at: Span) => { before: string; after: string } | null

/**
 * Inserts that put items behind the last of a list, every other byte as it was.
 * @throws OnwardError `cannot-continue` where nothing can be added
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
 * The same for words of Onward's behind a client's own request: `[]` where nothing can be added, or the client has
 * begun the answer, since the model goes on with what stands last.
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

/** null: nothing can be added */
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
