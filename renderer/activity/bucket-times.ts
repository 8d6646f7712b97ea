/** How the begin and the length of a bucket are written: on the axis, and whole for its value. */
import type { Language } from '../../shared/words.ts'

export interface BucketTimes {
  /** as short as an axis wants it */
  tick(bucket: { at: number; ms: number }): string
  /** begin and end */
  whole(bucket: { at: number; ms: number }): string
  /** an instant of another day, for a table cell: 14 Nov, 09:41 */
  stamp(at: number): string
  /** 14 Nov */
  date(at: number): string
  /** Sat */
  weekday(at: number): string
}

const HOUR = 3_600_000

/** @param timeZone IANA name; the machine's own when left out */
export function bucketTimesOf(language: Language, timeZone?: string): BucketTimes {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', { ...options, timeZone })
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const parts = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const read = (at: number): { weekday: string; day: string; month: string } => {
    const found = Object.fromEntries(parts.formatToParts(at).map((part) => [part.type, part.value]))
    return { weekday: found.weekday ?? '', day: found.day ?? '', month: (found.month ?? '').replace('月', '') }
  }
  const minute = (at: number): string => clock.format(at)
  const date = (at: number): string => {
    const { day, month } = read(at)
    return language === 'en' ? `${day} ${month}` : `${month} 月 ${day} 日`
  }
  const weekdayAndDay = (at: number): string => {
    const { weekday: name, day } = read(at)
    return language === 'en' ? `${name} ${day}` : `${name} ${day} 日`
  }
  const comma = language === 'en' ? ', ' : ' '
  return {
    tick: ({ at, ms }) =>
      ms < 3 * HOUR
        ? minute(at)
        : ms < 20 * HOUR
          ? weekdayAndDay(at)
          : language === 'en'
            ? date(at)
            : `${read(at).month}/${read(at).day}`,
    whole({ at, ms }) {
      const end = at + ms
      if (ms < 3 * HOUR) return `${minute(at)}–${minute(end)}`
      const full = (instant: number): string => {
        const { weekday: name } = read(instant)
        return language === 'en' ? `${name} ${date(instant)}` : `${date(instant)} ${name}`
      }
      // A day that begins at midnight needs no times; for any other, both ends are shown.
      if (ms >= 23 * HOUR && minute(at) === '00:00') return full(at)
      if (date(at) === date(end - 1)) return `${full(at)}${comma}${minute(at)}–${minute(end)}`
      return `${date(at)}${comma}${minute(at)} – ${date(end)}${comma}${minute(end)}`
    },
    stamp: (at) => `${date(at)}${comma}${minute(at)}`,
    date,
    weekday: (at) => read(at).weekday,
  }
}
