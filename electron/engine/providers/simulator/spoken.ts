import type { Facts } from './facts.ts'

/** A reply in a protocol's words. */
export interface Spoken {
  json: unknown
  /** whole SSE events in order */
  events: readonly string[]
  /** of a stream; absent: events */
  contentType?: string
  /** how many events at the end show that the answer is complete */
  closing: number
  /** the event that reports an error in the middle, as the n-th of the stream */
  errorEvent(position: number): string
}

export interface SpeakInput {
  facts: Facts
  fingerprint: string
  /** seconds since the epoch */
  created: number
}

export const outputTokens = (text: string): number => Math.ceil(text.length / 4)

/** Returns the same stream as a JSON list that grows, as Gemini's API gives it without `alt=sse`. */
export function asList(spoken: Spoken): Spoken {
  const data = (event: string): string => event.replace(/^data: /, '').trimEnd()
  const last = spoken.events.length - 1
  return {
    ...spoken,
    contentType: 'application/json; charset=UTF-8',
    events: spoken.events.map((event, i) => `${i === 0 ? '[' : ',\r\n'}${data(event)}${i === last ? ']' : ''}`),
    errorEvent: (position) => `,\r\n${data(spoken.errorEvent(position))}]`,
  }
}
