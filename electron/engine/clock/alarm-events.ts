import type { AlarmBy, AlarmEnd } from '../../../shared/alarms/alarms.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Random } from '../base/ids.ts'
import type { AlarmsDeps } from './deps.ts'
import { logAlarms } from './log-alarms.ts'
import type { Committed } from './store/alarm-store.ts'
import type { History } from './store/ledger-file.ts'
import type { MissedEntry } from './store/missed-ledger.ts'
import type { SessionTasks, Task } from './model/task.ts'

export interface AlarmEvents extends Disposable {
  /**
   * the effects of an event on a session's alarms, for timeline and history; the caller that removes alarms reports
   * `removed`
   */
  report(committed: Committed, requestId: string | null): void
  /** of one session, for one reason. `announced`: those of them that a person gets a notice of; all, where left out */
  missed(entries: readonly MissedEntry[], announced?: readonly MissedEntry[]): void
  rang(state: Pick<SessionTasks, 'sessionId' | 'scope'>, tasks: readonly Task[]): void
  ended(tasks: readonly Task[], end: AlarmEnd): void
  cancelled(
    state: Pick<SessionTasks, 'sessionId' | 'scope'>,
    tasks: readonly Task[],
    by: AlarmBy,
    requestId?: string | null,
  ): void
}

export interface AlarmEventsDeps extends Pick<AlarmsDeps, 'notify' | 'log'> {
  clock: Clock
  random: Random
  record: RecordEvent
  history: History
  /** deliveries are under way: more may be missed in a moment */
  busy(): boolean
}

/** Alarms missed within this time share one notice (milliseconds), */
const gatherMs = 500
/** or within this, while more may come: after sleep or a restart it may be thousands, and the disk takes its time. */
const gatherAtMostMs = 30_000
export const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ taskId }) => taskId)

/** Reports to timeline, history and the person. */
export function createAlarmEvents({ clock, random, record, history, busy, notify, log }: AlarmEventsDeps): AlarmEvents {
  let missed: MissedEntry[] = []
  let since = 0
  let timer: Disposable | null = null

  const ended = (tasks: readonly Task[], end: AlarmEnd) =>
    history.add(tasks.map((task) => ({ id: random.uuid(), at: clock.now(), end, task })))
  const tellMissed = () => {
    timer = busy() && clock.monotonic() - since < gatherAtMostMs ? clock.after(gatherMs, tellMissed) : null
    if (timer) return
    const all = missed.toSorted((a, b) => a.task.dueAtMs - b.task.dueAtMs)
    missed = []
    const [first] = all
    if (!first) return
    const { sessionId, dueAtMs, task } = first.task
    notify(
      { sessionId, scope: null },
      { class: 'alarm-missed', at: dueAtMs, message: task, more: all.length - 1 },
      all.map((one) => one.task.taskId),
    )
  }
  const rang: AlarmEvents['rang'] = ({ sessionId, scope }, tasks) => {
    const [first] = tasks.toSorted((a, b) => a.dueAtMs - b.dueAtMs)
    if (!first) return
    record({ sessionId, scope: scope ?? null }, { type: 'alarm-rang', taskIds: idsOf(tasks), dueAt: first.dueAtMs })
    notify(
      { sessionId, scope: scope ?? null },
      {
        class: 'alarm-due',
        at: first.dueAtMs,
        message: first.task,
        more: tasks.length - 1,
        ...(tasks.some(({ setBy }) => setBy === 'user') ? { own: true } : {}),
      },
      idsOf(tasks),
    )
  }
  return {
    ended,
    rang,
    report({ state: { sessionId, scope, tasks }, effects, written }, requestId) {
      for (const one of effects) {
        if (one.type !== 'delivered') continue
        const write = written ? 'written' : 'not-yet'
        logAlarms(log, { did: 'delivered', sessionId, requestId, tasks: one.tasks, write })
        record(
          { sessionId, scope: scope ?? null, requestId },
          {
            type: 'alarm-delivered',
            taskIds: idsOf(one.tasks),
            route: one.route,
            deliveryCount: Math.max(...one.tasks.map(({ deliveryCount }) => deliveryCount)),
          },
        )
        ended(one.tasks, { kind: 'delivered', route: one.route })
        // A request took it just before its time and it moved on to the next: nothing is left that would ring then.
        const goesOn = (task: Task) =>
          tasks.some(({ taskId, dueAtMs }) => taskId === task.taskId && dueAtMs > task.dueAtMs)
        rang(
          { sessionId, scope },
          one.tasks.filter((task) => task.repeat && task.rangAtMs === undefined && goesOn(task)),
        )
      }
    },
    missed(entries, announced = entries) {
      const [first] = entries
      if (!first) return
      record(
        { sessionId: first.task.sessionId },
        { type: 'alarm-missed', taskIds: entries.map(({ task }) => task.taskId), why: first.why },
      )
      ended(
        entries.map(({ task }) => task),
        { kind: 'missed', why: first.why },
      )
      missed.push(...announced)
      if (timer || announced.length === 0) return
      since = clock.monotonic()
      timer = clock.after(gatherMs, tellMissed)
    },
    cancelled({ sessionId, scope }, tasks, by, requestId = null) {
      if (tasks.length === 0) return
      record({ sessionId, scope: scope ?? null, requestId }, { type: 'alarm-cancelled', taskIds: idsOf(tasks), by })
      ended(tasks, { kind: 'cancelled', by })
    },
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}
