import { defaultEnd, repeatLimits, type RepeatRule, type RepeatRequest } from '../../../../shared/alarms/repeat.ts'
import { nextTime } from '../model/occurrence.ts'
import { addDays, instantSaid, type Said } from './said.ts'
import { notUnderstood, repeats } from './not-understood.ts'
import { chineseRepeat } from './repeat-chinese.ts'
import { englishRepeat } from './repeat-english.ts'
import { isRefused, type DayPart, type RepeatRefused, type RepeatSaid } from './repeat-said.ts'
import { dateAt, instantOf, offsetsOf, type TimeOfDay } from '../../base/calendar/wall-time.ts'
import { zoneSaid } from './zone-said.ts'

export interface RepeatRead {
  dueAtMs: number
  repeat: RepeatRequest
  /** the text does not say when it ends */
  endedByDefault: boolean
  /** the zone that the text names; null: none */
  there: string | null
}
/** Reads a time that does not repeat. */
export type Say = (text: string, now: number, zone: string) => Said | null

const DAY = 86_400_000
const hours: Readonly<Record<DayPart, number>> = { morning: 9, afternoon: 15, evening: 20, night: 20 }

/** “every day at 9”, “every 2 hours until fri 18:00”, “每30分钟 共5次”. null: it does not repeat. Of a cleaned text. */
export function readRepeat(text: string, now: number, zone: string, say: Say): RepeatRead | RepeatRefused | null {
  const named = repeats.exec(text)?.[0]
  if (named === undefined) return null
  const read = readSaid(text, now, zone, say) ?? { part: named, why: 'repeats' }
  if (!isRefused(read) || text.includes(read.part)) return read
  // It stands on both sides of the rule: the last word of it is in the text.
  const last = read.part.split(' ').at(-1) ?? named
  return { ...read, part: text.includes(last) ? last : named }
}

function readSaid(text: string, now: number, zone: string, say: Say): RepeatRead | RepeatRefused | null {
  if (!/\p{Script=Han}/u.test(text)) {
    const said = englishRepeat(text)
    return said === null || isRefused(said) ? said : resolved(said, now, zone, say)
  }
  const said = chineseRepeat(text)
  if (said !== null) return isRefused(said) ? said : resolved(said, now, zone, say)
  // “纽约时间每天9点”: before the rule, where no time has it
  const place = zoneSaid(text)
  const there = place && chineseRepeat(place.rest)
  if (!place || !there) return null
  if (isRefused(there)) return there
  const read = resolved(there, now, place.zone, say)
  return isRefused(read) ? read : { ...read, there: place.zone }
}

function resolved(said: RepeatSaid, now: number, here: string, say: Say): RepeatRead | RepeatRefused {
  const ruled = ruleOf(said, now, here, say)
  if (isRefused(ruled)) return ruled
  const { rule, zone } = ruled
  const start = said.from === null ? null : instantIn(said.from, now, zone, say)
  if (said.from !== null && start === null) return unread(said.from, now, zone, say)
  const dueAtMs =
    rule.kind === 'interval'
      ? start !== null && start > now
        ? start
        : nextTime(rule, zone, now, start ?? now)
      : nextTime(rule, zone, Math.max(now, (start ?? now) - 1), now)
  const end = endOf(said, dueAtMs, zone, say)
  if (typeof end !== 'number' && end !== null) return end
  const byDefault = end === null && said.times === null
  const most = said.times?.count ?? (byDefault ? defaultEnd.times : repeatLimits.mostTimes)
  const longest = dueAtMs + repeatLimits.longestMs
  const monthly = rule.kind === 'days' && rule.monthDay !== undefined
  const bound = Math.min(end ?? (byDefault && !monthly ? dueAtMs + defaultEnd.days * DAY - 1 : longest), longest)
  if (said.times && (most < 1 || most > repeatLimits.mostTimes)) return { part: said.times.words, why: 'too-many' }
  let [times, untilMs] = [1, dueAtMs]
  for (;;) {
    const next = nextTime(rule, zone, untilMs, untilMs)
    if (times === most || next > bound) {
      const saidMore = times < most ? end !== null && next <= end : said.times === null && !byDefault && next <= bound
      if (saidMore || (said.times && times < most && end === null))
        return { part: said.until ?? said.lasts ?? said.times?.words ?? said.words, why: 'too-many' }
      return {
        dueAtMs,
        repeat: { rule, zone, times, untilMs },
        endedByDefault: byDefault,
        there: zone === here ? null : zone,
      }
    }
    ;[times, untilMs] = [times + 1, next]
  }
}

function ruleOf(
  { rule, words }: RepeatSaid,
  now: number,
  here: string,
  say: Say,
): { rule: RepeatRule; zone: string } | RepeatRefused {
  if (rule.kind === 'interval')
    return rule.ms < repeatLimits.shortestMs
      ? { part: words, why: 'too-often' }
      : rule.ms > repeatLimits.longestMs
        ? { part: words, why: 'repeats' }
        : { rule, zone: here }
  const wall = wallOf(rule.time, now, here, say)
  if (wall === null) return unread(rule.time, now, here, say)
  const { time, zone } = wall
  const hour =
    rule.time === '' && rule.part ? hours[rule.part] : rule.part ? hourIn(rule.part, time.hour, rule.time) : time.hour
  if (hour === null || hour > 23) return { part: rule.time, why: 'two-readings' }
  const { monthDay = undefined } = rule
  const on = monthDay === undefined ? {} : { monthDay: monthDay ?? dateAt(now, offsetsOf(zone)).day }
  return { rule: { kind: 'days', weekdays: [...rule.weekdays], ...on, hour, minute: time.minute }, zone }
}

/** “every evening at 8” is 20:00; “every night at 2” is whose night? */
function hourIn(part: DayPart, hour: number, said: string): number | null {
  if (part === 'morning') return hour < 12 ? hour : null
  if (hour >= 12) return hour
  return /[ap]m\b/.test(said) || hour < (part === 'afternoon' ? 1 : 4) ? null : hour + 12
}

function wallOf(text: string, now: number, here: string, say: Say): { time: TimeOfDay; zone: string } | null {
  const place = /\d/.test(text) ? zoneSaid(text) : null
  const zone = place?.zone ?? here
  const rest = place?.rest.replace(/^at /, '') ?? text
  if (rest === '') return { time: { hour: 9, minute: 0, second: 0 }, zone }
  if (/^\d{1,2}$/.test(rest))
    return Number(rest) < 24 ? { time: { hour: Number(rest), minute: 0, second: 0 }, zone } : null
  const said = say(rest, now, zone)
  if (said?.kind !== 'wall' || said.date !== null || said.time === null || said.time.second !== 0) return null
  if (said.offset === undefined) return { time: said.time, zone }
  return said.offset === 0 && !place ? { time: said.time, zone: 'UTC' } : null
}

function instantIn(text: string, now: number, zone: string, say: Say): number | null {
  const said = say(text, now, zone)
  return said && instantSaid(said, now, offsetsOf(zone))
}

/** The last instant that still is within what was said; null: nothing was. */
function endOf({ until, lasts }: RepeatSaid, dueAtMs: number, zone: string, say: Say): number | RepeatRefused | null {
  const text = until ?? lasts
  if (text === null) return null
  if (until !== null && lasts !== null) return { part: lasts, why: 'unknown' }
  const said = say(text, dueAtMs, zone)
  // “until 2 weeks” and “for friday” say nothing.
  if (!said || (lasts !== null) !== (said.kind === 'span')) return unread(text, dueAtMs, zone, say)
  const offsetAt = offsetsOf(zone)
  // “for 5 days” are five of them; “until friday” has the whole of it.
  const end =
    said.kind === 'span'
      ? instantSaid(said, dueAtMs, offsetAt) - 1
      : said.kind === 'wall' && said.date !== null && said.time === null
        ? instantOf(addDays(said.date, 1), { hour: 0, minute: 0, second: 0 }, offsetAt) - 1
        : instantSaid(said, dueAtMs, offsetAt)
  if (end < dueAtMs) return { part: text, why: 'ends-before' }
  return end
}

const unread = (text: string, now: number, zone: string, say: Say): RepeatRefused =>
  notUnderstood(text, (rest) => say(rest, now, zone) !== null)
