import { addDays, addMonths } from './calendar.ts'
import { dateAt, instantOf, timeAt, type CalendarDate, type OffsetAt, type TimeOfDay } from '../../base/wall-time.ts'

/** A time as understood, before it is an instant. */
export type Said =
  | { kind: 'instant'; at: number }
  /** from now on: months and days by the calendar, the rest by the stopwatch */
  | { kind: 'span'; months: number; days: number; ms: number }
  | {
      kind: 'wall'
      /** null: the next time the clock shows it */
      date: CalendarDate | null
      /** null: no hour was said */
      time: TimeOfDay | null
      /** where it is over already the same weekday of the next week is meant */
      weekly?: boolean
      /** milliseconds ahead of UTC, where they were said */
      offset?: number
    }

/** when a day is meant without its hour */
const morning: TimeOfDay = { hour: 9, minute: 0, second: 0 }

export function instantSaid(said: Said, now: number, zone: OffsetAt): number {
  switch (said.kind) {
    case 'instant':
      return said.at
    case 'span': {
      if (said.months === 0 && said.days === 0) return now + said.ms
      const day = addDays(addMonths(dateAt(now, zone), said.months), said.days)
      return instantOf(day, timeAt(now, zone), zone) + said.ms
    }
    case 'wall': {
      const { offset, time, date } = said
      const zoneSaid = offset === undefined ? zone : () => offset
      const first = date ?? dateAt(now, zoneSaid)
      const at = instantOf(first, time ?? morning, zoneSaid)
      const again = date === null ? 1 : said.weekly ? 7 : 0
      return at < now && again > 0 ? instantOf(addDays(first, again), time ?? morning, zoneSaid) : at
    }
  }
}
