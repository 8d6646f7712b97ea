import type { AlarmState, AlarmsView, AlarmView, MissedAlarm, PastAlarm } from '../../../shared/alarms/alarms.ts'
import type { SessionView } from '../../../shared/state.ts'
import type { Task } from './model/task.ts'
import type { AlarmLists, Missed, Past } from './model/types.ts'

type NameOf = (sessionId: string) => string
const most = { alarms: 500, missed: 200, history: 100 }

const stateOf = ({ claim, deliveredAtMs }: Task): AlarmState =>
  claim
    ? { kind: 'under-way', route: claim.route }
    : deliveredAtMs === undefined
      ? { kind: 'waits' }
      : { kind: 'delivered', at: deliveredAtMs }

const factsOf = ({ taskId, sessionId, dueAtMs, task, setBy, repeat }: Task, nameOf: NameOf) => ({
  taskId,
  sessionId,
  sessionName: nameOf(sessionId),
  dueAt: dueAtMs,
  task,
  setBy,
  ...(repeat ? { repeat } : {}),
})

export const alarmView = (task: Task, nameOf: NameOf): AlarmView => ({
  ...factsOf(task, nameOf),
  createdAt: task.createdAtMs,
  tool: task.tool ?? null,
  arguments: task.arguments ?? null,
  state: stateOf(task),
  deliveryCount: task.deliveryCount,
})

const missedView = ({ key, at, why, task, times }: Missed, nameOf: NameOf): MissedAlarm => ({
  key,
  at,
  why,
  ...(times > 1 ? { times } : {}),
  ...factsOf(task, nameOf),
})
const pastView = ({ id, at, end, task }: Past, nameOf: NameOf): PastAlarm => ({ id, at, end, ...factsOf(task, nameOf) })

/** Everything the alarms' view shows, bounded. */
export function alarmsView(lists: AlarmLists, how: { nameOf: NameOf; zone: string; retentionMs: number }): AlarmsView {
  const missed = lists.missed()
  return {
    waiting: lists.next().waiting,
    alarms: lists.list(most.alarms).map((task) => alarmView(task, how.nameOf)),
    missed: missed.slice(0, most.missed).map((one) => missedView(one, how.nameOf)),
    missedTotal: missed.length,
    history: lists
      .history()
      .slice(0, most.history)
      .map((one) => pastView(one, how.nameOf)),
    zone: how.zone,
    retentionMs: how.retentionMs,
  }
}

export function nextAlarmView(next: { waiting: number; first: Task } | null): SessionView['nextAlarm'] | null {
  if (!next) return null
  const { taskId, dueAtMs, task, repeat } = next.first
  return { taskId, dueAt: dueAtMs, task, waiting: next.waiting, ...(repeat ? { repeat } : {}) }
}
