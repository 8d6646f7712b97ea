import { numberIn, type PlainHeaders } from './headers.ts'
import { afterMs, instantIn } from './instants.ts'

/** RFC 9110, 10.2.3: seconds or an HTTP date. `retry-after-ms` is Azure's and OpenAI's, which their SDKs read first. */
export function retryAfter(headers: PlainHeaders, now: number): number | null {
  const ms = numberIn(headers.get('retry-after-ms'))
  if (ms !== null) return afterMs(ms, now)
  const said = headers.get('retry-after')
  const seconds = numberIn(said)
  if (seconds !== null) return afterMs(seconds * 1000, now)
  return said !== undefined && /^[a-z]{3,9},? .*\d\d:\d\d:\d\d GMT$/i.test(said)
    ? instantIn(Date.parse(said), now)
    : null
}
