import { splice } from './json-bytes/index.ts'
import type { WholeAnswer } from './append/answer-events.ts'
import { appendItems } from './append/append-items.ts'
import { userMessage } from './append/user-message.ts'
import { chatAnswerItems } from './chat/append-exchange.ts'
import { geminiAnswerItems } from './gemini/append-exchange.ts'
import { listOf } from './json-members.ts'
import { messagesAnswerItems } from './messages/append-exchange.ts'
import { ofConversation, responsesAnswerItems } from './responses/append-exchange.ts'
import type { RequestLens } from './types.ts'

export type { WholeAnswer } from './append/answer-events.ts'

/**
 * The request that goes on after its answer: the same bytes with the assistant's message as it was answered and the
 * user's next one behind it. `lens` reads the request, `answer` is the whole answer, JSON or stream.
 * @throws OnwardError `cannot-continue`
 */
export function appendExchange(lens: RequestLens, answer: WholeAnswer, userText: string): Buffer {
  const user = userMessage(JSON.stringify(userText))
  switch (lens.protocol) {
    case 'chat': return appendItems(lens, 'messages', [...chatAnswerItems(answer), user], userMessage)
    case 'messages': return appendItems(lens, 'messages', [...messagesAnswerItems(answer), user], userMessage)
    case 'gemini': return appendItems(lens, 'contents', [...geminiAnswerItems(answer), geminiUserContent(userText)], (text) => text)
    case 'responses': {
      const input = lens.place('input')
      if (input && ofConversation(lens)) return splice(lens.body, [{ ...input, replacement: listOf([user]) }])
      return appendItems(lens, 'input', [...responsesAnswerItems(answer, lens), user], userMessage)
    }
  }
}

const geminiUserContent = (text: string): Buffer => Buffer.from(JSON.stringify({ role: 'user', parts: [{ text }] }))
