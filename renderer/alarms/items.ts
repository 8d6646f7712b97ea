/** The items of the alarms' list: headings of days or machines and rows, flat, so that it can be virtual. Pure. */
import type { AlarmView } from '../../shared/alarms/alarms.ts'
import type { OfMachine } from '../state/place.ts'
import type { AlarmFilter } from '../state/ui.ts'
import type { WallOf } from './wall.ts'

export const alarmGroups = ['today', 'tomorrow', 'later'] as const
export type AlarmGroup = (typeof alarmGroups)[number]

/** In a list of all machines with the one it is of. */
export type ShownAlarm = AlarmView & OfMachine

export type AlarmItem =
  | { kind: 'head'; key: string; group: AlarmGroup | OfMachine; count: number }
  | { kind: 'alarm'; key: string; alarm: ShownAlarm }
  /** being edited, as it was when that began; it stays in the list also when it has gone meanwhile */
  | { kind: 'form'; key: string; alarm: ShownAlarm }

export interface ItemsQuery {
  filter: AlarmFilter
  /** as it was when its edit began */ edited: ShownAlarm | null
  now: number
  wall: WallOf
  /** under the names of machines in the place of days */ byMachine?: boolean
}

/** Two engines may give two alarms the same id. */
export const alarmKey = ({ taskId, machine }: Pick<ShownAlarm, 'taskId' | 'machine'>): string =>
  `alarm:${machine === undefined ? '' : `${machine}:`}${taskId}`

/** @param alarms next due first */
export function alarmItems(
  alarms: readonly ShownAlarm[],
  { filter, edited, now, wall, byMachine = false }: ItemsQuery,
): readonly AlarmItem[] {
  const today = wall(now).day
  const groups = new Map<string, { group: AlarmGroup | OfMachine; rows: AlarmItem[] }>()
  if (!byMachine) for (const group of alarmGroups) groups.set(group, { group, rows: [] })
  const editedKey = edited && alarmKey(edited)
  const put = (alarm: ShownAlarm) => {
    const key = alarmKey(alarm)
    const { machine = '' } = alarm
    const day = groupOf(wall(alarm.dueAt).day - today)
    const into = groups.get(byMachine ? machine : day) ?? { group: { machine: alarm.machine }, rows: [] }
    if (byMachine) groups.set(machine, into)
    into.rows.push(edited && key === editedKey ? { kind: 'form', key, alarm: edited } : { kind: 'alarm', key, alarm })
  }
  let gone = edited !== null && !alarms.some((one) => alarmKey(one) === editedKey) ? edited : null
  for (const alarm of alarms) {
    if (gone && alarm.dueAt > gone.dueAt) {
      put(gone)
      gone = null
    }
    if (filter === 'all' || alarm.setBy === filter || alarmKey(alarm) === editedKey) put(alarm)
  }
  if (gone) put(gone)
  // This one first, as everywhere; then by name.
  const inOrder = byMachine ? [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)) : [...groups]
  return inOrder.flatMap(([name, { group, rows }]): readonly AlarmItem[] =>
    rows.length === 0 ? [] : [{ kind: 'head', key: `head:${name}`, group, count: rows.length }, ...rows],
  )
}

/** An alarm from yesterday that is still here belongs to today. */
const groupOf = (days: number): AlarmGroup => (days <= 0 ? 'today' : days === 1 ? 'tomorrow' : 'later')
