import { describe, expect, it } from 'vitest'
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
})
