/** The items of the alarms' list, in order: headings of days and rows, flat, so that it can be virtual. Pure. */
import type { AlarmView } from '../../shared/alarms/alarms.ts'
import type { AlarmFilter } from '../state/ui.ts'
import type { WallOf } from './wall.ts'

export const alarmGroups = ['today', 'tomorrow', 'later'] as const
export type AlarmGroup = (typeof alarmGroups)[number]

export type AlarmItem =
  | { kind: 'head'; key: string; group: AlarmGroup; count: number }
  | { kind: 'alarm'; key: string; alarm: AlarmView }
  /** being edited, as it was when that began; it stays in the list also when it has gone meanwhile */
  | { kind: 'form'; key: string; alarm: AlarmView }

export interface ItemsQuery {
  filter: AlarmFilter
  /** as it was when its edit began */ edited: AlarmView | null
  now: number
  wall: WallOf
}

export const alarmKey = (taskId: string): string => `alarm:${taskId}`

/** @param alarms next due first */
export function alarmItems(
  alarms: readonly AlarmView[],
  { filter, edited, now, wall }: ItemsQuery,
): readonly AlarmItem[] {
  const today = wall(now).day
  const groups = new Map<AlarmGroup, AlarmItem[]>(alarmGroups.map((group) => [group, []]))
  const put = (alarm: AlarmView) => {
    const key = alarmKey(alarm.taskId)
    groups
      .get(groupOf(wall(alarm.dueAt).day - today))
      ?.push(alarm.taskId === edited?.taskId ? { kind: 'form', key, alarm: edited } : { kind: 'alarm', key, alarm })
  }
  let gone = edited !== null && !alarms.some(({ taskId }) => taskId === edited.taskId) ? edited : null
  for (const alarm of alarms) {
    if (gone && alarm.dueAt > gone.dueAt) {
      put(gone)
      gone = null
    }
    if (filter === 'all' || alarm.setBy === filter || alarm.taskId === edited?.taskId) put(alarm)
  }
  if (gone) put(gone)
  return alarmGroups.flatMap((group) => {
    const rows = groups.get(group) ?? []
    const count = rows.length
    return count === 0 ? [] : [{ kind: 'head' as const, key: `head:${group}`, group, count }, ...rows]
  })
}

/** An alarm from yesterday that is still here belongs to today. */
const groupOf = (days: number): AlarmGroup => (days <= 0 ? 'today' : days === 1 ? 'tomorrow' : 'later')
