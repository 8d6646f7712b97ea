import type { EntryProtocol } from '../../../shared/words.ts'
import { chatRounds, joinChat, sayChat } from './chat/join.ts'
import { geminiRounds, joinGemini, sayGemini } from './gemini/join.ts'
import { jsonJoiner } from './join/json-joiner.ts'
import { streamJoiner } from './join/stream-joiner.ts'
import type { RoundJoiner, StreamRounds } from './join/types.ts'
import { joinMessages, messagesRounds, sayMessages } from './messages/join.ts'
import { joinResponses, responsesRounds, sayResponses } from './responses/join.ts'

export type { RoundJoiner } from './join/types.ts'

interface Join {
  stream(): StreamRounds
  json(bodies: readonly Buffer[]): Buffer
  /** the whole answer with a text of Onward's own after its words */
  say(body: Buffer, text: string): Buffer
}

const joins: Record<EntryProtocol, Join> = {
  chat: { stream: chatRounds, json: joinChat, say: sayChat },
  responses: { stream: responsesRounds, json: joinResponses, say: sayResponses },
  messages: { stream: messagesRounds, json: joinMessages, say: sayMessages },
  gemini: { stream: geminiRounds, json: joinGemini, say: sayGemini },
}

/**
 * One answer for a client out of several rounds: it counts the last round's input and the output of all. A single
 * round comes out byte for byte.
 * @example const joiner = joinRounds('messages', { stream: true })
 */
export function joinRounds(protocol: EntryProtocol, { stream }: { stream: boolean }): RoundJoiner {
  const join = joins[protocol]
  return stream ? streamJoiner(join.stream()) : jsonJoiner(join.json, join.say)
}

/** Whole JSON answers of the rounds of one HTTP call, as one. */
export function joinJson(protocol: EntryProtocol, bodies: readonly Buffer[]): Buffer {
  const [only] = bodies
  return bodies.length === 1 && only ? only : joins[protocol].json(bodies)
}
