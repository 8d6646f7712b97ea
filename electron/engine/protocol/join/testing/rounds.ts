import type { EntryProtocol } from '../../../../../shared/words.ts'
import { joinRounds } from '../../join-rounds.ts'
import { sseFrames } from '../../answer/sse-frames.ts'
import type { JsonObject } from '../../values.ts'

/** What happens to a round after its bytes: another one follows, it broke, or it was the last. */
export type RoundEnd = 'next' | 'broke' | 'last'

/**
 * Joins rounds, their bytes cut at any places. @returns what the client got, and how much of it before the last word
 */
export function joinedRounds(
  protocol: EntryProtocol,
  rounds: readonly string[],
  options: { stream?: boolean; broke?: boolean; at?: readonly number[] } = {},
): { whole: string; early: string } {
  const joiner = joinRounds(protocol, { stream: options.stream ?? true })
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

/** Data of the events of a stream; what is no JSON object as text. */
export function eventsOf(stream: string): (JsonObject | string)[] {
  const events: (JsonObject | string)[] = []
  sseFrames((frame) => {
    if (frame.data) events.push(frame.value() ?? frame.data.toString())
  }).push(Buffer.from(stream))
  return events
}

export const objectsOf = (stream: string): JsonObject[] => eventsOf(stream).filter((event) => typeof event !== 'string')
