import type { CalendarDate } from '../../base/wall-time.ts'

const asUtc = ({ year, month, day }: CalendarDate): Date => new Date(Date.UTC(year, month - 1, day))
const fromUtc = (date: Date): CalendarDate => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
})

export const addDays = ({ year, month, day }: CalendarDate, days: number): CalendarDate =>
  fromUtc(asUtc({ year, month, day: day + days }))

/** The 31st plus a month is the last of the next. */
export function addMonths({ year, month, day }: CalendarDate, months: number): CalendarDate {
  const last = asUtc({ year, month: month + months + 1, day: 0 }).getUTCDate()
  return fromUtc(asUtc({ year, month: month + months, day: Math.min(day, last) }))
}

/** 0: Sunday */
export const weekdayOf = (date: CalendarDate): number => asUtc(date).getUTCDay()

/** this weekday today or within the six days to come */
export const coming = (weekday: number, today: CalendarDate): CalendarDate =>
  addDays(today, (weekday - weekdayOf(today) + 7) % 7)

export const isBefore = (a: CalendarDate, b: CalendarDate): boolean => asUtc(a).getTime() < asUtc(b).getTime()

/** No 30 February. */
export const isReal = (date: CalendarDate): boolean => {
  const { year, month, day } = fromUtc(asUtc(date))
  return year === date.year && month === date.month && day === date.day
}

/** A date without its year: this year's, or the next one's where it is over. */
export function nextOnce(month: number, day: number, today: CalendarDate): CalendarDate {
  const thisYear = { year: today.year, month, day }
  return isBefore(thisYear, today) ? { ...thisYear, year: today.year + 1 } : thisYear
}
