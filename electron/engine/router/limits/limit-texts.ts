import { dateAt, instantOf, offsetsOf } from '../../base/calendar/wall-time.ts'
import { durationMs, afterMs, atDate, atSeconds, instantIn, type StatedLimit } from './parts.ts'
import type { Refusal } from './refusal.ts'

/** Z.ai's codes for a plan's limits (error codes: the texts name when they lift) and for a day's calls. */
const zaiLimits = new Set(['1304', '1308', '1310', '1316', '1317', '1318', '1319', '1320', '1321'])

/** Phrases of vendors for a plan's limits, never for a minute's: Anthropic, MiniMax, Z.ai, Ollama, Code Assist. */
const words =
  /\b(?:usage|session|weekly|monthly|daily) limit\b|\blimit exhausted\b|\bhit your limit\b|\bquota will reset\b/i

/** Reads a limit that only the message names. */
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
 * wait may come with it.
 */
export const isOfDay = ({ message }: Refusal): boolean => /\bper[ -](?:day|86400s)\b|ByDay\b/i.test(message)

/** China has no summer time. */
const chinaMs = 8 * 3_600_000

/** Reads when a limit lifts, or when to ask again, from a message. */
export function timeIn(message: string, now: number): number | null {
  // Claude's subscription, in older answers and as Claude Code reads it: `usage limit reached|1762952400`
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
  const clock = clockTimeIn(message, now)
  if (clock !== null) return clock
  // OpenAI and Groq: `Please try again in 7m12s.` Gemini Code Assist: `Your quota will reset after 5h12m3s.`
  // GitHub Models: `Please wait 5631 seconds before retrying.`
  const span =
    /\b(?:(?:try again|retry|resets?) (?:in|after)|please wait) ((?:\d{1,6}(?:\.\d{1,9})? ?[a-z]{1,12},? ?(?:and )?){1,5})/i.exec(
      message,
    )?.[1]
  return span === undefined ? null : afterMs(durationMs(span), now)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const clockTime =
  /\bresets?(?: at| on)? (?:([a-z]{3})[a-z]{0,6} (\d{1,2})(?:,| at|, at) )?(1[0-2]|[1-9])(?::([0-5]\d))? ?([ap])m \(([\w+/-]{1,64})\)/i

/**
 * Reads `resets 8pm (Asia/Tokyo)`, `resets Nov 28, 3pm (Europe/Berlin)` (Claude Code, usage limits): the next such
 * time.
 */
function clockTimeIn(message: string, now: number): number | null {
  const [, name, date, hour, minute = '0', half = '', zone] = clockTime.exec(message) ?? []
  const offsetAt = zone === undefined ? null : knownOffsets(zone)
  if (!offsetAt) return null
  const time = { hour: (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute: Number(minute), second: 0 }
  const today = dateAt(now, offsetAt)
  const month = name === undefined ? 0 : months.indexOf(name.toLowerCase()) + 1
  const candidates =
    name === undefined
      ? [today, { ...today, day: today.day + 1 }]
      : month === 0
        ? []
        : [today.year, today.year + 1].map((year) => ({ year, month, day: Number(date) }))
  return candidates.map((day) => instantIn(instantOf(day, time, offsetAt), now)).find((at) => at !== null) ?? null
}

function knownOffsets(zone: string): ReturnType<typeof offsetsOf> | null {
  try {
    return offsetsOf(zone)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
