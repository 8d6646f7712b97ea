import { describe, expect, it } from 'vitest'
import type { QuietHours } from '../../../shared/config/notifications.ts'
import { offsetsOf } from '../base/calendar/wall-time.ts'
import { passes, quietUntil } from './quiet.ts'

const hours = (from: string, to: string, over: Partial<QuietHours> = {}): QuietHours => ({
  on: true,
  from,
  to,
  needsYou: false,
  ownAlarms: false,
  ...over,
})
const berlin = offsetsOf('Europe/Berlin')
const until = (h: QuietHours, at: string) => {
  const end = quietUntil(h, Date.parse(at), berlin)
  return end === null ? null : new Date(end).toISOString()
}

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:30', '2026-11-24T20:59:59.999Z', null],
    ['22:00', '07:30', '2026-11-24T21:00:00Z', '2026-11-25T06:30:00.000Z'],
    ['22:00', '07:30', '2026-11-25T06:29:59.999Z', '2026-11-25T06:30:00.000Z'],
    ['22:00', '07:30', '2026-11-25T06:30:00Z', null],
    ['9:00', '17:00', '2026-11-25T08:00:00Z', '2026-11-25T16:00:00.000Z'],
    ['9:00', '17:00', '2026-11-25T16:00:00Z', null],
    // over the end of a month and a year
    ['23:00', '00:15', '2026-12-31T22:30:00Z', '2026-12-31T23:15:00.000Z'],
    ['00:00', '06:00', '2026-12-31T23:00:00Z', '2027-01-01T05:00:00.000Z'],
  ])('from %s to %s, seen at %s, end at %s', (from, to, at, end) => {
    expect(until(hours(from, to), at)).toBe(end)
  })

  it.each([
    // 29 March 2026: 02:00 to 03:00 is skipped. The night is an hour shorter.
    ['22:00', '07:30', '2026-03-28T21:00:00Z', '2026-03-29T05:30:00.000Z'],
    // what would end in the skipped hour ends as much later
    ['22:00', '02:30', '2026-03-29T00:59:00Z', '2026-03-29T01:30:00.000Z'],
    // 25 October 2026: 02:00 to 03:00 comes twice. The night is an hour longer,
    ['22:00', '07:30', '2026-10-24T20:00:00Z', '2026-10-25T06:30:00.000Z'],
    // and what ended in that hour once does not begin again with its second.
    ['22:00', '02:30', '2026-10-25T00:29:00Z', '2026-10-25T00:30:00.000Z'],
    ['22:00', '02:30', '2026-10-25T01:10:00Z', null],
    ['02:15', '02:45', '2026-10-25T01:20:00Z', null],
    // nearly a whole day, on the day of 25 hours
    ['23:45', '23:40', '2026-10-25T22:30:00Z', '2026-10-25T22:40:00.000Z'],
  ])('over a change of the clocks: from %s to %s, seen at %s, end at %s', (from, to, at, end) => {
    expect(until(hours(from, to), at)).toBe(end)
  })

  it('that are switched off are none', () => {
    expect(until(hours('22:00', '07:30', { on: false }), '2026-11-24T23:00:00Z')).toBe(null)
  })

  it('let through what a person said, and an alarm only where they set it themselves', () => {
    const none = hours('22:00', '07:30')
    const both = { ...none, needsYou: true, ownAlarms: true }
    expect(passes(none, { class: 'needs-you' })).toBe(false)
    expect(passes(none, { class: 'alarm-due', own: true })).toBe(false)
    expect(passes(both, { class: 'needs-you' })).toBe(true)
    expect(passes(both, { class: 'alarm-due', own: true })).toBe(true)
    expect(passes(both, { class: 'alarm-due' })).toBe(false)
    expect(passes(both, { class: 'limit' })).toBe(false)
  })
})
