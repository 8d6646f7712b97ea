import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { nowFacts } from '../clock.ts'
import { dateAt, instantOf, offsetsOf, timeAt } from './wall-time.ts'

const wall = (zone: string, said: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = said.split(/\D/).map(Number)
  return nowFacts(instantOf({ year, month, day }, { hour, minute, second: 0 }, offsetsOf(zone)), zone).local
}

describe('a time on the wall is an instant', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01 09:00', '2026-07-01T09:00:00+02:00'],
    ['Europe/Berlin', '2026-12-01 09:00', '2026-12-01T09:00:00+01:00'],
    // skipped: it moves on by the hour
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T03:30:00+02:00'],
    ['Europe/Berlin', '2026-03-29 01:59', '2026-03-29T01:59:00+01:00'],
    ['Europe/Berlin', '2026-03-29 03:00', '2026-03-29T03:00:00+02:00'],
    // twice: the first
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T02:30:00+02:00'],
    ['Europe/Berlin', '2026-10-25 03:00', '2026-10-25T03:00:00+01:00'],
    ['America/St_Johns', '2026-11-01 01:30', '2026-11-01T01:30:00-02:30'],
    ['America/St_Johns', '2026-03-08 02:15', '2026-03-08T03:15:00-02:30'],
    // half an hour only
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-04T02:45:00+11:00'],
    // a day that begins at one
    ['Africa/Cairo', '2026-04-24 00:00', '2026-04-24T01:00:00+03:00'],
    ['Asia/Shanghai', '2026-11-25 24:00', '2026-11-26T00:00:00+08:00'],
    ['Asia/Kathmandu', '2026-11-25 06:00', '2026-11-25T06:00:00+05:45'],
  ])('%s %s is %s', (zone, said, instant) => expect(wall(zone, said)).toBe(instant))

  it('and the wall shows that time at it, wherever the clocks are not changed', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'Asia/Shanghai',
      'America/St_Johns',
      'Pacific/Chatham',
      'Africa/Casablanca',
      'UTC',
    )
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: Date.UTC(2060, 0) / 1000 }), (zone, seconds) => {
        const offsetAt = offsetsOf(zone)
        const instant = seconds * 1000
        const back = instantOf(dateAt(instant, offsetAt), timeAt(instant, offsetAt), offsetAt)
        // Of a doubled hour the first is meant.
        const doubled = offsetAt(back) - offsetAt(instant)
        expect(instant - back).toBe(doubled > 0 ? doubled : 0)
      }),
      runs(100),
    )
  })
})
