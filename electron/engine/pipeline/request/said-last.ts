import type { ClientKind } from '../../../../shared/words.ts'
import type { RequestLens } from '../../protocol/types.ts'
import { profileOf } from '../../sessions/clients/index.ts'

/**
 * Returns the request as if it ended with a person's words: some clients put reminders of their own after a person's
 * message, with the user's role (Kimi Code 2.1: the date, plan mode). They stay in the body as they are.
 */
export function saidLast(lens: RequestLens, client: ClientKind | null): RequestLens {
  const start = client && profileOf(client).behind
  if (!start) return lens
  let last: ReturnType<RequestLens['lastMessage']> = null
  const lastMessage = () => (last ??= lens.lastMessage((text) => text.startsWith(start)))
  return { ...lens, lastMessage, asked: () => lens.items().slice(lastMessage()?.index) }
}
