import { checkChat } from '../../../../e2e/support/mock-upstream/check-chat.ts'
import { checkGemini } from '../../../../e2e/support/mock-upstream/check-gemini.ts'
import { checkMessages } from '../../../../e2e/support/mock-upstream/check-messages.ts'
import { checkResponses } from '../../../../e2e/support/mock-upstream/check-responses.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'

/** Checks that return what a real provider would refuse in a request. */
export const refusedOf: Readonly<Record<EntryProtocol, (request: unknown) => readonly string[]>> = {
  chat: checkChat,
  messages: checkMessages,
  responses: checkResponses,
  gemini: checkGemini,
}
