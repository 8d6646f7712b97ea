import type { ReadTime } from '../../../../shared/alarms.ts'

/** What a person wrote as a time, as the exact instant they mean. `zone`: IANA name in which days and hours are meant. */
export function readTime(text: string, _nowMs: number, _zone: string): ReadTime {
  return { ok: false, code: text.trim() === '' ? 'empty' : 'unread', at: null }
}
