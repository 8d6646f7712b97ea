import { dateAt, instantOf, offsetsOf } from '../../base/calendar/wall-time.ts'
import { asObject, asList, asText } from '../../protocol/values.ts'
import { anthropicWindows, subscriptionLimit } from './anthropic-headers.ts'
import { codexLimit } from './codex-headers.ts'
import { copilotLimit } from './copilot-headers.ts'
import { isOfDay, limitInText, timeIn } from './limit-texts.ts'
import { openaiWindows } from './openai-headers.ts'
import {
  numberIn,
  plainHeaders,
  type PlainHeaders,
  afterMs,
  instantIn,
  type StatedLimit,
  lastSpent,
  durationMs,
  atDate,
} from './parts.ts'
import { readRefusal, type Refusal, detailsOf } from './refusal.ts'
import { subjectOf, subjectsOf } from './subject.ts'
import type { LimitedAnswer, LimitReport, ReadLimit } from './types.ts'

/** A longer wait than this is a limit, not a matter of asking too fast. */
const SOON_MS = 5 * 60_000

/** Reads the limit from a refusal: what its vendor states in words first, then any time it names. */
export const readLimit: ReadLimit = (answer) => {
  const report = reportOf(answer)
  if (report === null) return null
  const refusal = readRefusal(answer.body)
  // Copilot's premium requests are used up: models that cost none still answer.
  const isPremium = report.kind === 'limit' && report.window?.startsWith('premium_') === true
  // When the money is gone, it is gone for all models.
  const subject = isPremium
    ? (subjectsOf(answer.model)[0] ?? null)
    : answer.status === 402 || isQuotaGone(refusal)
      ? null
      : subjectOf(refusal, plainHeaders(answer.headers), answer.model)
  return subject === null ? report : { ...report, subject }
}

function reportOf({ status, headers, body, now }: LimitedAnswer): LimitReport | null {
  // Any other status is about something else, even where the headers show a window that is spent.
  if (status !== 402 && status !== 403 && status !== 429) return null
  const plain = plainHeaders(headers)
  const refusal = readRefusal(body)
  const limit = statedLimit(refusal, plain, now)
  const { window, until } = statedWait(refusal, plain, now)
  const isSoon = until !== null && until - now < SOON_MS
  // A moment's wait beside a limit is what the vendor's gateway sends with any refusal.
  if (limit) return { kind: 'limit', window: limit.window, lifts: limit.lifts ?? (isSoon ? null : until) }
  if (status === 403) return null
  if (isSoon) return { kind: 'rate', until }
  if (isOfDay(refusal)) return { kind: 'limit', window: '1d', lifts: until }
  // 402: the account's balance is used up (DeepSeek, OpenRouter).
  return until !== null || status === 402 ? { kind: 'limit', window, lifts: until } : { kind: 'rate', until }
}

function statedLimit(refusal: Refusal, headers: PlainHeaders, now: number): StatedLimit | null {
  return (
    subscriptionLimit(headers, now) ??
    codexLimit(refusal, headers, now) ??
    copilotLimit(refusal, headers, now) ??
    geminiLimit(refusal, SOON_MS, now) ??
    (isQuotaGone(refusal) ? { window: null, lifts: null } : null) ??
    limitInText(refusal, now)
  )
}

function statedWait(
  refusal: Refusal,
  headers: PlainHeaders,
  now: number,
): { window: string | null; until: number | null } {
  const spent = lastSpent([
    ...anthropicWindows(headers, now),
    ...openaiWindows(headers, now),
    ...openaiWindows(withinBody(refusal), now),
  ])
  const until = retryAfter(headers, now) ?? geminiRetry(refusal, now) ?? spent?.resetsAt ?? timeIn(refusal.message, now)
  return { window: spent?.window ?? null, until }
}

/** OpenRouter repeats its headers in the error. */
const withinBody = ({ error }: Refusal): PlainHeaders =>
  plainHeaders(asObject(asObject(error['metadata'])?.['headers']) ?? {})
/** Names of errors for spent money or quota, which no waiting brings back. */
const gone = new Set([
  // OpenAI, error codes; `insufficient_quota` is the type of most and the code of old ones
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  // ChatGPT plans without Codex (codex-rs)
  'usage_not_included',
  // Anthropic, errors
  'billing_error',
  'enforced_spend_limit_reached',
  // Moonshot, errors
  'exceeded_current_quota_error',
  // Z.ai, error codes: balance
  '1113',
])

/** DashScope and SenseNova say `insufficient_quota` of a minute's tokens, too. */
const ofAMinute = /(?<!\bfree )\ballocated quota exceeded\b/i

export const isQuotaGone = ({ names, message }: Refusal): boolean =>
  names.some((name) => gone.has(name)) && !ofAMinute.test(message)

/**
 * Reads seconds or an HTTP date (RFC 9110, 10.2.3). `retry-after-ms` is Azure's and OpenAI's, which their SDKs read
 * first.
 */
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

/**
 * Returns when Google's error allows the next request: `RetryInfo.retryDelay`, or the quota's own reset (Code Assist's
 * ErrorInfo).
 */
function geminiRetry(refusal: Refusal, now: number): number | null {
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
function geminiLimit(refusal: Refusal, soon: number, now: number): StatedLimit | null {
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
