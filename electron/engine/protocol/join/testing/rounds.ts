import type { EntryProtocol } from '../../../../../shared/words.ts'
import { asBuffer, Frame, type Framer, frameBytes } from '../../answer/frame.ts'
import { joinRounds } from '../join-rounds.ts'
import type { RoundFilter } from '../../server-tools/types.ts'
import { sseFrames } from '../../answer/sse-frames.ts'
import type { JsonObject } from '../../values.ts'

export interface JoinedBytes {
  push(chunk: Uint8Array): Buffer
  endRound(next?: 'may-break' | 'must-come'): void
  dropRound(): void
  failRound(error: Buffer): Buffer
  say(text: string): Buffer
  keepAlive(): Buffer
  finish(): Buffer
}

/** Joins rounds whose bytes come in pieces. Each call returns what may go to the client then. */
export function joining(protocol: EntryProtocol, { stream }: { stream: boolean }): JoinedBytes {
  const joiner = joinRounds(protocol, { stream })
  const newFramer = (): Framer => sseFrames((frame) => joiner.frame(frame))
  let framer = newFramer()
  let body: Buffer[] = []
  /** what the round before still has to send comes out with the next bytes */
  let later: Buffer = Buffer.alloc(0)
  const take = (): Buffer => {
    const bytes = Buffer.concat([later, joiner.take()])
    later = Buffer.alloc(0)
    return bytes
  }

  function end(): void {
    if (stream) {
      const last = framer.last()
      if (last) joiner.frame(last)
      joiner.end(framer.rest())
      framer = newFramer()
    } else if (body.length > 0) {
      const whole = Buffer.concat(body)
      joiner.frame(new Frame(whole, 0, whole.length, 0, whole.length))
      joiner.end(Buffer.alloc(0))
      body = []
    }
  }

  return {
    push(chunk) {
      if (stream) framer.push(chunk)
      else body.push(asBuffer(chunk))
      return take()
    },
    endRound(next) {
      end()
      joiner.endRound(next)
    },
    dropRound: () => joiner.dropRound(),
    failRound(error) {
      joiner.failRound(error)
      return take()
    },
    say(text) {
      end()
      joiner.say(text)
      return take()
    },
    keepAlive() {
      const owed = joiner.take()
      joiner.keepAlive()
      const beat = joiner.take()
      if (beat.length > 0) return Buffer.concat([owed, beat])
      later = owed
      return beat
    },
    finish() {
      end()
      joiner.finish()
      return take()
    },
  }
}

/** Takes hidden calls out of chunks of whole events. Returns the very same buffer if nothing changes. */
export function filtering(filter: RoundFilter): { push(chunk: Buffer): Buffer; readonly began: boolean } {
  const out = frameBytes()
  const take = (frame: Frame): void => {
    const left = filter.frame(frame)
    if (left) out.add(left)
  }
  return {
    push(chunk) {
      const framer = sseFrames(take)
      framer.push(chunk)
      const last = framer.last()
      if (last) take(last)
      out.addBytes(framer.rest())
      return out.take()
    },
    get began() {
      return filter.began
    },
  }
}

/** The outcome of a round: another one follows, it broke, or it was the last. */
export type RoundEnd = 'next' | 'broke' | 'last'

/**
 * Joins rounds, their bytes cut at any places.
 * @returns what the client got, and how much of it before the terminal events
 */
export function joinedRounds(
  protocol: EntryProtocol,
  rounds: readonly string[],
  options: { stream?: boolean; broke?: boolean; at?: readonly number[] } = {},
): { whole: string; early: string } {
  const joiner = joining(protocol, { stream: options.stream ?? true })
  const out: Buffer[] = []
  for (const [i, round] of rounds.entries()) {
    const bytes = Buffer.from(round)
    const marks = [0, ...(options.at ?? []).map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
    for (let m = 1; m < marks.length; m++) out.push(Buffer.from(joiner.push(bytes.subarray(marks[m - 1], marks[m]))))
    if (i < rounds.length - 1) joiner.endRound()
    else if (options.broke) joiner.dropRound()
  }
  const early = Buffer.concat(out).toString()
  return { whole: early + joiner.finish().toString(), early }
}

/** Data of the events of a stream; data that is no JSON object stays text. */
export function eventsOf(stream: string): (JsonObject | string)[] {
  const events: (JsonObject | string)[] = []
  sseFrames((frame) => {
    if (frame.data) events.push(frame.value() ?? frame.data.toString())
  }).push(Buffer.from(stream))
  return events
}

export const objectsOf = (stream: string): JsonObject[] => eventsOf(stream).filter((event) => typeof event !== 'string')
