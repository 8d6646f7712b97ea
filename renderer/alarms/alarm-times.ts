/** How instants of alarms are written: in the engine's zone, as near to “today” as they are. */
import { figuresOf, type Figures } from '../../shared/sentences/figures.ts'
import { bucketTimesOf } from '../activity/bucket-times.ts'
import type { Words } from '../i18n/index.ts'
import { countdown } from './countdown.ts'
import { wallOf, type WallOf } from './wall.ts'

export interface AlarmTimes {
  wall: WallOf
  /** figures in the zone of the alarms */
  f: Figures
  /** Saturday 21 November */
  date(at: number): string
  /** within a sentence: today at 14:57:00, tomorrow at 09:00:00, Monday 30 November at 09:00:00 */
  exact(at: number, now: number): string
  /** the same to the minute */
  said(at: number, now: number): string
  /** as short as a column wants it: 14:30; 30 Nov, 09:00; 2027-11-30 */
  short(at: number, now: number): string
  /** the shortest that still says when: 14:30, Sun, 30 Nov */
  brief(at: number, now: number): string
  /** as a person may change it and have it read again: 14:30, tomorrow 09:00, 2026-11-30 09:00 */
  typed(at: number, now: number): string
  countdown(dueAt: number, now: number): string
}

const DAY = 86_400_000
/** Days from here on need their year. */
const sameYear = 300

/** @param zone IANA name; the browser's own when left out */
export function alarmTimesOf(words: Words, zone?: string): AlarmTimes {
  const { w, language } = words
  const f = figuresOf(language, zone)
  const wall = wallOf(zone)
  const stamps = bucketTimesOf(language, zone)
  const daysTo = (at: number, now: number): number => wall(at).day - wall(now).day
  // Seen from two days before, a day is called by its date.
  const date = (at: number): string => f.day(at, at - 2 * DAY)
  const isoDate = (at: number): string => new Date(wall(at).day * DAY).toISOString().slice(0, 10)
  const within = (at: number, now: number, time: string): string => {
    const days = daysTo(at, now)
    if (Math.abs(days) > sameYear) return w.alarms.dayAt(isoDate(at), time)
    switch (days) {
      case 0:
        return w.alarms.todayAt(time)
      case 1:
        return w.alarms.tomorrowAt(time)
      case -1:
        return w.alarms.yesterdayAt(time)
      default:
        return w.alarms.dayAt(date(at), time)
    }
  }
  return {
    wall,
    f,
    date,
    exact: (at, now) => within(at, now, f.time(at)),
    said: (at, now) => within(at, now, f.minute(at)),
    short(at, now) {
      const days = daysTo(at, now)
      if (Math.abs(days) > sameYear) return isoDate(at)
      return days === 0
        ? f.minute(at)
        : `${stamps.tick({ at, ms: DAY })}${language === 'en' ? ', ' : ' '}${f.minute(at)}`
    },
    brief(at, now) {
      const days = daysTo(at, now)
      return days === 0 ? f.minute(at) : days > 0 && days < 7 ? stamps.weekday(at) : stamps.date(at)
    },
    typed(at, now) {
      const days = daysTo(at, now)
      const time = f.minute(at)
      if (days === 0) return time
      return days === 1 ? w.alarms.typedTomorrow(time) : `${isoDate(at)} ${time}`
    },
    countdown: (dueAt, now) => countdown(dueAt, now, words, f),
  }
}
