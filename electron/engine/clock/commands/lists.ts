import { OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { AlarmStore } from '../store/alarm-store.ts'
import type { History } from '../store/history.ts'
import { logAlarms } from '../log-alarms.ts'
import { groupMissed } from '../store/missed-groups.ts'
import type { MissedLedger } from '../store/missed-ledger.ts'
import type { SessionTasks, Task } from '../model/task.ts'
import type { AlarmLists } from '../model/types.ts'

const byDue = (a: Task, b: Task): number => a.dueAtMs - b.dueAtMs
/** shorter beginnings of an id say too little */
const shortest = 4

/** Alarms as they are listed. */
export function createLists(
  alarmStore: Pick<AlarmStore, 'of' | 'all'>,
  missed: Pick<MissedLedger, 'list' | 'count'>,
  history: Pick<History, 'list'>,
  log: Log,
): AlarmLists {
  const matching = function* (wanted: string): Generator<Task> {
    for (const { tasks } of alarmStore.all()) for (const task of tasks) if (task.taskId.startsWith(wanted)) yield task
  }
  const only = (ids: ReadonlySet<string>, wanted: string): string => {
    const [id, other] = ids
    if (ids.has(wanted)) return wanted
    if (id === undefined || wanted.length < shortest)
      throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”. \`onward alarm list\` shows them.`, {
        status: 404,
      })
    if (other !== undefined)
      throw new OnwardError('alarm-ambiguous', `“${wanted}” could be several alarms. Write more of the id.`, {
        status: 409,
      })
    return id
  }
  const of: AlarmLists['of'] = (sessionId) => (alarmStore.of(sessionId)?.tasks ?? []).toSorted(byDue)

  return {
    of,
    listFor(sessionId, requestId) {
      const tasks = of(sessionId)
      logAlarms(log, { did: 'list', sessionId, requestId, tasks, write: 'none' })
      return tasks
    },
    find(wanted) {
      const found = [...matching(wanted)]
      const id = only(new Set(found.map(({ taskId }) => taskId)), wanted)
      const task = found.find(({ taskId }) => taskId === id)
      if (!task) throw new OnwardError('alarm-unknown', `There is no alarm “${wanted}”.`, { status: 404 })
      return task
    },
    idOf(wanted) {
      const past = [...missed.list(), ...history.list()]
        .map(({ task }) => task.taskId)
        .filter((id) => id.startsWith(wanted))
      return only(new Set([...[...matching(wanted)].map(({ taskId }) => taskId), ...past]), wanted)
    },
    list(most) {
      // Sorting all of them for every change would cost more than the change.
      let bound = Infinity
      let found: Task[] = []
      for (const { tasks } of alarmStore.all()) {
        for (const task of tasks) if (task.dueAtMs < bound) found.push(task)
        if (found.length < 2 * most) continue
        found = found.sort(byDue).slice(0, most)
        bound = found.at(-1)?.dueAtMs ?? bound
      }
      return found.sort(byDue).slice(0, most)
    },
    next: () => nextOf(alarmStore.all()),
    nextOf(sessionId) {
      const state = alarmStore.of(sessionId)
      const { waiting, first } = nextOf(state ? [state] : [])
      return first && { waiting, first }
    },
    missed: () => groupMissed(missed.list()),
    missedCount: () => missed.count(),
    history: () => history.list(),
  }
}

/** How many will still ring, and the first of them. */
function nextOf(states: Iterable<SessionTasks>): { waiting: number; first: Task | null } {
  let waiting = 0
  let first: Task | null = null
  for (const { tasks } of states)
    for (const task of tasks) {
      if (task.deliveredAtMs !== undefined) continue
      waiting++
      if (first === null || task.dueAtMs < first.dueAtMs) first = task
    }
  return { waiting, first }
}
