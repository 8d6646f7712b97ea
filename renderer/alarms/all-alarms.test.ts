import { describe, expect, it } from 'vitest'
import type { AlarmsView } from '../../shared/alarms/alarms.ts'
import { alarm } from '../testing/views.ts'
import { allAlarms } from './all-alarms.ts'
import { alarmItems, alarmKey } from './items.ts'
import { wallOf } from './wall.ts'

const view = (over: Partial<AlarmsView> = {}): AlarmsView => ({
  waiting: 1,
  alarms: [],
  missed: [],
  missedTotal: 0,
  history: [],
  zone: 'Europe/Berlin',
  retentionMs: 1,
  ...over,
})

describe('the alarms of all machines', () => {
  const here = view({ alarms: [alarm({ taskId: 'a', dueAt: 10 }), alarm({ taskId: 'b', dueAt: 30 })] })
  const there = view({ alarms: [alarm({ taskId: 'a', dueAt: 20 })], zone: 'UTC', missedTotal: 2, retentionMs: 5 })

  it('are one list, next due first, and each says its machine', () => {
    const all = allAlarms([{ alarms: here }, { machine: 'box', alarms: there }])
    expect(all?.alarms.map(({ taskId, machine }) => [taskId, machine])).toEqual([
      ['a', undefined],
      ['a', 'box'],
      ['b', undefined],
    ])
    expect(all).toMatchObject({ waiting: 2, missedTotal: 2, zone: 'Europe/Berlin', retentionMs: 5 })
  })

  it('leave out what is not known, and are not known where nothing is', () => {
    expect(allAlarms([{ alarms: here }, { machine: 'box', alarms: null }])?.waiting).toBe(1)
    expect(allAlarms([{ alarms: null }, { machine: 'box', alarms: null }])).toBeNull()
    expect(allAlarms([{ alarms: here }])).toBe(here)
  })

  it('stand by day or by machine; a form stands at the alarm of its own machine', () => {
    const all = allAlarms([{ alarms: here }, { machine: 'box', alarms: there }])?.alarms ?? []
    const edited = all[1] ?? null
    const shown = (byMachine: boolean) =>
      alarmItems(all, { filter: 'all', edited, now: 0, wall: wallOf('UTC'), byMachine }).map((item) =>
        item.kind === 'head' ? item.group : `${item.kind} ${item.key}`,
      )
    expect(shown(false)).toEqual(['today', 'alarm alarm:a', 'form alarm:box:a', 'alarm alarm:b'])
    expect(shown(true)).toEqual([
      { machine: undefined },
      'alarm alarm:a',
      'alarm alarm:b',
      { machine: 'box' },
      'form alarm:box:a',
    ])
    expect(alarmKey({ taskId: 'a' })).not.toBe(alarmKey({ taskId: 'a', machine: 'box' }))
  })
})
