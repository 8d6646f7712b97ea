import type { EntryProtocol } from '../../../shared/words.ts'
import { chatRounds, joinChat, sayChat } from './chat/join.ts'
import { geminiRounds, joinGemini, sayGemini } from './gemini/join.ts'
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
  return stream ? streamJoiner(joins[protocol].stream()) : jsonJoiner(protocol)
}

/** Whole JSON answers of the rounds of one HTTP call, as one; a single one stays as it came. */
export function joinJson(protocol: EntryProtocol, bodies: readonly Buffer[]): Buffer {
  const [only] = bodies
  return bodies.length === 1 && only ? only : joins[protocol].json(bodies)
}

/** Joins whole JSON answers: nothing is sent before the last has come. */
function jsonJoiner(protocol: EntryProtocol): RoundJoiner {
  const bodies: Buffer[] = []
  let current: Buffer | null = null
  let dropped = false
  let said: string | null = null
  let whole: Buffer = nothing

  function complete(): void {
    bodies.push(current ?? nothing)
    current = null
  }

  return {
    frame(body) {
      if (!dropped) current = body.raw
    },
    end: () => undefined,
    take() {
      const taken = whole
      whole = nothing
      return taken
    },
    endRound: complete,
    dropRound() {
      if (bodies.length === 0) return
      dropped = true
      current = null
    },
    // Nothing has been sent yet, so the client gets the error alone.
    failRound(error) {
      whole = error
    },
    say(text) {
      said = text
    },
    keepAlive: () => undefined,
    finish() {
      if (!dropped) complete()
      const all = joinJson(protocol, bodies)
      whole = said === null ? all : joins[protocol].say(all, said)
    },
  }
}

const nothing = Buffer.alloc(0)
