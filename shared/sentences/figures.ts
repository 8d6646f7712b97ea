/**
 * Numbers, spans of time and instants as the dashboard, tray and CLI write them. Tabular, short, never rounded up to a
 * wrong figure.
 */
import type { PriceFact, Spend } from '../cost/cost.ts'
import type { Language } from '../words.ts'
import { shownZone } from './shown-zone.ts'

/** In English: 1 round, 2 rounds. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

export interface Figures {
  /** since something happened, one unit: now, 20 s, 34 min, 2 h, 3 d */
  ago(ms: number): string
  /** a waiting or running time, up to two units: 38 s, 18 min, 1 h 48 min */
  span(ms: number): string
  /** times of several together, which are more than the day has: 48 min, 8 h 39 min, 38 h */
  sum(ms: number): string
  /**
   * until something happens, as short as its distance allows: 38 s, 18 min, 1 h 48 min, 18 h, 9 days. Minutes are
   * rounded up, so that 14:12 and “in 18 min” make 14:30; days are midnights
   */
  left(until: number, now: number): string
  /** how long something took: <0.1 s, 0.8 s, 8.2 s, 38 s, 1 min 12 s */
  took(ms: number): string
  /** 24, 3.1k, 181k, 1.8M */
  tokens(count: number): string
  bytes(count: number): string
  money(usd: number): string
  /**
   * The cost shown beside tokens: `$4.21`, `≥ $4.21` where some of them have no known price, `no price` where none has
   * one, `subscription` or `free` where nothing is paid by the token; null: nothing was used, or no price was looked up
   */
  cost(of: Spend & { from?: PriceFact['from'] }): string | null
  /** 14:11:54 */
  time(at: number): string
  /** 14:11 */
  minute(at: number): string
  /** 14:11 on the day of `now`, else 21 November 14:11 */
  minuteOfDay(at: number, now: number): string
  /** Today, Saturday 21 November */
  day(at: number, now: number): string
  /** everything, for a title: Saturday 21 November 2026, 14:11:54 */
  instant(at: number): string
  /** facts side by side */
  list(items: readonly string[]): string
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** an instant that falls a moment after a full minute is shown as that minute */
const MARGIN = 5 * SECOND

interface Units {
  now: string
  s: string
  min: string
  minAfterHour: string
  h: string
  d: string
  days(n: number): string
  today: string
  yesterday: string
  noPrice: string
  plan: string
  free: string
}
const units: Record<Language, Units> = {
  en: {
    now: 'now',
    s: 's',
    min: 'min',
    minAfterHour: 'min',
    h: 'h',
    d: 'd',
    days: (n) => `${n} ${n === 1 ? 'day' : 'days'}`,
    today: 'Today',
    yesterday: 'Yesterday',
    noPrice: 'no price',
    plan: 'subscription',
    free: 'free',
  },
  'zh-CN': {
    now: '刚刚',
    s: '秒',
    min: '分钟',
    minAfterHour: '分',
    h: '小时',
    d: '天',
    days: (n) => `${n} 天`,
    today: '今天',
    yesterday: '昨天',
    noPrice: '价格未知',
    plan: '订阅',
    free: '免费',
  },
}

/** @param timeZone IANA name; the one that is shown (shown-zone.ts) when left out */
export function figuresOf(language: Language, timeZone?: string): Figures {
  const u = units[language]
  // Made when first needed: the engine and the command line know the sentences, and rarely write an instant.
  const format = (locale: string, options: Intl.DateTimeFormatOptions) =>
    eachZone((shown) => new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone ?? shown }))
  const clock = format('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  const date = format(language === 'en' ? 'en-GB' : 'zh-CN', { weekday: 'long', day: 'numeric', month: 'long' })
  const year = format('en-GB', { year: 'numeric' })
  const dayKey = format('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })
  const dateOf = (at: number) => {
    const part = Object.fromEntries(
      date()
        .formatToParts(at)
        .map((p) => [p.type, p.value]),
    )
    return {
      weekday: part.weekday ?? '',
      dayOfMonth:
        language === 'en' ? `${part.day} ${part.month}` : `${(part.month ?? '').replace('月', '')} 月 ${part.day} 日`,
    }
  }
  const weekdayAndDate = (at: number): string => {
    const { weekday, dayOfMonth } = dateOf(at)
    return language === 'en' ? `${weekday} ${dayOfMonth}` : `${dayOfMonth} ${weekday}`
  }
  const span = (ms: number): string => {
    if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} ${u.s}`
    if (ms < HOUR) return `${Math.floor(ms / MINUTE)} ${u.min}`
    const [big, bigUnit, small, smallUnit] =
      ms < DAY
        ? [Math.floor(ms / HOUR), u.h, Math.floor((ms % HOUR) / MINUTE), u.minAfterHour]
        : [Math.floor(ms / DAY), u.d, Math.floor((ms % DAY) / HOUR), u.h]
    return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`
  }
  const time = (at: number): string => clock().format(at)
  const minute = (at: number): string => time(at).slice(0, 5)
  return {
    ago(ms) {
      if (ms < 2 * SECOND) return u.now
      if (ms < MINUTE) return `${Math.floor(ms / SECOND)} ${u.s}`
      if (ms < HOUR) return `${Math.floor(ms / MINUTE)} ${u.min}`
      if (ms < DAY) return `${Math.floor(ms / HOUR)} ${u.h}`
      return `${Math.floor(ms / DAY)} ${u.d}`
    },
    left(until, now) {
      const ms = until - now
      if (ms < MINUTE) return span(Math.ceil(ms / SECOND) * SECOND)
      if (ms < 12 * HOUR) return span(Math.ceil((ms - MARGIN) / MINUTE) * MINUTE)
      if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} ${u.h}`
      return u.days(Math.round((Date.parse(dayKey().format(until)) - Date.parse(dayKey().format(now))) / DAY))
    },
    span,
    sum: (ms) => (ms < DAY ? span(ms) : `${Math.floor(ms / HOUR)} ${u.h}`),
    took(ms) {
      if (ms < 50) return `<0.1 ${u.s}`
      if (ms < 9_950) return `${(ms / SECOND).toFixed(1)} ${u.s}`
      if (ms < MINUTE) return `${Math.round(ms / SECOND) === 60 ? 59 : Math.round(ms / SECOND)} ${u.s}`
      if (ms < HOUR) return `${Math.floor(ms / MINUTE)} ${u.minAfterHour} ${Math.floor((ms % MINUTE) / SECOND)} ${u.s}`
      return `${Math.floor(ms / HOUR)} ${u.h} ${Math.floor((ms % HOUR) / MINUTE)} ${u.minAfterHour}`
    },
    tokens: (count) => short(count, 1000, ['', 'k', 'M', 'G']),
    bytes: (count) => short(count, 1000, [' B', ' kB', ' MB', ' GB']),
    money,
    cost({ costUsd, unpricedTokens, worthUsd, from }) {
      if (costUsd !== null) return unpricedTokens ? `≥ ${costUsd < 0.01 ? '$0' : money(costUsd)}` : money(costUsd)
      if (unpricedTokens) return u.noPrice
      if (worthUsd || from === 'plan') return u.plan
      return from === 'local' ? u.free : null
    },
    time,
    minute,
    minuteOfDay: (at, now) =>
      dayKey().format(at) === dayKey().format(now) ? minute(at) : `${dateOf(at).dayOfMonth} ${minute(at)}`,
    day(at, now) {
      const key = dayKey().format(at)
      const said = weekdayAndDate(at)
      const comma = language === 'en' ? ', ' : '，'
      if (key === dayKey().format(now)) return `${u.today}${comma}${said}`
      if (key === dayKey().format(now - DAY)) return `${u.yesterday}${comma}${said}`
      return said
    },
    instant: (at) =>
      language === 'en'
        ? `${weekdayAndDate(at)} ${year().format(at)}, ${time(at)}`
        : `${year().format(at)} 年 ${weekdayAndDate(at)} ${time(at)}`,
    list: (items) => items.join(language === 'en' ? ', ' : '，'),
  }
}

const money = (usd: number): string => (usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`)

function eachZone<T>(make: (zone: string | undefined) => T): () => T {
  let made: { known: string | number; value: T } | null = null
  return () => {
    const zone = shownZone()
    // a format keeps the machine's zone of when it was made
    const known = zone ?? new Date().getTimezoneOffset()
    if (made?.known !== known) made = { known, value: make(zone) }
    return made.value
  }
}

/** Three figures at most before the unit, one decimal below a hundred: 999, 3.1k, 48.2k, 181k, 1.8M. */
function short(count: number, base: number, names: readonly string[]): string {
  let value = count
  let step = 0
  // 999.6k would be rounded to 1000k, so the unit changes a little early.
  while (value >= base - 0.5 && step < names.length - 1) {
    value /= base
    step++
  }
  const text = step === 0 ? String(Math.round(value)) : value >= 100 ? String(Math.round(value)) : value.toFixed(1)
  return `${text}${names[step] ?? ''}`
}
