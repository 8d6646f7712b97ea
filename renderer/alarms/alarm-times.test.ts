import { describe, expect, it } from 'vitest'
import { wordsOf } from '../testing/words.ts'
import { alarmTimesOf } from './alarm-times.ts'

/** Saturday 21 November 2026, 14:12:32 in Berlin */
const now = Date.UTC(2026, 10, 21, 13, 12, 32)
const at = (iso: string): number => Date.parse(`${iso}+01:00`)
const [en, zh] = [alarmTimesOf(wordsOf('en'), 'Europe/Berlin'), alarmTimesOf(wordsOf('zh-CN'), 'Europe/Berlin')]

describe('the time of an alarm', () => {
  it.each([
    ['2026-11-21T14:57:00', 'today at 14:57:00', '今天 14:57:00', '14:57', '14:57', '14:57', '14:57', '14:57'],
    [
      '2026-11-22T09:00:00',
      'tomorrow at 09:00:00',
      '明天 09:00:00',
      '22 Nov, 09:00',
      '11/22 09:00',
      'Sun',
      'tomorrow 09:00',
      '明天 09:00',
    ],
    [
      '2026-11-20T23:00:00',
      'yesterday at 23:00:00',
      '昨天 23:00:00',
      '20 Nov, 23:00',
      '11/20 23:00',
      '20 Nov',
      '2026-11-20 23:00',
      '2026-11-20 23:00',
    ],
    [
      '2026-11-30T09:00:00',
      'Monday 30 November at 09:00:00',
      '11 月 30 日 星期一 09:00:00',
      '30 Nov, 09:00',
      '11/30 09:00',
      '30 Nov',
      '2026-11-30 09:00',
      '2026-11-30 09:00',
    ],
    [
      '2027-11-30T09:00:00',
      '2027-11-30 at 09:00:00',
      '2027-11-30 09:00:00',
      '2027-11-30',
      '2027-11-30',
      '30 Nov',
      '2027-11-30 09:00',
      '2027-11-30 09:00',
    ],
  ])('%s', (iso, exact, exactZh, short, shortZh, brief, typed, typedZh) => {
    const due = at(iso)
    expect([
      en.exact(due, now),
      zh.exact(due, now),
      en.short(due, now),
      zh.short(due, now),
      en.brief(due, now),
      en.typed(due, now),
      zh.typed(due, now),
    ]).toEqual([exact, exactZh, short, shortZh, brief, typed, typedZh])
  })

  it('is told in the zone of the engine', () =>
    expect(alarmTimesOf(wordsOf('en'), 'Asia/Shanghai').exact(at('2026-11-21T17:30:00'), now)).toBe(
      'tomorrow at 00:30:00',
    ))
})
