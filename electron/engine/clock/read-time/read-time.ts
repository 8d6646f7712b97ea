import type { ReadTime } from '../../../../shared/alarms.ts'
import { nowFacts } from '../../base/now-facts.ts'
import { cleaned } from './clean.ts'
import { readChinese } from './read-chinese.ts'
import { readEnglish } from './read-english.ts'
import { readIso } from './read-iso.ts'
import { readSpan } from './read-span.ts'
import { instantSaid } from './said.ts'
import { dateAt, offsetsOf } from './wall-time.ts'

/** nobody writes a time at such length */
const mostLetters = 200
const lastInstant = Date.UTC(9999, 11, 31)

/**
 * What a person wrote as a time, as the exact instant they mean. `zone`: IANA name in which days and hours are meant.
 * @example readTime('tomorrow 9:00', Date.UTC(2026, 10, 22, 12), 'Europe/Berlin') // at: 2026-11-23T09:00:00+01:00
 */
export function readTime(text: string, nowMs: number, zone: string): ReadTime {
  if (text.trim() === '') return { ok: false, code: 'empty', at: null }
  const at = text.length > mostLetters ? null : read(cleaned(text), nowMs, zone)
  if (at === null || !(Math.abs(at) < lastInstant)) return { ok: false, code: 'unread', at: null }
  if (at < nowMs) return { ok: false, code: 'past', at }
  return { ok: true, at, echo: nowFacts(at, zone).local, zone }
}

function read(text: string, now: number, zone: string): number | null {
  const offsetAt = offsetsOf(zone)
  const today = dateAt(now, offsetAt)
  const said =
    readIso(text) ??
    readSpan(text) ??
    (/\p{Script=Han}/u.test(text) ? readChinese(text, today) : readEnglish(text, today))
  return said && instantSaid(said, now, offsetAt)
}
