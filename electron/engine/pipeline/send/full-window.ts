import type { EntryProtocol } from '../../../../shared/words.ts'
import type { Frame } from '../../protocol/answer/frame.ts'
import { eventFrame } from '../../protocol/join/event-bytes.ts'
import {
  inClientsWords,
  isInWords,
  overflowIn,
  overflowInValue,
  overflowOf,
  type Overflow,
} from '../../protocol/overflow.ts'
import type { RouteChoice } from '../../router/types.ts'
import type { AnswerOutcome } from '../answer/chain.ts'

/** Reads from a refusal that the context window is full; never from one of a limit. */
export const overflowRefused = (status: number, body: Buffer): Overflow | null =>
  status === 429 ? null : overflowIn(body)

/** Reads from an outcome that the context window is full. */
export function overflowBy(outcome: AnswerOutcome): Overflow | null {
  switch (outcome.kind) {
    case 'answered':
      return null
    case 'refused':
      return overflowRefused(outcome.status, outcome.body)
    case 'unreachable':
      return overflowOf(outcome.error)
  }
}

/** The tokens for which the window is too small, as far as known. */
export function tooSmall({ provider, upstreamModel }: RouteChoice, { input, limit }: Overflow): number | null {
  const known = [provider.models[upstreamModel]?.contextWindow, limit, input].filter(
    (tokens) => typeof tokens === 'number',
  )
  return known.length === 0 ? null : Math.max(...known)
}

/**
 * Rewrites an error event about a full context window in the words of the client's own vendor, and one in a field that
 * no client reads (`error: {…}`) into one that all do.
 */
export function clientsWords(entry: EntryProtocol, frame: Frame): Frame {
  const value = frame.value()
  if (!value) return frame
  const overflow = overflowInValue(value)
  if (overflow && !isInWords(entry, value, null))
    return eventFrame(frame, Buffer.from(JSON.stringify(inClientsWords(entry, value, overflow))))
  if (!/^error:/m.test(frame.raw.toString('latin1'))) return frame
  return eventFrame(frame, Buffer.from(JSON.stringify({ type: 'error', error: value['error'] ?? value })))
}
