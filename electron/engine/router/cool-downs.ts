import type { Clock } from '../base/clock.ts'

/** A key that was refused or limited rests: a minute, or as long as the provider says. */
const REFUSED_MS = 300_000
const LIMITED_MS = 60_000
const LONGEST_MS = 3_600_000

export interface CoolDowns {
  /** milliseconds left; 0: may be used */
  left(providerId: string, keyAlias: string | null): number
  note(providerId: string, keyAlias: string | null, outcome: { ok: boolean; status: number | null; headers: Record<string, string | string[]> | null }): void
}

export function createCoolDowns(clock: Clock): CoolDowns {
  const until = new Map<string, number>()
  const name = (providerId: string, keyAlias: string | null) => JSON.stringify([providerId, keyAlias])
  return {
    left: (providerId, keyAlias) => Math.max(0, (until.get(name(providerId, keyAlias)) ?? 0) - clock.monotonic()),
    note(providerId, keyAlias, { ok, status, headers }) {
      const key = name(providerId, keyAlias)
      if (ok) { until.delete(key); return }
      if (status === 401 || status === 403) until.set(key, clock.monotonic() + REFUSED_MS)
      else if (status === 429) until.set(key, clock.monotonic() + Math.min(LONGEST_MS, retryAfterMs(headers, clock.now()) ?? LIMITED_MS))
    },
  }
}

/** `retry-after` in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(headers: Record<string, string | string[]> | null, now: number): number | null {
  const value = headers?.['retry-after']
  const text = Array.isArray(value) ? value[0] : value
  if (!text) return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
