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
