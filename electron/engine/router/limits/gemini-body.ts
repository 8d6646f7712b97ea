import { asList, asObject, asText } from '../../protocol/values.ts'
import { durationMs } from './durations.ts'
import { afterMs, atDate } from './instants.ts'
import { pacificMidnight } from './pacific-midnight.ts'
import { detailsOf, type Refusal } from './refusal.ts'
import type { ToldLimit } from './told-limit.ts'

/** What Google tells of a wait: `RetryInfo.retryDelay`, or the quota's own reset (Code Assist's ErrorInfo). */
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
 * A day's quota: a violation whose `quotaId` counts per day. The delay told with it is one of seconds, though the
 * quota comes back at midnight Pacific time (Gemini API, rate limits).
 */
export function geminiLimit(refusal: Refusal, soon: number, now: number): ToldLimit | null {
  const details = detailsOf(refusal)
  const told = geminiRetry(refusal, now)
  const isOfDay = details.some((detail) =>
    asList(detail['violations'])
      .slice(0, 20)
      .some((violation) => /PerDay/i.test(asText(asObject(violation)?.['quotaId']) ?? '')),
  )
  if (isOfDay) return { window: '1d', lifts: told !== null && told - now >= soon ? told : pacificMidnight(now) }
  return details.some((detail) => detail['reason'] === 'QUOTA_EXHAUSTED') ? { window: null, lifts: told } : null
}
