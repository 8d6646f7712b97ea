import { appendAfterLastItem } from '../../append/append-items.ts'
import { hasMovingMark } from '../../append/moving-mark.ts'
import { member, stringOf, type Edit } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { isOfAnswer } from './history.ts'
import { bareText, userItem } from './items.ts'

/** A conversation kept by the provider takes them as well: the request only adds to it. */
export function appendAfterLast(lens: RequestLens, items: readonly Buffer[]): Edit[] {
  const { body } = lens
  const last = lens.items().at(-1)
  // These must stay last: an answer's own items, because the answer after them counts as one with them, and the item
  // that asks the provider to compact everything before it (Codex).
  if (last && (isOfAnswer(body, last) || stringOf(body, member(body, last, 'type')) === 'compaction_trigger')) return []
  return appendAfterLastItem(lens, lens.place('input'), items, bareText)
}

/** Adds a message of its own. An empty conversation gets none, because it has no words of the user's. */
export const appendTimeTag = (lens: RequestLens, line: string): Edit[] =>
  lens.messageCount() === 0 || hasMovingMark(lens) ? [] : appendAfterLast(lens, [userItem(line)])
