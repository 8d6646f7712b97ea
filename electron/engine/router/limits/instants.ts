/** Reads instants from vendors. A past one, or one further away than any quota's month, counts as absent. */
const DAY = 24 * 60 * 60_000
const furthest = 31 * DAY

export const instantIn = (ms: number, now: number): number | null => {
  const at = Math.ceil(ms)
  return Number.isFinite(at) && at > now && at - now <= furthest ? at : null
}

export const afterMs = (ms: number | null, now: number): number | null =>
  ms === null ? null : instantIn(now + ms, now)
export const atSeconds = (seconds: number | null, now: number): number | null =>
  seconds === null ? null : instantIn(seconds * 1000, now)

/** Reads RFC 3339, as Anthropic's headers and Google's errors have it. */
export function atDate(text: string | null | undefined, now: number): number | null {
  return text && text.length <= 40 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text)
    ? instantIn(Date.parse(text), now)
    : null
}

/** Returns the later of two; one that is null does not count. */
export const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)
