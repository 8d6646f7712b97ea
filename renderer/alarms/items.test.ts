import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { alarm } from '../testing/views.ts'
import { alarmItems, type ItemsQuery } from './items.ts'
import { wallOf } from './wall.ts'
import { runs } from '../../shared/testing/runs.ts'

const now = Date.UTC(2026, 10, 21, 13, 12, 32)
const at = (iso: string): number => Date.parse(`${iso}+01:00`)
const query = (over: Partial<ItemsQuery> = {}): ItemsQuery => ({
  filter: 'all',
  edited: null,
  now,
  wall: wallOf('Europe/Berlin'),
  ...over,
})
const list = [
  alarm({ taskId: 'last-night', dueAt: at('2026-11-20T23:59:00'), state: { kind: 'delivered', at: now } }),
  alarm({ taskId: 'now', dueAt: at('2026-11-21T14:30:00'), setBy: 'model' }),
  alarm({ taskId: 'late', dueAt: at('2026-11-21T23:59:59') }),
  alarm({ taskId: 'early', dueAt: at('2026-11-22T00:00:00'), setBy: 'model' }),
  alarm({ taskId: 'far', dueAt: at('2026-11-30T09:00:00') }),
]
const shown = (over: Partial<ItemsQuery> = {}, alarms = list) =>
  alarmItems(alarms, query(over)).map((item) =>
    item.kind === 'head'
      ? `${typeof item.group === 'string' ? item.group : (item.group.machine ?? 'here')} ${item.count}`
      : item.kind === 'form'
        ? `[${item.alarm.taskId}]`
        : item.alarm.taskId,
  )

describe('the list of alarms', () => {
  it('is grouped by the days of its zone', () =>
    expect(shown()).toEqual(['today 3', 'last-night', 'now', 'late', 'tomorrow 1', 'early', 'later 1', 'far']))
  it('leaves empty days out', () => expect(shown({}, list.slice(4))).toEqual(['later 1', 'far']))
  it('shows whose a person asks for', () =>
    expect(shown({ filter: 'model' })).toEqual(['today 1', 'now', 'tomorrow 1', 'early']))
  it('keeps the form where its alarm is, whatever the filter', () =>
    expect(shown({ filter: 'model', edited: list[2] ?? null })).toEqual([
      'today 2',
      'now',
      '[late]',
      'tomorrow 1',
      'early',
    ]))

  it('keeps the form of an alarm that has gone where it was', () => {
    const gone = alarm({ taskId: 'gone', dueAt: at('2026-11-21T15:00:00') })
    expect(shown({ edited: gone })).toEqual([
      'today 4',
      'last-night',
      'now',
      '[gone]',
      'late',
      'tomorrow 1',
      'early',
      'later 1',
      'far',
    ])
    expect(shown({ edited: gone }, [])).toEqual(['today 1', '[gone]'])
  })

  it('shows every alarm once and in order', () => {
    const dues = fc.array(fc.integer({ min: now - 86_400_000, max: now + 20 * 86_400_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(dues, (times) => {
        const alarms = times.toSorted((a, b) => a - b).map((dueAt, i) => alarm({ taskId: `t${i}`, dueAt }))
        expect(
          alarmItems(alarms, query()).flatMap((item) => (item.kind === 'head' ? [] : [item.alarm.taskId])),
        ).toEqual(alarms.map(({ taskId }) => taskId))
      }),
      runs(100),
    )
  })
})
