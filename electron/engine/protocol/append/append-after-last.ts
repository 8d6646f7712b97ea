import { isArray, type Edit, type Span } from '../json-bytes/index.ts'
import { joined } from '../json-members.ts'
import { behindLast } from '../list-edits.ts'
import type { RequestLens } from '../types.ts'

/** What stands around one value that is no list, once it is the first of one; null: it can be none. */
export type Wrap = (body: Buffer, at: Span) => { before: string; after: string } | null

/**
 * Inserts that put items behind the last of a list, every other byte as it was. None behind an answer the client has
 * begun: the model goes on with what stands last.
 */
export function appendAfterLastItem(
  lens: RequestLens,
  list: Span | null,
  items: readonly Buffer[],
  wrap: Wrap = () => null,
): Edit[] {
  const { body } = lens
  if (!list || items.length === 0 || lens.lastMessage()?.role === 'assistant') return []
  if (isArray(body, list)) return [behindLast(body, list, items)]
  const around = wrap(body, list)
  if (!around) return []
  return [
    { start: list.start, end: list.start, replacement: `[${around.before}` },
    {
      start: list.end,
      end: list.end,
      replacement: Buffer.concat([Buffer.from(`${around.after},`), ...joined(items), Buffer.from(']')]),
    },
  ]
}
