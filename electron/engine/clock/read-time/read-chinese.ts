import {
  addDays,
  addMonths,
  coming,
  isReal,
  nextOnce,
  weekdayOf,
  chineseNumber as n,
  numberOf,
  type Said,
} from './said.ts'
import type { CalendarDate, TimeOfDay } from '../../base/calendar/wall-time.ts'

const days: Readonly<Record<string, number>> = { 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 大后: 3 }
const weekdays = '日一二三四五六'

/**
 * The part of the day: what its hours are on a clock of 24, and which one is meant when none is said (null: say one).
 */
interface DayPart {
  hours(hour: number): number
  alone: number | null
}
const refused = NaN
const parts: readonly (readonly [words: string, part: DayPart])[] = [
  ['凌晨', { hours: (h) => (h === 12 ? 0 : h <= 6 ? h : refused), alone: null }],
  ['清晨|早上|早晨|上午|早', { hours: (h) => (h <= 12 ? h : refused), alone: 9 }],
  ['正午|中午', { hours: (h) => (h >= 11 && h <= 13 ? h : h <= 2 ? h + 12 : refused), alone: 12 }],
  ['下午|午后', { hours: (h) => (h < 12 ? h + 12 : h), alone: 15 }],
  ['傍晚', { hours: (h) => (h >= 4 && h < 12 ? h + 12 : h), alone: 18 }],
  // “晚上2点” can't mean the afternoon, and would be the night of the next day: not guessed.
  [
    '晚上|晚间|夜里|夜晚|晚',
    { hours: (h) => (h === 12 ? 24 : h >= 5 && h < 12 ? h + 12 : h >= 17 ? h : refused), alone: 20 },
  ],
  ['半夜|午夜', { hours: (h) => (h === 12 ? 24 : refused), alone: 24 }],
]
const partWords = parts.map(([words]) => words).join('|')

const dayPattern =
  `(?<day>大后|前|昨|今|明|后)(?:天|日|(?=[早晚]))|(?<which>下下|下|这|本)?个?(?:周|星期|礼拜)(?<weekday>[一二三四五六日天1-7])` +
  `|(?:(?<year>\\d{4})[年/-])?(?<month>${n})[月/-](?<date>${n})[日号]?|(?:(?<ofMonth>下个?|这个?|本)月)?(?<dateOfMonth>` +
  `${n})[日号]|(?<after>${n})(?<unit>天|周|个?星期|个?礼拜)(?:之|以)?后`
const timePattern =
  `(?<part>${partWords})?(?:(?<hour>${n}` +
  `)(?:[点时](?<oclock>钟|整)?|:(?=\\d{2}))(?:(?<half>半)|(?<quarter>[一三])刻|(?<minute>${n}` +
  ')分?(?::?(?<second>\\d{2})秒?)?)?(?<meridiem>am|pm)?|(?<bare>\\d{1,2})(?<bareMeridiem>am|pm))?'
// Compiled when first asked for: a person rarely writes one.
let whole: RegExp | undefined

/** “明天上午九点半”, “下周一早上8点”, “11月25日14:30”, “下午3点”. All of the text must be understood. */
export function readChinese(text: string, today: CalendarDate): Said | null {
  whole ??= new RegExp(`^(?:${dayPattern})?的?[ ,]?${timePattern}$`, 'u')
  const said = whole.exec(text)?.groups
  if (!said || text === '') return null
  const day = dateOf(said, today)
  const time = timeOf(said)
  if (day === 'wrong' || time === 'wrong' || (day === null && time === null)) return null
  return { kind: 'wall', date: day?.date ?? null, weekly: day?.weekly, time }
}

type Groups = Readonly<Record<string, string | undefined>>

function dateOf(said: Groups, today: CalendarDate): { date: CalendarDate; weekly?: boolean } | null | 'wrong' {
  const { day, which, weekday, year, month, date, ofMonth, dateOfMonth, after, unit } = said
  if (day !== undefined) return { date: addDays(today, days[day] ?? 0) }
  if (weekday !== undefined) {
    const at =
      weekday === '天' || weekday === '7' ? 0 : /\d/.test(weekday) ? Number(weekday) : weekdays.indexOf(weekday)
    if (which === undefined) return { date: coming(at, today), weekly: true }
    // Weeks begin on Monday.
    const monday = addDays(today, -((weekdayOf(today) + 6) % 7))
    return { date: addDays(monday, ((at + 6) % 7) + 7 * (which === '下下' ? 2 : which === '下' ? 1 : 0)) }
  }
  if (month !== undefined && date !== undefined) {
    const [m, d] = [numberOf(month), numberOf(date)]
    return real(year === undefined ? nextOnce(m, d, today) : { year: Number(year), month: m, day: d })
  }
  if (dateOfMonth !== undefined) {
    const d = numberOf(dateOfMonth)
    const later = ofMonth === undefined ? d < today.day : ofMonth.startsWith('下')
    return real({ ...addMonths({ ...today, day: 1 }, later ? 1 : 0), day: d })
  }
  if (after !== undefined) {
    const count = numberOf(after) * (unit === '天' ? 1 : 7)
    return Number.isInteger(count) && count <= 100_000 ? { date: addDays(today, count) } : 'wrong'
  }
  return null
}

const real = (date: CalendarDate): { date: CalendarDate } | 'wrong' => (isReal(date) ? { date } : 'wrong')

function timeOf(said: Groups): TimeOfDay | null | 'wrong' {
  const { half, quarter, bare } = said
  const meridiem = said.meridiem ?? said.bareMeridiem
  const part = parts.find(([words]) => words.split('|').includes(said.part ?? ''))?.[1]
  const spoken = said.hour ?? bare
  if (spoken === undefined)
    return !part ? null : part.alone === null ? 'wrong' : { hour: part.alone, minute: 0, second: 0 }
  const number = numberOf(spoken)
  if (meridiem && (part || number < 1 || number > 12)) return 'wrong'
  const hour = meridiem ? (number % 12) + (meridiem === 'pm' ? 12 : 0) : part ? part.hours(number) : number
  const minute = half
    ? 30
    : quarter
      ? quarter === '一'
        ? 15
        : 45
      : said.minute === undefined
        ? 0
        : numberOf(said.minute)
  const second = Number(said.second ?? 0)
  const fits =
    Number.isInteger(hour) &&
    Number.isInteger(minute) &&
    hour >= 0 &&
    minute < 60 &&
    second < 60 &&
    (hour < 24 || (hour === 24 && minute === 0 && second === 0))
  return fits ? { hour, minute, second } : 'wrong'
}
