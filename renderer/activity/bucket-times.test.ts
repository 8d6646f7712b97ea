import { describe, expect, it } from 'vitest'
import { bucketTimesOf } from './bucket-times.ts'

const HOUR = 3_600_000
const at = (hour: number, day = 21) => Date.UTC(2026, 10, day, hour)
const en = bucketTimesOf('en', 'Europe/Berlin')
const zh = bucketTimesOf('zh-CN', 'Europe/Berlin')

describe('times of buckets', () => {
  it.each([
    ['an hour', { at: at(13), ms: HOUR }, '14:00', '14:00–15:00', '14:00', '14:00–15:00'],
    [
      'six hours',
      { at: at(11), ms: 6 * HOUR },
      'Sat 21',
      'Sat 21 Nov, 12:00–18:00',
      '周六 21 日',
      '11 月 21 日 周六 12:00–18:00',
    ],
    [
      'six hours up to midnight',
      { at: at(17), ms: 6 * HOUR },
      'Sat 21',
      'Sat 21 Nov, 18:00–00:00',
      '周六 21 日',
      '11 月 21 日 周六 18:00–00:00',
    ],
    ['a day', { at: at(23, 20), ms: 24 * HOUR }, '21 Nov', 'Sat 21 Nov', '11/21', '11 月 21 日 周六'],
    [
      'a day on which the clock is put back',
      { at: Date.UTC(2026, 9, 24, 22), ms: 25 * HOUR },
      '25 Oct',
      'Sun 25 Oct',
      '10/25',
      '10 月 25 日 周日',
    ],
    [
      'a day on which it is put forward',
      { at: Date.UTC(2026, 2, 28, 23), ms: 23 * HOUR },
      '29 Mar',
      'Sun 29 Mar',
      '3/29',
      '3 月 29 日 周日',
    ],
    [
      'a day of another place',
      { at: at(0), ms: 24 * HOUR },
      '21 Nov',
      '21 Nov, 01:00 – 22 Nov, 01:00',
      '11/21',
      '11 月 21 日 01:00 – 11 月 22 日 01:00',
    ],
  ])('%s', (_what, bucket, tick, whole, zhTick, zhWhole) => {
    expect([en.tick(bucket), en.whole(bucket), zh.tick(bucket), zh.whole(bucket)]).toEqual([
      tick,
      whole,
      zhTick,
      zhWhole,
    ])
  })

  it('of another day in a table', () =>
    expect([en.stamp(at(8, 14)), zh.stamp(at(8, 14))]).toEqual(['14 Nov, 09:00', '11 月 14 日 09:00']))
})
