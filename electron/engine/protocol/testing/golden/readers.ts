import type { WireProtocol } from '../../canonical/request.ts'
import type { ClientAnswer } from './client-answer.ts'
import { readChatBody, readChatStream } from './read-chat.ts'
import { readGeminiBody, readGeminiStream } from './read-gemini.ts'
import { readMessagesBody, readMessagesStream } from './read-messages.ts'
import { readResponsesBody, readResponsesStream } from './read-responses.ts'

/** Each protocol's readers, which know nothing of the codecs. */
export const readers: Readonly<
  Record<WireProtocol, { stream(text: string): ClientAnswer; body(body: unknown): ClientAnswer }>
> = {
  chat: { stream: readChatStream, body: readChatBody },
  responses: { stream: readResponsesStream, body: readResponsesBody },
  messages: { stream: readMessagesStream, body: readMessagesBody },
  gemini: { stream: readGeminiStream, body: readGeminiBody },
}
