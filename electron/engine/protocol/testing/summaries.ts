import fc from 'fast-check'
import type { EntryCodec, ResponseSummary } from '../types.ts'
import { observing } from './observing.ts'

export interface Watched {
  contentType?: string
  status?: number
  brokenOff?: boolean
  chunks?: readonly Uint8Array[]
}

/** Returns an observer's summary of an answer that arrives in these chunks. */
export function watch(codec: EntryCodec, answer: string | Buffer, how: Watched = {}): ResponseSummary {
  const bytes = Buffer.from(answer)
  const guessed = /^\s*[{[]/.test(bytes.toString()) ? 'application/json' : 'text/event-stream; charset=utf-8'
  const observer = observing(codec, how.contentType ?? guessed, how.status ?? 200)
  for (const chunk of how.chunks ?? [bytes]) observer.push(chunk)
  return observer.finish(how.brokenOff ?? false)
}

/** Ways to cut bytes: random places, and single bytes. */
export const cuts = fc.oneof(fc.constant('bytes' as const), fc.array(fc.nat(), { maxLength: 20 }))

export function cut(bytes: Buffer, places: 'bytes' | readonly number[]): Uint8Array[] {
  const ends =
    places === 'bytes' ? bytes.keys() : [...new Set(places.map((p) => p % (bytes.length + 1)))].sort((a, b) => a - b)
  const chunks: Uint8Array[] = []
  let from = 0
  for (const end of [...ends, bytes.length]) {
    chunks.push(new Uint8Array(bytes.subarray(from, end)))
    from = end
  }
  return chunks
}
