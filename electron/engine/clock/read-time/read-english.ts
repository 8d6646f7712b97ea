import { casual, type Chrono, type ParsingComponents } from 'chrono-node/en'
import { coming, isReal, nextOnce, weekdayOf, englishNumber, type Said } from './said.ts'
import type { CalendarDate, TimeOfDay } from '../../base/calendar/wall-time.ts'

type Start = Pick<ParsingComponents, 'get' | 'isCertain'>

/** which hour a part of the day means where none is said */
const parts: Readonly<Record<string, number>> = { morning: 9, afternoon: 15, evening: 20, night: 20, tonight: 20 }
/** what may stand around a time without meaning anything else */
const harmless = /^(?:the|in|on|at|by|for|of|,|-|\s)*$/
/** “few” and “weekend” are no times; 3/4 is March to some and April to others */
const vague = /\b(?:few|several|weekend)\b/

/**
 * “tomorrow at 9am”, “next friday 18:00”, “25 Nov 14:30”, “tonight”. chrono finds the words; of what it makes of them
 * only the parts of date and clock are taken: its instants depend on this process's zone (wanasit/chrono issues 553,
 * 582, 630), and it takes “midnight tonight” for noon (2.10.3).
 */
export function readEnglish(written: string, today: CalendarDate): Said | null {
  const text = spelledOut(written)
  if (/\bmidnight\b/.test(text))
    return /^(?:midnight(?: tonight| today)?|(?:tonight|today)(?: at)? midnight)$/.test(text)
      ? { kind: 'wall', date: null, time: { hour: 0, minute: 0, second: 0 } }
      : null
  if (vague.test(text) || hasTwoReadings(text)) return null
  // Noon, so that neither the hour nor this process's zone moves the day.
  const [found, ...others] = finder().parse(text, new Date(today.year, today.month - 1, today.day, 12))
  if (!found || others.length > 0 || found.end) return null
  if (!harmless.test(text.replace(found.text, ' '))) return null
  const { start } = found
  const offset = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null
  // In numbers: “CST” is two zones, and a span has the offset of now.
  if (
    offset !== null &&
    (Math.abs(offset) > 14 * 60 || !/(?:\b(?:utc|gmt)(?: ?[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2}|\dz)$/.test(text))
  )
    return null
  if (overlooked(start, text)) return null
  const day = dateOf(start, text, today, found.tags().has('result/relativeDate'))
  const time = timeOf(start, text)
  if (day === 'wrong' || (day === null && time === null)) return null
  return {
    kind: 'wall',
    date: day?.date ?? null,
    weekly: day?.weekly,
    time,
    ...(offset === null ? {} : { offset: offset * 60_000 }),
  }
}

/** Replaces expressions that chrono does not know by those it does. */
const spelledOut = (text: string): string =>
  text
    .replace(/\b(?:(?:by|at) )?(?:(?:the )?end of (?:the )?(?:business |working )?day|eod|cob)\b/, 'at 17:00')
    // A bare hour beside a day that has no number of its own; “friday 5” may be the fifth.
    .replace(/^(today|tomorrow|tonight|(?:the )?day after tomorrow),? (\d{1,2})$/, '$1 at $2')
    .replace(/^(\d{1,2}) (today|tomorrow|tonight|(?:the )?day after tomorrow)$/, '$2 at $1')
    .replace(/\b(?:the )?day after tomorrow\b/, 'in 2 days')
    .replace(
      /\b(half past|quarter past|quarter to) (\d{1,2}|[a-z]+)\b/,
      (whole, how: keyof typeof quarters, word: string) => {
        const hour = /^\d/.test(word) ? Number(word) : englishNumber(word)
        return hour === null || hour < 1
          ? whole
          : `${how === 'quarter to' ? (hour + 11) % 12 || 12 : hour}:${quarters[how]}`
      },
    )
const quarters = { 'half past': 30, 'quarter past': 15, 'quarter to': 45 } as const

let made: Chrono | undefined
/**
 * Without “2 hours ago” and “later”, which are read before: compiling these takes 0.2 s, and the engine stands still
 * meanwhile.
 */
function finder(): Chrono {
  if (!made) {
    made = casual.clone()
    made.parsers = made.parsers.filter((parser) => !/TimeUnit(?:Ago|Later|Casual)/.test(parser.constructor.name))
  }
  return made
}

/**
 * A day or part of it that stands there and is not in what was found: “morning friday” became tomorrow's morning
 * (2.10.3).
 */
function overlooked(start: Start, text: string): boolean {
  const dayParts: readonly string[] = text.match(/\b(?:morning|afternoon|evening|tonight|night)\b/g) ?? []
  const hour = start.isCertain('hour') ? (start.get('hour') ?? 0) : 0
  return (
    dayParts.length > 1 ||
    (dayParts.includes('morning') && hour >= 12) ||
    (/\b(?:mon|tue|wed|thu|fri|sat|sun)/.test(text.replace('month', '')) && !start.isCertain('weekday')) ||
    (/\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/.test(text) && !start.isCertain('month'))
  )
}

function hasTwoReadings(text: string): boolean {
  const [, one, other] = /\b(\d{1,2})[/.-](\d{1,2})\b(?!:)/.exec(text) ?? []
  return one !== undefined && one !== other && Number(one) <= 12 && Number(other) <= 12
}

function dateOf(
  start: Start,
  text: string,
  today: CalendarDate,
  relative: boolean,
): { date: CalendarDate; weekly?: boolean } | null | 'wrong' {
  const date = { year: start.get('year') ?? 0, month: start.get('month') ?? 0, day: start.get('day') ?? 0 }
  const weekday = start.isCertain('weekday') ? start.get('weekday') : null
  if (start.isCertain('day')) {
    const meant = start.isCertain('year') ? date : nextOnce(date.month, date.day, today)
    return isReal(meant) && (weekday === null || weekdayOf(meant) === weekday) ? { date: meant } : 'wrong'
  }
  if (weekday !== null)
    return /\b(?:next|last|past|previous|this)\b/.test(text) ? { date } : { date: coming(weekday, today), weekly: true }
  if (relative) return { date }
  // “may” and “2027” name no day.
  if (start.isCertain('month') || start.isCertain('year')) return 'wrong'
  return /\bthis\b/.test(text) ? { date: today } : null
}

function timeOf(start: Start, text: string): TimeOfDay | null {
  if (start.isCertain('hour'))
    return { hour: start.get('hour') ?? 0, minute: start.get('minute') ?? 0, second: start.get('second') ?? 0 }
  const hour = parts[/\b(?:morning|afternoon|evening|tonight|night)\b/.exec(text)?.[0] ?? '']
  return hour === undefined ? null : { hour, minute: 0, second: 0 }
}
