import type { Facts } from './facts.ts'

/** A reply in a protocol's words. */
export interface Spoken {
  json: unknown
  /** whole SSE events in order */
  events: readonly string[]
  /** how many events at the end tell that the answer is complete */
  closing: number
  /** the event that tells of an error in the middle, as the n-th of the stream */
  errorEvent(position: number): string
}

export interface SpeakInput {
  facts: Facts
  fingerprint: string
  /** seconds since the epoch */
  created: number
}

export const outputTokens = (text: string): number => Math.ceil(text.length / 4)
