import type { EntryProtocol } from '../../../../shared/words.ts'
import { type Frame, frameBytes } from '../answer/frame.ts'
import { chatRounds, joinChat, sayChat } from '../chat/join.ts'
import { geminiRounds, joinGemini, sayGemini } from '../gemini/join.ts'
import { isBlank, isKeepAlive, type RoundJoiner, type StreamRounds } from './types.ts'
import { joinMessages, messagesRounds, sayMessages } from '../messages/join.ts'
import { joinResponses, responsesRounds, sayResponses } from '../responses/join.ts'

export type { RoundJoiner } from './types.ts'

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

/**
 * Joins streams. The first round passes untouched except for its terminal part, which is held back; if no round
 * follows, it is sent byte for byte. Of a later round only text is shown before the round is whole: if the round
 * breaks, the client's next request must be able to carry what was shown, and half a tool call or unsigned thinking
 * can't be carried.
 */
function streamJoiner(rounds: StreamRounds): RoundJoiner {
  const out = frameBytes()
  let first = true
  let waiting: Frame[] = []
  let untilEnd = false
  let ending: Frame[] = []
  /** terminal events of the last whole round */
  let lastEnding: readonly Frame[] = []
  /** the bytes after the round's last frame */
  let rest: Buffer = nothing
  /** its last event has no blank line after it */
  let unended = false
  let dropped = false
  let failed = false
  /** the current round is sent as it comes */
  let mustCome = false
  /** its last round has been completed already */
  let closed = false

  function later(event: Frame): void {
    const value = event.value()
    const place = value ? rounds.place(value, event) : isKeepAlive(event) ? 'now' : 'drop'
    if (place === 'drop') return
    if (place === 'now') return out.add(event)
    if (mustCome) return out.addBytes(written(event))
    if (place === 'text' && !untilEnd) release()
    if (place === 'tool') untilEnd = true
    if (waiting.length > 0 || place === 'tool' || place === 'before-text') waiting.push(event)
    else out.addBytes(written(event))
  }

  function written(event: Frame): Buffer {
    const value = event.value()
    return value ? rounds.write(value, event) : event.raw
  }

  function release(): void {
    for (const event of waiting) out.addBytes(written(event))
    waiting = []
  }

  /** Ends the current round once all of it has come. */
  function complete(isLast: boolean): void {
    release()
    if (unended && ending.length === 0) out.addBytes(blankLine)
    unended = false
    rest = nothing
    untilEnd = false
    lastEnding = ending.filter((event) => !isBlank(event))
    ending = []
    out.addBytes(rounds.whole(lastEnding, isLast))
  }

  return {
    frame(event) {
      if (dropped) return
      if (ending.length > 0 || rounds.endsRound(event)) ending.push(event)
      else if (first) {
        rounds.note(event)
        out.add(event)
      } else later(event)
      unended = !isEnded(event)
    },
    end(bytes) {
      rest = bytes
    },
    take: () => out.take(),
    endRound(next = 'may-break') {
      complete(false)
      first = false
      mustCome = next === 'must-come'
    },
    dropRound() {
      if (first) return
      dropped = true
      waiting = []
      ending = []
      out.addBytes(rounds.close?.() ?? nothing)
    },
    failRound(error) {
      failed = true
      out.addBytes(rounds.fail?.(error) ?? error)
    },
    say(text) {
      if (!dropped) complete(false)
      first = false
      closed = true
      out.addBytes(rounds.say(text))
    },
    keepAlive() {
      const beat = rounds.keepAlive?.() ?? nothing
      const early = rounds.words && ending.length > 0 ? rounds.words(ending) : null
      if (early) {
        ending = early.ending
        out.addBytes(early.shown)
      }
      // After what is left to show of the round before, whose events are numbered already.
      out.addBytes(beat)
    },
    finish() {
      if (failed) return
      if (first) {
        for (const event of ending) out.add(event)
        out.addBytes(rest)
        return
      }
      if (!dropped && !closed) complete(true)
      out.addBytes(rounds.ending(lastEnding))
    },
  }
}

/** Only the last event of a body may lack its blank line. */
const isEnded = ({ source, to }: Frame): boolean => {
  const last = source[to - 1]
  const before = source[to - 2]
  return (last === LF || last === CR) && (before === LF || before === CR)
}

const LF = 10,
  CR = 13
const blankLine = Buffer.from('\n\n')
