import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { UnreadWhy } from '../../../../shared/alarms/alarms.ts'
import { repeatLimits } from '../../../../shared/alarms/repeat.ts'
import { repeatRequestShape } from '../../../../shared/alarms/repeat-shape.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { readTime } from './read-time.ts'

/** a Sunday, 12:30 in Berlin */
const sunday = Date.parse('2026-11-22T11:30:00.000Z')
const read = (text: string) => readTime(text, sunday, 'Europe/Berlin')
const utc = (at: number): string => new Date(at).toISOString().slice(0, 16)
const every = [0, 1, 2, 3, 4, 5, 6]
const work = [1, 2, 3, 4, 5]

describe('days that come again', () => {
  it.each<[string, readonly number[], string, string, number, string]>([
    ['every day at 9', every, '9:0', '2026-11-23T08:00', 30, '2026-12-22T08:00'],
    ['9:00 every day', every, '9:0', '2026-11-23T08:00', 30, '2026-12-22T08:00'],
    ['Daily 9:30pm', every, '21:30', '2026-11-22T20:30', 30, '2026-12-21T20:30'],
    ['every day', every, '9:0', '2026-11-23T08:00', 30, '2026-12-22T08:00'],
    ['every morning', every, '9:0', '2026-11-23T08:00', 30, '2026-12-22T08:00'],
    ['every evening at 8', every, '20:0', '2026-11-22T19:00', 30, '2026-12-21T19:00'],
    ['every weekday at 9:30', work, '9:30', '2026-11-23T08:30', 22, '2026-12-22T08:30'],
    ['every monday to friday at 7', work, '7:0', '2026-11-23T06:00', 22, '2026-12-22T06:00'],
    ['every monday 18:00', [1], '18:0', '2026-11-23T17:00', 5, '2026-12-21T17:00'],
    ['mondays 18:00', [1], '18:0', '2026-11-23T17:00', 5, '2026-12-21T17:00'],
    ['every mon, wed and fri 9', [1, 3, 5], '9:0', '2026-11-23T08:00', 13, '2026-12-21T08:00'],
    ['every day at 9 until 1 dec', every, '9:0', '2026-11-23T08:00', 9, '2026-12-01T08:00'],
    ['every day at 9 for 2 weeks', every, '9:0', '2026-11-23T08:00', 14, '2026-12-06T08:00'],
    ['every day at 9, 5 times', every, '9:0', '2026-11-23T08:00', 5, '2026-11-27T08:00'],
    ['every day at 9 from wed, 3 times', every, '9:0', '2026-11-25T08:00', 3, '2026-11-27T08:00'],
    ['每天早上9点', every, '9:0', '2026-11-23T08:00', 30, '2026-12-22T08:00'],
    ['每晚8点', every, '20:0', '2026-11-22T19:00', 30, '2026-12-21T19:00'],
    ['每个工作日9:30', work, '9:30', '2026-11-23T08:30', 22, '2026-12-22T08:30'],
    ['每周一18点', [1], '18:0', '2026-11-23T17:00', 5, '2026-12-21T17:00'],
    ['每周一三五9点', [1, 3, 5], '9:0', '2026-11-23T08:00', 13, '2026-12-21T08:00'],
    ['每周一三点', [1], '3:0', '2026-11-23T02:00', 5, '2026-12-21T02:00'],
    ['每周一到周五7点', work, '7:0', '2026-11-23T06:00', 22, '2026-12-22T06:00'],
    ['每天9点 到12月1日', every, '9:0', '2026-11-23T08:00', 9, '2026-12-01T08:00'],
    ['每天9点 持续两周', every, '9:0', '2026-11-23T08:00', 14, '2026-12-06T08:00'],
    ['从周三起每天9点 共3次', every, '9:0', '2026-11-25T08:00', 3, '2026-11-27T08:00'],
  ])('%s', (text, weekdays, at, first, times, last) => {
    const result = read(text)
    if (!result.ok || result.repeat?.wish.rule.kind !== 'days') throw new Error(JSON.stringify(result))
    const { rule, times: count, untilMs, zone } = result.repeat.wish
    expect([rule.weekdays, `${rule.hour}:${rule.minute}`, utc(result.at), count, utc(untilMs), zone]).toEqual([
      weekdays,
      at,
      first,
      times,
      last,
      'Europe/Berlin',
    ])
  })

  it.each([
    ['every day at 9 New York', 'America/New_York', '2026-11-22T14:00'],
    ['每天早上9点 纽约时间', 'America/New_York', '2026-11-22T14:00'],
    ['纽约时间每天9点', 'America/New_York', '2026-11-22T14:00'],
    ['every day 9:00 utc', 'UTC', '2026-11-23T09:00'],
  ])('%s: on the clocks there', (text, zone, first) => {
    const result = read(text)
    expect(result).toMatchObject({ ok: true, there: { zone }, repeat: { wish: { zone } } })
    expect(utc(result.at ?? 0)).toBe(first)
  })
})

describe('intervals', () => {
  it.each<[string, number, string, number, string]>([
    ['every 2 hours until fri 18:00', 120, '2026-11-22T13:30', 62, '2026-11-27T15:30'],
    ['every 30 min, 5 times', 30, '2026-11-22T12:00', 5, '2026-11-22T14:00'],
    ['5 times every hour', 60, '2026-11-22T12:30', 5, '2026-11-22T16:30'],
    ['hourly', 60, '2026-11-22T12:30', 100, '2026-11-26T15:30'],
    ['every half hour for 1 day', 30, '2026-11-22T12:00', 48, '2026-11-23T11:30'],
    ['every 2 hours starting at 14:00, 3 times', 120, '2026-11-22T13:00', 3, '2026-11-22T17:00'],
    ['每2小时 直到周五18点', 120, '2026-11-22T13:30', 62, '2026-11-27T15:30'],
    ['每30分钟 共5次', 30, '2026-11-22T12:00', 5, '2026-11-22T14:00'],
    ['每隔半小时 共三次', 30, '2026-11-22T12:00', 3, '2026-11-22T13:00'],
    ['每小时', 60, '2026-11-22T12:30', 100, '2026-11-26T15:30'],
  ])('%s', (text, minutes, first, times, last) => {
    const result = read(text)
    if (!result.ok || result.repeat?.wish.rule.kind !== 'interval') throw new Error(JSON.stringify(result))
    const { rule, times: count, untilMs } = result.repeat.wish
    expect([rule.ms / 60_000, utc(result.at), count, utc(untilMs)]).toEqual([minutes, first, times, last])
  })
})

describe('an end', () => {
  it.each([
    ['every day at 9', true],
    ['每天9点', true],
    ['every day at 9 until fri', false],
    ['每天9点 共5次', false],
  ])('%s: by default %s', (text, byDefault) =>
    expect(read(text)).toMatchObject({ ok: true, repeat: { endedByDefault: byDefault } }),
  )
  it.each<[string, UnreadWhy, string]>([
    ['Every minute', 'too-often', 'Every minute'],
    ['every 4 min, 3 times', 'too-often', 'every 4 min'],
    ['每30秒', 'too-often', '每30秒'],
    ['every day at 9, 5000 times', 'too-many', '5000 times'],
    ['every 5 min until 1 jan', 'too-many', '1 jan'],
    ['every monday at 9, 80 times', 'too-many', '80 times'],
    ['每天9点 共5000次', 'too-many', '共5000次'],
    ['every day at 9 until 31 dec 2027', 'too-many', '31 dec 2027'],
    ['every day at 9 until yesterday', 'ends-before', 'yesterday'],
    ['every day at 9 until blorp', 'unknown', 'blorp'],
    ['every day at 25:00', 'unknown', '25:00'],
    ['every day at 9 New Yrok', 'unknown', 'New Yrok'],
    ['every night at 2', 'two-readings', '2'],
    ['每天25点', 'unknown', '25点'],
    ['每天9点吃饭', 'unknown', '吃饭'],
  ])('%s: %s, “%s”', (text, why, part) =>
    expect(read(text)).toEqual({ ok: false, code: 'unread', at: null, part, why }),
  )
  it('has whatever is read, within what an alarm may have', () => {
    const lead = fc.constantFrom(
      'every day',
      'daily',
      'every weekday',
      'mondays',
      'every 5 min',
      'every 3 hours',
      '每天',
      '每周五',
      '每2小时',
    )
    const time = fc.constantFrom('', ' at 9', ' 18:30', ' Tokyo', '9点', '晚上8点')
    const end = fc.constantFrom(
      '',
      ' until fri',
      ' until 31 dec 2027',
      ' for 3 months',
      ', 7 times',
      ' 直到周五',
      ' 共900次',
    )
    fc.assert(
      fc.property(lead, time, end, fc.integer({ min: 0, max: 400 * 1440 }), (a, b, c, minutes) => {
        const now = sunday + minutes * 60_000
        const result = readTime(`${a}${b}${c}`, now, 'America/New_York')
        if (!result.ok) {
          expect(result.code).toBe('unread')
          return
        }
        expect(result.at).toBeGreaterThan(now)
        const { wish } = result.repeat ?? {}
        expect(repeatRequestShape(z).safeParse(wish).success).toBe(true)
        expect(wish?.untilMs).toBeGreaterThanOrEqual(result.at)
        expect((wish?.untilMs ?? 0) - result.at).toBeLessThanOrEqual(repeatLimits.longestMs)
      }),
      runs(200),
    )
  })
})
