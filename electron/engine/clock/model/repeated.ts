import type { AlarmBy } from '../../../../shared/alarms/alarms.ts'
import { repeatLimits, type RepeatRequest } from '../../../../shared/alarms/repeat.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { AlarmService } from '../alarm-service.ts'
import type { History } from '../store/ledger-file.ts'
import { isExpired, type DueRules } from './due.ts'
import { movedOn } from './occurrence.ts'
import type { SessionTasks, Task } from './task.ts'

interface AlarmEditing {
  where(sessionId: string): { sessionId: string; scope: Scope | null }
  taskIn(sessionId: string, taskId: string): Task
  free(sessionId: string, task: Task): Promise<void>
  copyOf(task: Task, dueAtMs: number): Task
}

/** A person's orders for single times of a repeated alarm. All of them run inside the session's order. */
export function repeatedOrders({ alarmStore, deps, alarmEvents, now, commit }: AlarmService, editor: AlarmEditing) {
  const goesOn = (task: Task, by: AlarmBy) => {
    const next = alarmStore.of(task.sessionId)?.tasks.find(({ taskId }) => taskId === task.taskId)
    if (next)
      deps.record(editor.where(task.sessionId), { type: 'alarm-changed', taskId: task.taskId, by, dueAt: next.dueAtMs })
    return next ?? null
  }
  const leaveOut = async (task: Task, instead?: Task): Promise<void> => {
    const { sessionId, taskId, dueAtMs } = task
    if (!(await commit(sessionId, { type: 'skip', at: now(), taskId, dueAtMs, instead }, 'durable'))) throw underWay()
  }
  return {
    /** @returns what comes next; null: that was the last */
    async skip({ sessionId, taskId }: Task): Promise<Task | null> {
      await editor.free(sessionId, editor.taskIn(sessionId, taskId))
      const task = editor.taskIn(sessionId, taskId)
      if (!isRepeated(task))
        throw new OnwardError('alarm-single', 'This alarm rings once. Cancel it to be rid of it.', { status: 409 })
      await leaveOut(task)
      alarmEvents.ended([task], { kind: 'skipped' })
      return goesOn(task, 'user')
    },
    /** This time comes at another one, once; the others stay. */
    async putOff(task: Task, dueAtMs: number, text: string | undefined, by: AlarmBy): Promise<Task> {
      const instead = { ...editor.copyOf(task, dueAtMs), ...(text === undefined ? {} : { task: text }) }
      await leaveOut(task, instead)
      alarmEvents.ended([task], { kind: 'rescheduled', to: instead.dueAtMs })
      goesOn(task, by)
      return instead
    },
  }
}

/** More of its times are to come, or this one is. */
export const isRepeated = (task: Task): boolean => task.repeat !== undefined && task.deliveredAtMs === undefined

/** @throws OnwardError `bad-repeat`: an end that is none */
export function mustEnd(dueAtMs: number, { untilMs }: RepeatRequest): void {
  if (untilMs < dueAtMs || untilMs - dueAtMs > repeatLimits.longestMs)
    throw new OnwardError('bad-repeat', 'A repeated alarm ends after its first time, and within a year.', {
      status: 400,
    })
}

/** A cancelled or skipped one as it can be set again: a repeated one at what is still to come. */
export function againAs(past: Task, now: number, rules: Pick<DueRules, 'retentionMs'>): Task {
  if (!past.repeat || !isExpired(past, now, rules)) return past
  return movedOn(past, now, 'missed', rules).next ?? past
}

/** The time that was skipped last, where it can still come. */
export function skippedOf(history: History, state: SessionTasks | undefined, taskId: string, now: number): Task | null {
  const last = history.list().find(({ task }) => task.taskId === taskId)
  const there = state?.tasks.find((task) => task.taskId === taskId)
  return last?.end.kind === 'skipped' &&
    there?.repeat &&
    there.claim === undefined &&
    last.task.dueAtMs > now &&
    last.task.dueAtMs < there.dueAtMs
    ? last.task
    : null
}

export const unknown = () =>
  new OnwardError('alarm-unknown', 'There is no such alarm any more. List them to see which there are.', {
    status: 404,
  })
export const settledAlready = () =>
  new OnwardError('missed-unknown', 'This missed alarm was settled already.', { status: 404 })
export const underWay = () =>
  new OnwardError('alarm-under-way', "This alarm is being delivered right now, so it can't be changed any more.", {
    status: 409,
  })
export const longPast = (dueAtMs: number) =>
  new OnwardError('alarm-over', `${new Date(dueAtMs).toISOString()} is long past. Give a time to come.`, {
    status: 400,
  })
