import { isDeepStrictEqual } from 'node:util'
import type { AlarmBy } from '../../../../shared/alarms/alarms.ts'
import { OnwardError } from '../../base/errors.ts'
import { isDue } from '../model/due.ts'
import type { History } from '../store/history.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import { logAlarms } from '../log-alarms.ts'
import { createAlarmEditor, mostTasks } from './alarm-editor.ts'
import { underWay } from '../model/refusals.ts'
import { createAlarmRecovery } from './alarm-recovery.ts'
import { mustEnd } from '../model/repeated.ts'
import { claimsOf } from '../deliver/settle.ts'
import { jsonObject, type Task } from '../model/task.ts'
import type { AlarmCommands, AlarmRequest } from '../model/types.ts'

/** Commands of people and models. Each one is on the disk before it is answered. */
export function createAlarmCommands(
  service: AlarmService,
  history: History,
  deliver: (sessionId: string) => void,
): AlarmCommands {
  const { alarmStore, deps, alarmEvents, terminal } = service
  const editor = createAlarmEditor(service, deliver)
  const { logged, where, sessionOf, taskIn, mustNotBeOver, settled, put, free, changed, unmissed } = editor
  const make = (
    sessionId: string,
    { dueAtMs, task, tool, arguments: args, repeat }: AlarmRequest,
    by: AlarmBy,
    requestId: string | null,
  ): Task => {
    const now = service.now()
    const text = task.trim()
    if (text === '') throw new OnwardError('no-words', 'An alarm needs words: say what to do then.', { status: 400 })
    mustNotBeOver(dueAtMs)
    if (repeat) mustEnd(dueAtMs, repeat)
    return {
      taskId: deps.random.uuid(),
      sessionId,
      dueAtMs,
      createdAtMs: now,
      updatedAtMs: now,
      task: text,
      setBy: by === 'model' ? 'model' : 'user',
      deliveryCount: 0,
      ...(repeat ? { repeat: { ...repeat, nth: 1 } } : {}),
      ...(tool ? { tool } : {}),
      ...(args && args !== '{}' ? { arguments: plainArguments(args) } : {}),
      // Set within its own window: it may not come back within the HTTP call that set it.
      ...(requestId !== null && isDue({ dueAtMs }, now, deps.config()) ? { notBeforeRequestId: requestId } : {}),
    }
  }
  /** Gives the new alarm the old one's id. A due time that was missed once becomes a moment later. */
  const overwriting = (over: Task | undefined, task: Task): Task =>
    over
      ? { ...task, taskId: over.taskId, createdAtMs: over.createdAtMs, dueAtMs: unmissed(over.taskId, task.dueAtMs) }
      : task
  const edit: AlarmCommands['edit'] = async (taskId, change, by) => {
    const { sessionId } = sessionOf(taskId)
    if (change.dueAtMs !== undefined) mustNotBeOver(change.dueAtMs)
    return settled(sessionId, () => changed(taskId, change, by))
  }

  return {
    edit,
    schedule: (sessionId, requests, { by, requestId }) =>
      settled(sessionId, async () => {
        const there = alarmStore.of(sessionId)?.tasks ?? []
        const fresh: Task[] = []
        const all: Task[] = []
        for (const request of requests) {
          const over = there.find(({ taskId }) => taskId === request.taskId)
          // A client that asks again, after an answer that broke off, runs the model's call again.
          const same = over
            ? [over].find((task) => isSame(task, request))
            : [...there, ...fresh].find((task) => isSame(task, request))
          const task = same ?? overwriting(over, make(sessionId, request, by, requestId))
          if (!same) fresh.push(task)
          all.push(task)
          // Refused as a whole below, whatever else is asked for.
          if (fresh.length > mostTasks) break
        }
        for (const task of there) if (fresh.some(({ taskId }) => taskId === task.taskId)) await free(sessionId, task)
        if (fresh.length > 0) await put(sessionId, fresh, by, { requestId, overwrite: true })
        return all
      }),
    async cancel(taskId, by, asked) {
      const { sessionId, requestId = null } = asked ?? {}
      const state = sessionId === undefined ? sessionOf(taskId) : { sessionId, task: taskIn(sessionId, taskId) }
      return settled(state.sessionId, async () => {
        const task = taskIn(state.sessionId, taskId)
        await free(state.sessionId, task)
        const { scope } = where(state.sessionId)
        await logged({ did: 'cancel', sessionId: state.sessionId, requestId, tasks: [task] }, async () => {
          const event = { type: 'cancel', at: service.now(), taskIds: [taskId] } as const
          if (!(await service.commit(state.sessionId, event, 'durable'))) throw underWay()
        })
        alarmEvents.cancelled({ sessionId: state.sessionId, scope: scope ?? undefined }, [task], by, requestId)
        return task
      })
    },
    async skip(taskId) {
      const { sessionId } = sessionOf(taskId)
      try {
        return await service.exclusive(sessionId, () => editor.repeated.skip(taskIn(sessionId, taskId)))
      } finally {
        deliver(sessionId)
      }
    },
    clear: (sessionId, by, requestId = null) =>
      service.exclusive(sessionId, async () => {
        for (const { route, by: holder } of claimsOf(alarmStore.of(sessionId)?.tasks ?? [])) {
          if (route === 'terminal' && (await terminal.takeBack(holder, alarmStore.of(sessionId)?.scope)))
            await service.commit(sessionId, { type: 'release', at: service.now(), by: holder }, 'best-effort')
        }
        const { scope } = where(sessionId)
        const tasks = (alarmStore.of(sessionId)?.tasks ?? []).filter(({ claim }) => claim === undefined)
        const what = { did: 'clear', sessionId, requestId, tasks } as const
        if (tasks.length === 0) {
          logAlarms(deps.log, { ...what, write: 'none' })
          return 0
        }
        await logged(what, () =>
          service.commit(sessionId, { type: 'cancel', at: service.now(), taskIds: idsOf(tasks) }, 'durable'),
        )
        alarmEvents.cancelled({ sessionId, scope: scope ?? undefined }, tasks, by, requestId)
        return tasks.length
      }),
    ...createAlarmRecovery(service, history, editor, edit),
  }
}

/** An object as the session's file keeps it, so that it is the same after a restart. */
function plainArguments(text: string): string {
  const value = jsonObject(text)
  return value === null ? text : JSON.stringify(value)
}

const isSame = (task: Task, request: AlarmRequest): boolean =>
  task.dueAtMs === request.dueAtMs &&
  task.task === request.task.trim() &&
  (task.tool ?? '') === (request.tool ?? '') &&
  (task.arguments ?? '{}') === plainArguments(request.arguments || '{}') &&
  (request.repeat ? isDeepStrictEqual(task.repeat, { ...request.repeat, nth: 1 }) : task.repeat === undefined)
