import type { ReadTime } from '../../../../shared/alarms/alarms.ts'
import { nowFacts } from '../../base/clock.ts'
import { dateAt, offsetsOf } from '../../base/calendar/wall-time.ts'
import { readChinese } from './read-chinese.ts'
import { readEnglish } from './read-english.ts'
import { inEnglish } from './in-english.ts'
import { readRepeat, type Say } from './read-repeat.ts'
import { isRefused } from './repeat-said.ts'
import { notUnderstood } from './not-understood.ts'
import { readSpan } from './read-span.ts'
import { instantSaid, type Said, isReal } from './said.ts'
import { zoneSaid } from './zone-said.ts'

const iso =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:t| )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(z|[+-]\d{2}:?(?:\d{2})?))?)?$/

/** “2026-11-25 14:30”, “2026-11-25T14:30:00+01:00”, “2026/11/25” */
function readIso(text: string): Said | null {
  const found = iso.exec(text)
  if (!found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0))
  if (!isReal({ year, month, day }) || hour > 23 || minute > 59 || second > 59) return null
  const zone = found[8]
  if (zone === undefined)
    return { kind: 'wall', date: { year, month, day }, time: found[4] === undefined ? null : { hour, minute, second } }
  const ms = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000)
  const offset = offsetOf(zone)
  return offset === null
    ? null
    : { kind: 'instant', at: Date.UTC(year, month - 1, day, hour, minute, second, ms) - offset }
}

/** “z”, “+01:00”, “-0330”, “+08” as milliseconds ahead of UTC */
function offsetOf(zone: string): number | null {
  if (zone === 'z') return 0
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (Number(hours) > 14 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** longer than any time a person writes */
const mostLetters = 200
const lastInstant = Date.UTC(9999, 11, 31)

/**
 * Reads a time that a person wrote, as the exact instant they mean. `zone`: IANA name in which days and hours are
 * meant, if the text names no place of its own.
 * @example readTime('tomorrow 9:00', Date.UTC(2026, 10, 22, 12), 'Europe/Berlin') // at: 2026-11-23T09:00:00+01:00
 */
export function readTime(text: string, nowMs: number, zone: string): ReadTime {
  if (text.trim() === '') return { ok: false, code: 'empty', at: null }
  if (text.length > mostLetters) return { ok: false, code: 'unread', at: null, part: asWritten(text), why: 'unknown' }
  const plain = cleaned(text)
  const ways = [plain, ...inEnglish(plain)]
  const meant = firstOf(ways, (way) => read(way, nowMs, zone))
  if (meant === null) {
    const say: Say = (rest, now, where) => readIn(rest, now, where)?.said ?? null
    const again = firstOf(ways, (way) => readRepeat(way, nowMs, zone, say))
    if (again && isRefused(again))
      return {
        ok: false,
        code: 'unread',
        at: null,
        part: asWritten(text, plain.includes(again.part) ? again.part : plain),
        why: again.why,
      }
    if (again)
      return {
        ...understood(again.dueAtMs, zone, again.there),
        repeat: { wish: again.repeat, endedByDefault: again.endedByDefault },
      }
    const { part, why } = notUnderstood(
      plain,
      (rest) => firstOf([rest, ...inEnglish(rest)], (way) => read(way, nowMs, zone)) !== null,
    )
    return { ok: false, code: 'unread', at: null, part: asWritten(text, part), why }
  }
  const { at, there } = meant
  if (at < nowMs) return { ok: false, code: 'past', at }
  return understood(at, zone, there)
}

function firstOf<T>(ways: readonly string[], read: (way: string) => T | null): T | null {
  for (const way of ways) {
    const found = read(way)
    if (found !== null) return found
  }
  return null
}

const understood = (at: number, zone: string, there: string | null): Extract<ReadTime, { ok: true }> => ({
  ok: true,
  at,
  echo: nowFacts(at, zone).local,
  zone,
  there: there === null || there === zone ? null : { zone: there, echo: nowFacts(at, there).local },
})

/** `there`: the zone that the text names; null: none */
function read(text: string, now: number, zone: string): { at: number; there: string | null } | null {
  const here = readIn(text, now, zone)
  if (here !== null) return { at: here.at, there: null }
  const place = zoneSaid(text)
  const there = place && readIn(place.rest, now, place.zone)
  // “in 20 min” is the same everywhere, and an offset has said where: a place beside them means something else.
  return place && there && there.said.kind === 'wall' && there.said.offset === undefined
    ? { at: there.at, there: place.zone }
    : null
}

function readIn(text: string, now: number, zone: string): { at: number; said: Said } | null {
  const offsetAt = offsetsOf(zone)
  const today = dateAt(now, offsetAt)
  const said =
    readIso(text) ??
    readSpan(text) ??
    (/\p{Script=Han}/u.test(text) ? readChinese(text, today) : readEnglish(text, today))
  if (!said) return null
  const at = instantSaid(said, now, offsetAt)
  return Math.abs(at) < lastInstant ? { at, said } : null
}

/** longer ones are shown by their beginning */
const mostShown = 40

/** A part of the cleaned text in the person's own letters, where they can be found. */
function asWritten(text: string, part = text): string {
  const own = text.normalize('NFKC')
  const from = own.toLowerCase().indexOf(part)
  const found = from < 0 ? part : own.slice(from, from + part.length)
  const shown = (found.toLowerCase() === part ? found : part).trim()
  const signs = [...shown]
  return signs.length > mostShown ? `${signs.slice(0, mostShown).join('')}…` : shown
}

/** Words that people put around a time and that mean nothing by themselves. */
const courtesy =
  /^(?:(?:please|remind me|wake me|ring|alarm)(?![a-z'])|请|提醒我|提醒|叫我|在|到)[\s,:]*|(?:[\s,]*(?:\bplease|\bsharp|提醒我|提醒|叫我|的时候|时提醒我|吧))$/gu

/** One way of writing: half-width, lower case, single spaces, none beside Chinese. */
export function cleaned(text: string): string {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u200b\u2060\ufeff]+/g, ' ')
    .replace(/ ?(\p{Script=Han}) ?/gu, '$1')
    .replace(/[.!?。!,,\s]+$/u, '')
    .trim()
  // “please remind me at …”: one after another, each time the text gets shorter.
  for (;;) {
    const less = plain.replace(courtesy, '').trim()
    if (less === plain) return plain
    plain = less
  }
}
