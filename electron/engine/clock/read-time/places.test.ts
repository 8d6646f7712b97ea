import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { nowFacts } from '../../base/clock.ts'
import { cities } from './zone-said.ts'
import { readTime } from './read-time.ts'

const berlin = 'Europe/Berlin'
/** a Sunday, 12:30 in Berlin */
const sunday = Date.parse('2026-11-22T11:30:00.000Z')

describe('a time at a place', () => {
  it.each([
    ['fri 5pm New York', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['fri 5pm in new york', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['fri 5pm, New York', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['New York time fri 5pm', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['9:00 (Asia/Tokyo)', 'Asia/Tokyo', '2026-11-23T09:00:00+09:00'],
    ['tomorrow 9 Tokyo time', 'Asia/Tokyo', '2026-11-23T09:00:00+09:00'],
    ['tomorrow 9 San Francisco local time', 'America/Los_Angeles', '2026-11-23T09:00:00-08:00'],
    // The day is that of the place: it is Monday there already.
    ['today 3:00 Kiritimati', 'Pacific/Kiritimati', '2026-11-23T03:00:00+14:00'],
    ['2026-12-01 18:30 Kathmandu', 'Asia/Kathmandu', '2026-12-01T18:30:00+05:45'],
    ['周五下午5点 纽约', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['纽约时间周五下午5点', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['周五下午5点（纽约时间）', 'America/New_York', '2026-11-27T17:00:00-05:00'],
    ['明天北京时间9点', 'Asia/Shanghai', '2026-11-23T09:00:00+08:00'],
    ['东京当地时间明天9点', 'Asia/Tokyo', '2026-11-23T09:00:00+09:00'],
  ])('%s', (text, zone, echo) => {
    expect(readTime(text, sunday, berlin)).toEqual({
      ok: true,
      at: Date.parse(echo),
      echo: nowFacts(Date.parse(echo), berlin).local,
      zone: berlin,
      there: { zone, echo },
    })
  })

  it('here is no other place', () =>
    expect(readTime('tomorrow 9 Berlin', sunday, berlin)).toMatchObject({
      echo: '2026-11-23T09:00:00+01:00',
      there: null,
    }))

  it.each([
    // skipped there, not here: it moves on with the clocks
    ['2027-03-14 02:30 New York', '2027-03-14T03:30:00-04:00'],
    ['2027-03-28 02:30 New York', '2027-03-28T02:30:00-04:00'],
    // twice there: the first
    ['2027-11-07 01:30 New York', '2027-11-07T01:30:00-04:00'],
    ['2027-10-31 02:30 New York', '2027-10-31T02:30:00-04:00'],
  ])('where the clocks change: %s', (text, there) =>
    expect(readTime(text, sunday, berlin)).toMatchObject({ there: { echo: there } }),
  )

  it('is what the clock there shows, whatever the city and the day, and the echo is that instant', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cities()), fc.integer({ min: 0, max: 600 * 86_400 }), ([name, zone], seconds) => {
        const there = nowFacts(sunday + 2 * 86_400_000 + seconds * 1000, zone).local
        const wall = there.slice(0, 19)
        for (const text of [`${wall.replace('T', ' ')} ${name}`, `${name} ${wall.replace('T', ' ')}`]) {
          const read = readTime(text, sunday, berlin)
          // A doubled hour means the first; everything but the offset is the same.
          expect(read.ok ? (read.there?.echo ?? read.echo).slice(0, 19) : text).toBe(wall)
          if (read.ok) expect(Date.parse(read.there?.echo ?? read.echo)).toBe(read.at)
        }
      }),
      runs(100),
    )
  })
})
