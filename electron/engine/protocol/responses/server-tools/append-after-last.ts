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
  // What is answered to must stand last: an answer's own items, as an answer behind them would count as one with them,
  // and what asks the provider to compact all that stands before it (Codex).
  if (last && (isOfAnswer(body, last) || stringOf(body, member(body, last, 'type')) === 'compaction_trigger')) return []
  return appendAfterLastItem(lens, lens.place('input'), items, bareText)
}

/** A message of its own. Nothing behind nothing: then there are no words of the user's. */
export const appendTimeTag = (lens: RequestLens, line: string): Edit[] =>
  lens.messageCount() === 0 || hasMovingMark(lens) ? [] : appendAfterLast(lens, [userItem(line)])
