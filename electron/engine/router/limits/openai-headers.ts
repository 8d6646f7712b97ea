import { durationMs, numberIn, type PlainHeaders, afterMs, atDate, instantIn, windowOf, type Window } from './parts.ts'

const form = /^((?:x-)?ratelimit(?:bysize)?)-remaining(?:-([a-z0-9_-]{1,40}))?$/
/** A vendor sends a handful. */
const most = 12

/**
 * `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` (OpenAI, rate limits guide), with other windows of other
 * vendors (Cerebras `-requests-day`, `-tokens-minute`), without a name (OpenRouter), and under the names of an older
 * draft of the IETF (`ratelimit-remaining`; Mistral's are `ratelimitbysize-remaining`).
 */
export function openaiWindows(headers: PlainHeaders, now: number): readonly Window[] {
  const found: Window[] = []
  for (const name of headers.keys()) {
    const match = form.exec(name)
    if (!match || found.length === most) continue
    const of = (what: string): string | undefined =>
      headers.get(`${match[1]}-${what}${match[2] === undefined ? '' : `-${match[2]}`}`)
    const window = windowOf(
      match[2] ?? (match[1]?.endsWith('bysize') ? 'tokens' : 'requests'),
      numberIn(of('limit')),
      numberIn(of('remaining')),
      resetAt(of('reset'), now),
    )
    if (window) found.push(window)
  }
  return found
}

/** Numbers of this size are seconds since 1970, or milliseconds; smaller ones are seconds from now. */
const asEpochSeconds = 1e9,
  asEpochMs = 1e12

/**
 * Reads a duration, plain seconds (Azure, Cerebras), or an instant: epoch milliseconds (OpenRouter, limits), epoch
 * seconds, a date.
 */
function resetAt(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const number = numberIn(text)
  if (number === null) return afterMs(durationMs(text), now) ?? atDate(text, now)
  if (number >= asEpochMs) return instantIn(number, now)
  return number >= asEpochSeconds ? instantIn(number * 1000, now) : afterMs(number * 1000, now)
}
