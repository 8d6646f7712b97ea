import type { Quota } from '../../../../shared/routing.ts'

/** Headers by lower-case name, one value each. Values longer than any of these can sensibly be are left out. */
export type PlainHeaders = ReadonlyMap<string, string>

const longest = 200

export function plainHeaders(headers: Readonly<Record<string, unknown>>): PlainHeaders {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const one: unknown = Array.isArray(value) ? value[0] : value
    const text = typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : ''
    if (text !== '' && text.length <= longest) found.set(name.toLowerCase(), text)
  }
  return found
}

/** Reads a plain decimal number; null for anything else that JavaScript would take for one. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,18}(?:\.\d{1,18})?$/.test(text) ? Number(text) : null
}

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

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads `20ms`, `1s`, `6m0s`, `1h2m3.5s` (OpenAI, rate limits guide; Groq), Google's `34.07s`, and in words `3 days 2
 * hours 10 minutes`. Returns null for anything else.
 */
export function durationMs(text: string): number | null {
  let sum = 0
  let rest = text.slice(0, 80).trim()
  if (rest === '') return null
  while (rest !== '') {
    const [all = '', number = '', unit = ''] =
      /^(\d{1,12}(?:\.\d{1,12})?) ?(ms|milliseconds?|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])(?:,? and |[, ]*)/i.exec(
        rest,
      ) ?? []
    const ms = unitMs[/^m(?:s$|illi)/i.test(unit) ? 'ms' : unit.slice(0, 1).toLowerCase()]
    if (all === '' || ms === undefined) return null
    sum += Number(number) * ms
    rest = rest.slice(all.length)
  }
  return sum
}

/** A window of a quota as a vendor's headers describe it. */
export interface Window extends Quota {
  /** nothing is left in it */
  spent: boolean
}

/**
 * Makes a window from the limit and the remainder. Returns null where neither has figures that make sense (Azure sends
 * -1 and 0).
 */
export function windowOf(
  window: string,
  limit: number | null,
  remaining: number | null,
  resetsAt: number | null,
): Window | null {
  if (remaining === null || remaining < 0 || (limit !== null && limit < 0)) return null
  const known = limit !== null && limit > 0 && remaining <= limit
  if (!known && remaining > 0) return null
  return { window, usedPercent: known ? percent(1 - remaining / limit) : null, resetsAt, spent: remaining === 0 }
}

/** Returns a share in percent, to a tenth; a window can be used beyond its limit, which shows as full. */
export const percent = (share: number): number => Math.min(100, Math.max(0, Math.round(share * 1000) / 10))

/** The spent window that comes back last decides: before that, nothing is answered. */
export function lastSpent(windows: readonly Window[]): Window | null {
  return windows.filter(({ spent }) => spent).toSorted((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0))[0] ?? null
}

/** A limit that lifts at a time of day, or when a person acts; `lifts` null: no time given. */
export interface StatedLimit {
  window: string | null
  lifts: number | null
}
