import type { Clock } from './clock.ts'

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

/** IANA name of this computer's zone, as it is now: Node looks again when `TZ` is written or removed, else never. */
export function localZone(): string {
  if (process.env.TZ === undefined) delete process.env.TZ
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const keptMs = 60_000

/** The same for callers that ask with every request: a change of zone on a journey is seen within a minute. */
export function keptZone(clock: Pick<Clock, 'monotonic'>, ask: () => string = localZone): () => string {
  let kept: { zone: string; until: number } | null = null
  return () => {
    const now = clock.monotonic()
    if (kept === null || now >= kept.until) kept = { zone: ask(), until: now + keptMs }
    return kept.zone
  }
}

/** Local days and hours in a zone, and the instants they stand for. */
export interface CalendarDate {
  year: number
  /** 1 to 12 */ month: number
  day: number
}
/** `hour` 24: the midnight that ends the day */
export interface TimeOfDay {
  hour: number
  minute: number
  second: number
}

/** How far local time is ahead of UTC at an instant, milliseconds. */
export type OffsetAt = (instant: number) => number

const DAY = 86_400_000

/** @param zone IANA name */
export function offsetsOf(zone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (instant) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const { year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second = NaN } = part
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
  }
}

/**
 * The instant at which the wall shows this. A time that DST skips moves on by what was skipped; one that comes twice is
 * its first, as Temporal's `compatible` has it.
 */
export function instantOf(
  { year, month, day }: CalendarDate,
  { hour, minute, second }: TimeOfDay,
  offsetAt: OffsetAt,
): number {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  const before = asUtc - offsetAt(asUtc - DAY)
  if (before + offsetAt(before) === asUtc) return before
  const after = asUtc - offsetAt(asUtc + DAY)
  return after + offsetAt(after) === asUtc ? after : before
}

export function dateAt(instant: number, offsetAt: OffsetAt): CalendarDate {
  const local = new Date(instant + offsetAt(instant))
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
}

export function timeAt(instant: number, offsetAt: OffsetAt): TimeOfDay {
  const local = new Date(instant + offsetAt(instant))
  return { hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds() }
}
