import { dateAt, instantOf, offsetsOf } from '../../base/local-time.ts'
import { asList, asObject, asText } from '../../protocol/values.ts'
import { durationMs, afterMs, atDate, type StatedLimit } from './parts.ts'
import { detailsOf, type Refusal } from './refusal.ts'

/**
 * Returns when Google's error allows the next request: `RetryInfo.retryDelay`, or the quota's own reset (Code Assist's
 * ErrorInfo).
 */
export function geminiRetry(refusal: Refusal, now: number): number | null {
  for (const detail of detailsOf(refusal)) {
    const metadata = asObject(detail['metadata'])
    const delay = asText(detail['retryDelay']) ?? asText(metadata?.['quotaResetDelay'])
    const at =
      atDate(asText(metadata?.['quotaResetTimeStamp']), now) ??
      (delay === null ? null : afterMs(durationMs(delay), now))
    if (at !== null) return at
  }
  return null
}

/**
 * A day's quota: a violation whose `quotaId` counts per day. The delay beside it is one of seconds, though the quota
 * comes back at midnight Pacific time (Gemini API, rate limits).
 */
export function geminiLimit(refusal: Refusal, soon: number, now: number): StatedLimit | null {
  const details = detailsOf(refusal)
  const stated = geminiRetry(refusal, now)
  const isOfDay = details.some((detail) =>
    asList(detail['violations'])
      .slice(0, 20)
      .some((violation) => /PerDay/i.test(asText(asObject(violation)?.['quotaId']) ?? '')),
  )
  if (isOfDay) return { window: '1d', lifts: stated !== null && stated - now >= soon ? stated : pacificMidnight(now) }
  return details.some((detail) => detail['reason'] === 'QUOTA_EXHAUSTED') ? { window: null, lifts: stated } : null
}

/** Returns the next midnight in California. */
export function pacificMidnight(now: number): number {
  const offsetAt = offsetsOf('America/Los_Angeles')
  const { day, ...month } = dateAt(now, offsetAt)
  return instantOf({ ...month, day: day + 1 }, { hour: 0, minute: 0, second: 0 }, offsetAt)
}
