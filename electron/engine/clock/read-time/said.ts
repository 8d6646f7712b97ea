import {
  dateAt,
  instantOf,
  timeAt,
  type CalendarDate,
  type OffsetAt,
  type TimeOfDay,
} from '../../base/calendar/wall-time.ts'

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

const ones = (
  'zero one two three four five six seven eight nine ten eleven twelve ' +
  'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
).split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** “an”, “two”, “forty-five” as a number; null: none */
export function englishNumber(word: string): number | null {
  if (word === 'a' || word === 'an') return 1
  const [high = '', low] = word.split('-')
  const ten = (tens.indexOf(high) + 2) * 10
  if (low !== undefined)
    return ten >= 20 && ones.indexOf(low) > 0 && ones.indexOf(low) < 10 ? ten + ones.indexOf(low) : null
  return ones.includes(word) ? ones.indexOf(word) : ten >= 20 ? ten : null
}

const chinese = '零一二三四五六七八九'
const digitOf = (sign: string): number => (sign === '两' ? 2 : sign === '〇' ? 0 : chinese.indexOf(sign))

/** what can stand for a number below a hundred, for regular expressions */
export const chineseNumber = /(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十]{1,3})/.source

/** “20”, “二十三”, “两”; NaN: no number */
export function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  const [, high = '', ten, low = ''] =
    /^([一二两三四五六七八九]?)(十?)[零〇]?([一二两三四五六七八九]?)$/.exec(text) ?? []
  if (ten === '十') return (high === '' ? 1 : digitOf(high)) * 10 + (low === '' ? 0 : digitOf(low))
  return text.length === 1 ? digitOf(text) : /^[零〇].$/.test(text) ? digitOf(low) : NaN
}
