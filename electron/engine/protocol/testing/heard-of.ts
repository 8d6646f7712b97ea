import type { EntryProtocol } from '../../../../shared/words.ts'
import type { AnswerEvent } from '../canonical/answer.ts'
import { folded, type Folded } from '../chat/convert/testing/exchange.ts'
import { conversionOf } from '../conversions.ts'
import { sseFrames } from '../answer/sse-frames.ts'
import { parseObject, type JsonObject } from '../values.ts'
import { validateChatBody, validateChatStream } from './validate-chat.ts'
import { validateGeminiBody, validateGeminiStream } from './validate-gemini.ts'
import { validateMessagesBody, validateMessagesStream } from './validate-messages.ts'
import { validateResponsesBody, validateResponsesStream } from './validate-responses.ts'

/** The comment that keeps a Chat client waiting; the validator takes no comment for an event. */
export const chatComment = ': keep-alive\n\n'

/** Problems of the mock alone: it begins sealed thinking with nothing, and counts only in its last chunk. */
const told =
  /usage must stand in every chunk or in none$|output_item\.added\.item\.encrypted_content must be a text that is not empty/

/** The delta that keeps a Responses client waiting; its SDKs accept it even after the end of its item. */
export const emptyDelta = /event: response\.output_text\.delta\ndata: \{[^\n]*"delta":""[^\n]*\n\n/g

/** The sign of life for a waiting client, in a form its protocol's clients accept; null: nothing. */
export const beats: Readonly<Record<EntryProtocol, RegExp | null>> = {
  chat: new RegExp(chatComment),
  messages: /event: ping\ndata: \{"type":"ping"\}\n\n/,
  responses: emptyDelta,
  gemini: null,
}

/** Returns the problems of an answer as its client gets it. */
export function problemsOf(entry: EntryProtocol, text: string, stream = true): string[] {
  const body = (): JsonObject => parseObject(Buffer.from(text)) ?? {}
  switch (entry) {
    case 'chat':
      return (stream ? validateChatStream(text.replaceAll(chatComment, '')) : validateChatBody(body())).filter(
        (problem) => !told.test(problem),
      )
    case 'messages':
      return stream ? validateMessagesStream(text) : validateMessagesBody(body())
    case 'responses':
      return (stream ? validateResponsesStream(text.replaceAll(emptyDelta, '')) : validateResponsesBody(body())).filter(
        (problem) => !told.test(problem),
      )
    case 'gemini':
      return stream ? validateGeminiStream(text) : validateGeminiBody(body())
  }
}

/** Returns an answer as the client understands it, in any protocol; a stream may have only begun. */
export function heardOf(entry: EntryProtocol, text: string, stream = true): Folded {
  const events: AnswerEvent[] = []
  let ids = 0
  const context = {
    emit: (event: AnswerEvent) => {
      events.push(event)
    },
    dropped: () => undefined,
    unshown: () => undefined,
    newId: (prefix: string) => `${prefix}new${ids++}`,
  }
  if (stream) {
    const reader = conversionOf[entry].readStream(context)
    sseFrames((frame) => frame.says && reader.event(frame)).push(Buffer.from(text))
    reader.end()
  } else conversionOf[entry].readBody(parseObject(Buffer.from(text)) ?? {}, context)
  return folded(events)
}
