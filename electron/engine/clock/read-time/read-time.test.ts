import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { nowFacts } from '../../base/clock.ts'
import { readTime } from './read-time.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const berlin = 'Europe/Berlin'
/** a Sunday, 12:30 in Berlin */
const sunday = Date.parse('2026-11-22T11:30:00.000Z')

/** what is echoed, or why not */
function echoOf(text: string, now = sunday, zone = berlin): string {
  const read = readTime(text, now, zone)
  return read.ok ? read.echo : read.at === null ? read.code : `${read.code} ${nowFacts(read.at, zone).local}`
}

describe('a time as a person types it', () => {
  it.each([
    ['in 20 min', '2026-11-22T12:50:00+01:00'],
    ['in 20 minutes', '2026-11-22T12:50:00+01:00'],
    ['20 min', '2026-11-22T12:50:00+01:00'],
    ['In 20 Min.', '2026-11-22T12:50:00+01:00'],
    ['in 1h30', '2026-11-22T14:00:00+01:00'],
    ['1h 30m', '2026-11-22T14:00:00+01:00'],
    ['1 hour and 30 minutes', '2026-11-22T14:00:00+01:00'],
    ['1.5 h', '2026-11-22T14:00:00+01:00'],
    ['90s', '2026-11-22T12:31:30+01:00'],
    ['an hour and a half', '2026-11-22T14:00:00+01:00'],
    ['in one and a half hours', '2026-11-22T14:00:00+01:00'],
    ['half an hour', '2026-11-22T13:00:00+01:00'],
    ['in a quarter of an hour', '2026-11-22T12:45:00+01:00'],
    ['in forty-five minutes', '2026-11-22T13:15:00+01:00'],
    ['in twenty-one minutes', '2026-11-22T12:51:00+01:00'],
    ['2 hours from now', '2026-11-22T14:30:00+01:00'],
    ['in a couple of hours', '2026-11-22T14:30:00+01:00'],
    ['in 2 days', '2026-11-24T12:30:00+01:00'],
    ['in two days and 3 hours', '2026-11-24T15:30:00+01:00'],
    ['in a week', '2026-11-29T12:30:00+01:00'],
    ['in 3 months', '2027-02-22T12:30:00+01:00'],
    ['now', '2026-11-22T12:30:00+01:00'],
  ])('a span: %s', (text, echo) => expect(echoOf(text)).toBe(echo))

  it.each([
    ['end of day', '2026-11-22T17:00:00+01:00'],
    ['by the end of the day', '2026-11-22T17:00:00+01:00'],
    ['tomorrow EOD', '2026-11-23T17:00:00+01:00'],
    ['friday by end of day', '2026-11-27T17:00:00+01:00'],
    ['in 20 Minuten', '2026-11-22T12:50:00+01:00'],
    ['in einer halben Stunde', '2026-11-22T13:00:00+01:00'],
    ['in 2 Tagen', '2026-11-24T12:30:00+01:00'],
    ['morgen um 9 Uhr', '2026-11-23T09:00:00+01:00'],
    ['morgen um 9.30 Uhr', '2026-11-23T09:30:00+01:00'],
    ['morgen früh', '2026-11-23T09:00:00+01:00'],
    ['heute Abend', '2026-11-22T20:00:00+01:00'],
    ['übermorgen um 14 Uhr 15', '2026-11-24T14:15:00+01:00'],
    ['am Freitag um 18:00', '2026-11-27T18:00:00+01:00'],
    ['25. November um 14:30 Uhr', '2026-11-25T14:30:00+01:00'],
    ['Ende des Tages', '2026-11-22T17:00:00+01:00'],
    ['dans 20 minutes', '2026-11-22T12:50:00+01:00'],
    ['dans 2 h', '2026-11-22T14:30:00+01:00'],
    ['demain à 9h', '2026-11-23T09:00:00+01:00'],
    ['demain à 9 h 30', '2026-11-23T09:30:00+01:00'],
    ['après-demain à midi', '2026-11-24T12:00:00+01:00'],
    ['vendredi à 18h', '2026-11-27T18:00:00+01:00'],
    ['le 25 novembre à 14h30', '2026-11-25T14:30:00+01:00'],
    ['ce soir', '2026-11-22T20:00:00+01:00'],
    ['en 20 minutos', '2026-11-22T12:50:00+01:00'],
    ['dentro de media hora', '2026-11-22T13:00:00+01:00'],
    ['mañana a las 9', '2026-11-23T09:00:00+01:00'],
    ['mañana a las 9 de la noche', '2026-11-23T21:00:00+01:00'],
    ['pasado mañana a las 9 y media', '2026-11-24T09:30:00+01:00'],
    ['el viernes a las 18:00', '2026-11-27T18:00:00+01:00'],
    ['25 de noviembre a las 14:30', '2026-11-25T14:30:00+01:00'],
    ['esta noche', '2026-11-22T20:00:00+01:00'],
    ['20分後', '2026-11-22T12:50:00+01:00'],
    ['2時間半後', '2026-11-22T15:00:00+01:00'],
    ['明日の9時', '2026-11-23T09:00:00+01:00'],
    ['明日の午後3時半', '2026-11-23T15:30:00+01:00'],
    ['金曜日の18時', '2026-11-27T18:00:00+01:00'],
    ['11月25日14時30分', '2026-11-25T14:30:00+01:00'],
    ['あさって正午', '2026-11-24T12:00:00+01:00'],
  ])('in other words: %s', (text, echo) => expect(echoOf(text)).toBe(echo))

  it.each([
    ['morgen um 9 Uhr blorp', 'blorp'],
    ['demain à 9h blorp', 'blorp'],
    ['mañana a las 9 blorp', 'blorp'],
    ['明日の9時ブロープ', 'ブロープ'],
  ])('names the part that it does not know: %s', (text, part) =>
    expect(readTime(text, sunday, berlin)).toMatchObject({ ok: false, code: 'unread', part }),
  )

  it.each([
    ['jeden Tag um 9', 9, 7],
    ['tous les jours à 9h', 9, 7],
    ['todos los días a las 9', 9, 7],
    ['毎日9時', 9, 7],
    ['jeden Montag um 8 Uhr', 8, 1],
    ['tous les lundis à 8h', 8, 1],
    ['cada lunes a las 8', 8, 1],
    ['毎週月曜日の8時', 8, 1],
    ['jeden Monat am 25 um 9 Uhr', 9, 7],
    ['tous les mois le 25 à 9h', 9, 7],
    ['毎月25日9時', 9, 7],
  ])('repeats in other words: %s', (text, hour, weekdays) => {
    const read = readTime(text, sunday, berlin)
    const rule = read.ok ? read.repeat?.wish.rule : null
    expect(rule?.kind === 'days' && [rule.hour, rule.weekdays.length]).toEqual([hour, weekdays])
  })

  it.each([
    ['9:00', '2026-11-23T09:00:00+01:00'],
    ['23:00', '2026-11-22T23:00:00+01:00'],
    ['9:30:15', '2026-11-23T09:30:15+01:00'],
    ['9am', '2026-11-23T09:00:00+01:00'],
    ['5pm', '2026-11-22T17:00:00+01:00'],
    ['at 5', '2026-11-23T05:00:00+01:00'],
    ['half past nine', '2026-11-23T09:30:00+01:00'],
    ['tomorrow at quarter to 10', '2026-11-23T09:45:00+01:00'],
    ['quarter past 2 pm', '2026-11-22T14:15:00+01:00'],
    ['12am', '2026-11-23T00:00:00+01:00'],
    ['12pm', '2026-11-23T12:00:00+01:00'],
    ['noon', '2026-11-23T12:00:00+01:00'],
    ['midnight', '2026-11-23T00:00:00+01:00'],
    ['midnight tonight', '2026-11-23T00:00:00+01:00'],
    ['tonight at midnight', '2026-11-23T00:00:00+01:00'],
    ['tomorrow 9:00', '2026-11-23T09:00:00+01:00'],
    ['tomorrow at 9am', '2026-11-23T09:00:00+01:00'],
    ['9:30 tomorrow', '2026-11-23T09:30:00+01:00'],
    ['tomorrow', '2026-11-23T09:00:00+01:00'],
    ['tomorrow noon', '2026-11-23T12:00:00+01:00'],
    ['tomorrow morning', '2026-11-23T09:00:00+01:00'],
    ['in the morning', '2026-11-23T09:00:00+01:00'],
    ['this afternoon', '2026-11-22T15:00:00+01:00'],
    ['tonight', '2026-11-22T20:00:00+01:00'],
    ['tonight at 8', '2026-11-22T20:00:00+01:00'],
    ['day after tomorrow', '2026-11-24T09:00:00+01:00'],
    ['the day after tomorrow 9:15', '2026-11-24T09:15:00+01:00'],
    ['9:15 the day after tomorrow', '2026-11-24T09:15:00+01:00'],
    ['in 2 days at 9:00', '2026-11-24T09:00:00+01:00'],
    ['today at 14:00', '2026-11-22T14:00:00+01:00'],
  ])('a time of a day: %s', (text, echo) => expect(echoOf(text)).toBe(echo))

  it.each([
    ['mon 10:00', '2026-11-23T10:00:00+01:00'],
    ['monday', '2026-11-23T09:00:00+01:00'],
    ['on monday', '2026-11-23T09:00:00+01:00'],
    ['friday 5pm', '2026-11-27T17:00:00+01:00'],
    ['this friday 5pm', '2026-11-27T17:00:00+01:00'],
    ['next friday 18:00', '2026-11-27T18:00:00+01:00'],
    ['noon friday', '2026-11-27T12:00:00+01:00'],
    ['morning friday', 'unread'],
    ['friday morning', '2026-11-27T09:00:00+01:00'],
    ['next month', '2026-12-22T09:00:00+01:00'],
    ['sunday', '2026-11-29T09:00:00+01:00'],
    ['sunday 13:00', '2026-11-22T13:00:00+01:00'],
    ['next week', '2026-11-29T09:00:00+01:00'],
    ['25 Nov 14:30', '2026-11-25T14:30:00+01:00'],
    ['Nov 25', '2026-11-25T09:00:00+01:00'],
    ['nov 25 2:30 pm', '2026-11-25T14:30:00+01:00'],
    ['1 Jan', '2027-01-01T09:00:00+01:00'],
    ['dec 1st, 2026 at 10:00', '2026-12-01T10:00:00+01:00'],
    ['fri 27 nov 9:00', '2026-11-27T09:00:00+01:00'],
    ['11/25 14:30', '2026-11-25T14:30:00+01:00'],
    ['25/11/2026 9:00', '2026-11-25T09:00:00+01:00'],
    ['2026-11-25 14:30', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25', '2026-11-25T09:00:00+01:00'],
    ['at 2026-11-25 14:30', '2026-11-25T14:30:00+01:00'],
    ['2026/11/25 14:30', '2026-11-25T14:30:00+01:00'],
    ['２０２６－１１－２５　１４：３０', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25T14:30:00-03:30', '2026-11-25T19:00:00+01:00'],
    ['2026-11-25T14:30Z', '2026-11-25T15:30:00+01:00'],
    ['2026-11-25 14:30:00.250 +0800', '2026-11-25T07:30:00+01:00'],
    ['9:00 UTC', '2026-11-23T10:00:00+01:00'],
    ['9pm gmt', '2026-11-22T22:00:00+01:00'],
    ['9:00 utc+2', '2026-11-23T08:00:00+01:00'],
  ])('a day: %s', (text, echo) => expect(echoOf(text)).toBe(echo))

  it.each([
    ['remind me in 20 min', '2026-11-22T12:50:00+01:00'],
    ['please remind me tomorrow at 9:00', '2026-11-23T09:00:00+01:00'],
    ['in 20 min, please', '2026-11-22T12:50:00+01:00'],
    ['9:00 sharp', '2026-11-23T09:00:00+01:00'],
  ])('with courtesy: %s', (text, echo) => expect(echoOf(text)).toBe(echo))
})

describe('what is no time, or not one alone', () => {
  it.each([
    'in 20 minx',
    'in 20 min or so',
    'in 20 min buy milk',
    'in min',
    'in 5 min 5 min',
    'in 1 min 2 h',
    'in a few minutes',
    '9',
    '930',
    '25:00',
    '9:75',
    '13pm',
    '9:00-10:00',
    'tomorrow or friday',
    'not tomorrow',
    'may',
    'weekend',
    'remind me',
    'Feb 30',
    '2026-02-30',
    '2026-02-30 10:00',
    '2026-11-25T24:30Z',
    '2026-11-25T10:00+25:00',
    'fri 26 nov 9:00',
    // contradictions
    'tonight morning',
    'tomorrow morning at 20:00',
    'morning 9:00 tonight',
    'and 2h',
    'this 9 week',
    '-5 min',
    // two readings each
    '14h30',
    '17h00',
    '3/4 10:00',
    '3.4.2026 9:00',
    '9:00 CST',
    'tomorrow midnight',
    'in 999999 months',
    'constructor',
    'in 5 constructor',
    'in forty-twelve minutes',
    'half past noon',
    'half past 13 pm',
    '!!!',
    '𝟘',
    '\u0000',
  ])('%j', (text) => expect(echoOf(text)).toBe('unread'))
  it.each(['', ' ', '\n\t', '\u3000'])('nothing: %j', (text) =>
    expect(readTime(text, sunday, berlin)).toEqual({ ok: false, code: 'empty', at: null }),
  )
})

describe('what is over', () => {
  it.each([
    ['today 9:00', 'past 2026-11-22T09:00:00+01:00'],
    ['yesterday 9:00', 'past 2026-11-21T09:00:00+01:00'],
    ['last monday', 'past 2026-11-16T09:00:00+01:00'],
    ['5 minutes ago', 'past 2026-11-22T12:25:00+01:00'],
    ['2020-01-01 10:00', 'past 2020-01-01T10:00:00+01:00'],
    ['2020-01-01T10:00Z', 'past 2020-01-01T11:00:00+01:00'],
    ['this morning', 'past 2026-11-22T09:00:00+01:00'],
    ['22 nov 9:00', 'past 2026-11-22T09:00:00+01:00'],
  ])('%s', (text, said) => expect(echoOf(text)).toBe(said))
})

describe('“next”, by the day it is said on', () => {
  const wednesday = Date.parse('2026-11-25T11:00:00Z')
  it.each([
    ['wed 11:00', '2026-12-02T11:00:00+01:00'],
    ['wed 13:00', '2026-11-25T13:00:00+01:00'],
    ['wednesday', '2026-12-02T09:00:00+01:00'],
    ['next wednesday', '2026-12-02T09:00:00+01:00'],
    ['friday', '2026-11-27T09:00:00+01:00'],
    ['next friday', '2026-12-04T09:00:00+01:00'],
    ['monday', '2026-11-30T09:00:00+01:00'],
    ['monday next week', '2026-11-30T09:00:00+01:00'],
  ])('%s on a Wednesday', (text, echo) => expect(echoOf(text, wednesday)).toBe(echo))
})

describe('where the clocks change', () => {
  it.each<[zone: string, now: string, text: string, echo: string]>([
    // Berlin loses 2:00 to 3:00 on 29 March and has it twice on 25 October
    [berlin, '2026-03-28T23:00:00+01:00', '2:30', '2026-03-29T03:30:00+02:00'],
    [berlin, '2026-03-28T09:00:00+01:00', 'tomorrow 9:00', '2026-03-29T09:00:00+02:00'],
    [berlin, '2026-03-28T09:00:00+01:00', 'in 24 hours', '2026-03-29T10:00:00+02:00'],
    [berlin, '2026-03-28T09:00:00+01:00', 'in 1 day', '2026-03-29T09:00:00+02:00'],
    [berlin, '2026-03-29T01:59:00+01:00', 'in 2 min', '2026-03-29T03:01:00+02:00'],
    [berlin, '2026-10-24T23:00:00+02:00', '2:30', '2026-10-25T02:30:00+02:00'],
    [berlin, '2026-10-25T02:15:00+02:00', '2:30', '2026-10-25T02:30:00+02:00'],
    [berlin, '2026-10-25T02:15:00+01:00', '2:30', '2026-10-26T02:30:00+01:00'],
    [berlin, '2026-10-24T12:00:00+02:00', 'tomorrow at noon', '2026-10-25T12:00:00+01:00'],
    ['America/St_Johns', '2026-10-31T20:00:00-02:30', 'tomorrow 9:00', '2026-11-01T09:00:00-03:30'],
    ['America/St_Johns', '2026-11-22T23:45:00-03:30', '0:10', '2026-11-23T00:10:00-03:30'],
    ['Asia/Shanghai', '2026-11-22T23:30:00+08:00', 'tomorrow', '2026-11-23T09:00:00+08:00'],
    ['Asia/Shanghai', '2026-11-22T23:30:00+08:00', '9:00 utc', '2026-11-23T17:00:00+08:00'],
    ['Asia/Shanghai', '2026-11-22T00:30:00+08:00', 'mon 10:00', '2026-11-23T10:00:00+08:00'],
    ['Pacific/Kiritimati', '2026-11-23T00:30:00+14:00', 'today 9:00', '2026-11-23T09:00:00+14:00'],
    ['America/Los_Angeles', '2026-12-31T23:30:00-08:00', '1 jan 9:00', '2027-01-01T09:00:00-08:00'],
  ])('%s, %s: %s', (zone, now, text, echo) => expect(echoOf(text, Date.parse(now), zone)).toBe(echo))
})

describe('whatever zone this process is in', () => {
  const own = process.env.TZ
  afterAll(() => {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })
  it.each(['America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Africa/Cairo'])('%s', (zone) => {
    process.env.TZ = zone
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
    for (const [text, echo] of [
      ['tomorrow 9:00', '2026-04-24T09:00:00+02:00'],
      ['friday 0:00', '2026-04-24T00:00:00+02:00'],
      ['fri 24 apr 0:30', '2026-04-24T00:30:00+02:00'],
      ['9:00 utc', '2026-04-23T11:00:00+02:00'],
    ] as const) {
      expect(echoOf(text, Date.parse('2026-04-23T00:10:00+02:00'))).toBe(echo)
    }
  })
})

describe('always', () => {
  const zones = fc.constantFrom(berlin, 'Asia/Shanghai', 'America/St_Johns', 'Pacific/Chatham', 'Africa/Cairo')
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

  it('an instant written as local text reads back', () => {
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 3 * 365 * 86_400 }), fc.boolean(), (zone, seconds, nextDays) => {
        const at = sunday + (nextDays ? seconds % (300 * 86_400) : seconds) * 1000
        const { local, utc } = nowFacts(at, zone)
        const [day = '', clock = ''] = local.slice(0, 19).split('T')
        const [year, month = '', date] = day.split('-')
        const exact = [local, utc, local.replace('T', ' ')]
        const onTheWall = [
          `${day} ${clock}`,
          `${date} ${months[Number(month) - 1]} ${year} at ${clock}`,
          `${year}年${month}月${date}日 ${clock}`,
          ...(nextDays ? [`${date} ${months[Number(month) - 1]} ${clock}`, `${Number(month)}月${date}号${clock}`] : []),
        ]
        for (const text of exact) expect(readTime(text, sunday, zone)).toMatchObject({ ok: true, at })
        for (const text of onTheWall) {
          const read = readTime(text, sunday, zone)
          // A doubled hour means the first; everything but the offset is the same.
          expect(read.ok ? read.echo.slice(0, 19) : text).toBe(local.slice(0, 19))
        }
      }),
      runs(100),
    )
  })

  it('reads every span as exactly that', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 1, max: 59 }),
        fc.integer({ min: 0, max: 999 }),
        (hours, minutes, ms) => {
          for (const text of [
            `in ${hours}h${minutes}`,
            `${hours} hours ${minutes} min`,
            `${hours}小时${minutes}分钟后`,
          ])
            expect(readTime(text, sunday + ms, berlin)).toMatchObject({
              ok: true,
              at: sunday + ms + hours * 3_600_000 + minutes * 60_000,
            })
        },
      ),
      runs(100),
    )
  })

  it('what is read is not over, and its echo is that instant', () => {
    const words = fc.array(
      fc.constantFrom(
        'in',
        '20',
        'min',
        'tomorrow',
        'next',
        'friday',
        '9:00',
        'at',
        '9',
        'pm',
        'noon',
        'tonight',
        '25',
        'nov',
        'day',
        'after',
        '2 h',
        'and',
        '明天',
        '下',
        '周五',
        '9点',
        '半',
        '晚上',
        '后',
        '小时',
        '三',
        '个',
      ),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(words, fc.constantFrom(' ', ''), zones, (said, space, zone) => {
        const read = readTime(said.join(space), sunday + 250, zone)
        if (!read.ok) return
        expect(read.at).toBeGreaterThanOrEqual(sunday + 250)
        expect(Date.parse(read.echo)).toBe(Math.floor(read.at / 1000) * 1000)
      }),
      runs(500),
    )
  })

  it('garbage is refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 400 }),
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.stringMatching(/^[0-9a-z :/.+-]{0,200}$/),
          fc.stringMatching(/^[0-9年月日点时分半后下周一二三十个小钟 :]{0,200}$/),
        ),
        (text) => {
          expect(['empty', 'unread', 'past', true]).toContain(
            ((read) => (read.ok ? true : read.code))(readTime(text, sunday, berlin)),
          )
        },
      ),
      runs(100),
    )
  })
  it.each([
    '9'.repeat(10_000),
    'in 1 h '.repeat(1_500),
    ' '.repeat(9_999) + 'x',
    '明天'.repeat(5_000),
    '下午3点'.repeat(2_500),
    'tomorrow '.repeat(1_200),
  ])('is not looked through when nobody could mean it', (text) => expect(echoOf(text)).toBe('unread'))
})
