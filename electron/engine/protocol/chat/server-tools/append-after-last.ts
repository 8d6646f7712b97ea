import { appendAfterLastItem } from '../../append/append-items.ts'
import { hasMovingMark } from '../../append/moving-mark.ts'
import { userMessage } from '../../append/user-message.ts'
import type { Edit } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { wantsAnswerBehindTools } from '../convert/models.ts'

export function appendAfterLast(lens: RequestLens, items: readonly Buffer[]): Edit[] {
  if (lens.lastMessage()?.role === 'tool' && wantsAnswerBehindTools(lens.model ?? '')) return []
  return appendAfterLastItem(lens, lens.place('messages'), items)
}

/** Adds the time tag as a message of its own. A request without messages stays as it is, for the provider to refuse. */
export const appendTimeTag = (lens: RequestLens, line: string): Edit[] =>
  lens.messageCount() === 0 || hasMovingMark(lens) ? [] : appendAfterLast(lens, [userMessage(line)])
