import { describe, expect, it } from 'vitest'
import { alarm, alarmsView, missedAlarm, pastAlarm } from '../testing/views.ts'
import { sceneAlarms } from '../../e2e/dashboard/fake/scene-alarms.ts'
import { dayLine } from './day-line.ts'
import { wallOf } from './wall.ts'

const now = Date.UTC(2026, 10, 21, 13, 12, 32)
const at = (iso: string): number => Date.parse(`${iso}+01:00`)
const how = { now, wall: wallOf('Europe/Berlin'), width: 977 }
const round = (n: number) => Math.round(n * 100) / 100
const pins = (told: Parameters<typeof dayLine>[0], over: Partial<typeof how> = {}) =>
  dayLine(told, { ...how, ...over }).pins.map(({ kind, place, alarms }) => [
    kind,
    round(place),
    alarms.map(({ taskId }) => taskId).join(' '),
  ])

describe('the day line', () => {
  it('is that of the mocks', () => {
    const line = dayLine(sceneAlarms(now), how)
    expect(round(line.now)).toBe(45.56)
    expect(line.hours.filter(({ named }) => named).map(({ hour, place }) => [hour, round(place)])).toEqual([
      [6, 0],
      [9, 16.67],
      [12, 33.33],
      [15, 50],
      [18, 66.67],
      [21, 83.33],
      [24, 100],
    ])
    expect(pins(sceneAlarms(now))).toEqual([
      ['delivered', 16.67, 'p-run'],
      ['delivered', 33.33, 'p-index'],
      ['delivered', 43.52, 'p-ci'],
      ['missed', 27.08, 'm-build m-pr'],
      ['waits', 47.92, 'a-flaky a-docs'],
      ['waits', 55.56, 'a-limit'],
      ['waits', 66.67, 'a-summary'],
      ['waits', 79.17, 'a-import'],
      ['waits', 91.67, 'a-staging'],
    ])
  })

  it('has room for more on a wider line', () =>
    expect(pins(alarmsView({ alarms: sceneAlarms(now).alarms.slice(0, 2) }), { width: 4000 })).toHaveLength(2))

  it.each([
    ['2026-11-21T05:59:00', 3],
    ['2026-11-21T02:00:00', 0],
    ['2026-11-21T06:00:00', 6],
    ['2026-11-21T23:00:00', 6],
    ['2026-11-20T01:00:00', 6],
  ])('begins early enough for %s', (iso, first) =>
    expect(dayLine(alarmsView({ alarms: [alarm({ taskId: 'a', dueAt: at(iso) })] }), how).hours[0]?.hour).toBe(first),
  )

  it('begins early enough for now', () =>
    expect(dayLine(alarmsView(), { ...how, now: at('2026-11-21T00:10:00') }).hours[0]?.hour).toBe(0))

  it('shows a due time once, and nothing of another day', () => {
    const dueAt = at('2026-11-21T14:00:00')
    const told = alarmsView({
      alarms: [
        alarm({ taskId: 'd', dueAt, state: { kind: 'delivered', at: dueAt } }),
        alarm({ taskId: 'tomorrow', dueAt: at('2026-11-22T10:00:00') }),
      ],
      missed: [missedAlarm({ taskId: 'm', dueAt: at('2026-11-20T12:00:00') })],
      history: [
        pastAlarm({ taskId: 'd', dueAt, end: { kind: 'delivered', route: 'hold' } }),
        pastAlarm({ taskId: 'c', dueAt, end: { kind: 'cancelled', by: 'user' } }),
      ],
    })
    expect(pins(told)).toEqual([['delivered', 44.44, 'd']])
  })
})
