import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { nowFacts } from './now-facts.ts'

describe('an instant as a model reads it', () => {
  it.each([
    ['2026-11-21T14:00:00Z', 'UTC', '2026-11-21T14:00:00+00:00'],
    ['2026-11-21T14:00:00Z', 'Europe/Berlin', '2026-11-21T15:00:00+01:00'],
    ['2026-07-01T14:00:00Z', 'Europe/Berlin', '2026-07-01T16:00:00+02:00'],
    // The hour that comes twice, and the one that never comes.
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
    ['2026-11-21T20:00:00Z', 'Asia/Kolkata', '2026-11-22T01:30:00+05:30'],
    ['2026-11-21T20:00:00Z', 'Asia/Kathmandu', '2026-11-22T01:45:00+05:45'],
    ['2026-11-21T14:00:00Z', 'America/St_Johns', '2026-11-21T10:30:00-03:30'],
    ['2026-07-01T14:00:00Z', 'Australia/Lord_Howe', '2026-07-02T00:30:00+10:30'],
    ['2026-12-31T23:30:00Z', 'Pacific/Kiritimati', '2027-01-01T13:30:00+14:00'],
    ['2026-01-01T00:00:00Z', 'America/Los_Angeles', '2025-12-31T16:00:00-08:00'],
    ['2026-11-21T00:00:00Z', 'Asia/Shanghai', '2026-11-21T08:00:00+08:00'],
    ['2026-11-20T16:00:00Z', 'Asia/Shanghai', '2026-11-21T00:00:00+08:00'],
  ])('%s in %s is %s', (utc, zone, local) => {
    const ms = Date.parse(utc)
    expect(nowFacts(ms, zone)).toEqual({ nowMs: ms, utc: new Date(ms).toISOString(), local, timezone: zone })
    expect(Date.parse(local)).toBe(ms)
  })

  it.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Gaza', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'])(
    'is the same in %s whatever was asked before',
    (zone) => {
      const since = Date.UTC(2010, 2, 1)
      fc.assert(
        fc.property(fc.nat(16 * 365 * 24 * 60), fc.nat(119_999), (minutes, ms) => {
          const begin = since + minutes * 60_000
          nowFacts(begin, zone)
          const asked = nowFacts(begin + ms, zone)
          // Another year's minute in between makes it look at the zone anew.
          nowFacts(0, zone)
          nowFacts(begin - 3_600_000, zone)
          expect(asked).toEqual(nowFacts(begin + ms, zone))
          expect(Math.floor(Date.parse(asked.local) / 1_000)).toBe(Math.floor((begin + ms) / 1_000))
        }),
        runs(300),
      )
    },
  )
  it('is told where a zone was off by seconds', () => {
    expect(nowFacts(Date.UTC(1971, 0), 'Africa/Monrovia').local).toBe('1970-12-31T23:15:30-00:44')
    expect(nowFacts(Date.UTC(1971, 0) + 1_000, 'Africa/Monrovia').local).toBe('1970-12-31T23:15:31-00:44')
  })
})
