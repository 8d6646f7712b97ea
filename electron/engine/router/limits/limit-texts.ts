import { durationMs } from './durations.ts'
import { afterMs, atDate, atSeconds, instantIn } from './instants.ts'
import type { Refusal } from './refusal.ts'
import type { StatedLimit } from './stated-limit.ts'

/** Z.ai's codes for a plan's limits (error codes: the texts name when they lift) and for a day's calls. */
const zaiLimits = new Set(['1304', '1308', '1310', '1316', '1317', '1318', '1319', '1320', '1321'])

/** Words that vendors have for a plan's limits, never for a minute's: Anthropic, MiniMax, Z.ai, Ollama. */
const words = /\b(?:usage|session|weekly|monthly|daily) limit\b|\blimit exhausted\b/i

/** A limit that only the message tells of. */
export function limitInText({ names, message }: Refusal, now: number): StatedLimit | null {
  if (!names.some((name) => zaiLimits.has(name)) && !words.test(message)) return null
  return { window: windowIn(message), lifts: timeIn(message, now) }
}

function windowIn(message: string): string | null {
  const hours = /\b(\d{1,3})[ -]?hour\b/i.exec(message)?.[1] ?? /(\d{1,3}) ?小时/.exec(message)?.[1]
  if (hours !== undefined) return `${Number(hours)}h`
  if (/\bweekly limit\b/i.test(message)) return '7d'
  return /\bdaily limit\b/i.test(message) ? '1d' : null
}

/**
 * A day's quota: OpenAI and Groq `requests per day (RPD)`, OpenRouter `free-models-per-day`. Theirs roll on, so a short
 * wait may be told with it.
 */
export const isOfDay = ({ message }: Refusal): boolean => /\bper[ -]day\b/i.test(message)

/** China has no summer time. */
const chinaMs = 8 * 3_600_000

/** When a message says that it lifts, or that one may ask again. */
export function timeIn(message: string, now: number): number | null {
  // Claude's subscription, as older answers and Claude Code have it: `usage limit reached|1762952400`
  const epoch = /limit reached\|(\d{10})\b/i.exec(message)?.[1]
  if (epoch !== undefined) return atSeconds(Number(epoch), now)
  const [, date, time, zone] =
    /(?:resets? (?:at|on)|将在) ?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?/i.exec(message) ?? []
  if (date !== undefined && time !== undefined) {
    // MiniMax names its zone; Z.ai's times are Beijing's.
    return zone === undefined
      ? instantIn(Date.parse(`${date}T${time}Z`) - chinaMs, now)
      : atDate(`${date}T${time}${zone}`, now)
  }
  // OpenAI and Groq: `Please try again in 7m12s.`
  const span = /\b(?:try again|retry) (?:in|after) ((?:\d{1,6}(?:\.\d{1,9})? ?[a-z]{1,12},? ?(?:and )?){1,5})/i.exec(
    message,
  )?.[1]
  return span === undefined ? null : afterMs(durationMs(span), now)
}
