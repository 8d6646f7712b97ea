export interface NowFacts {
  nowMs: number
  /** ISO 8601 in UTC */
  utc: string
  /** the same instant in the machine's zone, with its offset */
  local: string
  timezone: string
}

/** Zones are few, and making a format costs ten times its use, which matters because every request needs the time. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 16

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(timezone, format)
  return format
}

/**
 * How far a zone's wall clock was ahead of UTC in the last minute that was asked for. Offsets change at whole minutes,
 * so one look at the zone is enough for each; before this year some zones were off by seconds.
 */
interface Ahead {
  minute: number
  ms: number
  written: string
  /** the last second that was asked for, as its wall clock said it, and in UTC up to the decimal point */
  second: number
  local: string
  utc: string
}
const lastAhead = new Map<string, Ahead>()
const sinceMs = Date.UTC(2000, 0)
const minuteMs = 60_000
/** Further away the year has more than four digits, or the sign in front. */
const untilMs = Date.UTC(9999, 0)

/** One instant as the model reads it. @param timezone IANA name */
export function nowFacts(nowMs: number, timezone: string): NowFacts {
  const isUsual = nowMs >= sinceMs && nowMs < untilMs
  const minute = Math.floor(nowMs / minuteMs)
  const known = isUsual ? lastAhead.get(timezone) : undefined
  const second = Math.floor(nowMs / 1_000)
  if (known?.minute === minute) {
    if (known.second !== second) {
      known.second = second
      known.local = new Date(nowMs + known.ms).toISOString().slice(0, 19) + known.written
      known.utc = new Date(nowMs).toISOString().slice(0, 20)
    }
    const thousandths = String(Math.trunc(nowMs) - second * 1_000).padStart(3, '0')
    return { nowMs, utc: `${known.utc}${thousandths}Z`, local: known.local, timezone }
  }
  const facts = lookedUp(nowMs, timezone)
  const written = facts.local.slice(19)
  const ms = Date.parse(`${facts.local.slice(0, 19)}Z`) - second * 1_000
  if (isUsual && Number.isFinite(ms)) {
    if (lastAhead.size >= mostFormats) lastAhead.clear()
    const { local, utc } = facts
    lastAhead.set(timezone, { minute, ms, written, second, local, utc: utc.slice(0, 20) })
  }
  return facts
}

function lookedUp(nowMs: number, timezone: string): NowFacts {
  const at = new Date(nowMs)
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const offset = /([+-]\d\d:\d\d)/.exec(parts['timeZoneName'] ?? '')?.[1] ?? '+00:00'
  return {
    nowMs,
    utc: at.toISOString(),
    local:
      `${parts['year']}-${parts['month']}-${parts['day']}T` +
      `${parts['hour']}:${parts['minute']}:${parts['second']}${offset}`,
    timezone,
  }
}
