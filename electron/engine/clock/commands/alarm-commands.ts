import { isDeepStrictEqual } from 'node:util'
import type { AlarmBy } from '../../../../shared/alarms/alarms.ts'
import { OnwardError } from '../../base/errors.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import { claimsOf } from '../deliver/settle.ts'
import { logAlarms } from '../log-alarms.ts'
import { unclaimed } from '../model/apply.ts'
import { isDue } from '../model/due.ts'
import { underWay, mustEnd, settledAlready, unknown, againAs, isRepeated, skippedOf } from '../model/repeated.ts'
import { jsonObject, type Task } from '../model/task.ts'
import type { AlarmCommands, AlarmRequest } from '../model/types.ts'
import type { History } from '../store/ledger-file.ts'
import { groupMissed } from '../store/missed-ledger.ts'
import { createAlarmEditor, mostTasks, type AlarmEditor } from './alarm-editor.ts'

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
    { newId, dueAtMs, task, tool, arguments: args, repeat }: AlarmRequest,
    by: AlarmBy,
    requestId: string | null,
  ): Task => {
    const now = service.now()
    const text = task.trim()
    if (text === '') throw new OnwardError('no-words', 'An alarm needs words: say what to do then.', { status: 400 })
    mustNotBeOver(dueAtMs)
    if (repeat) mustEnd(dueAtMs, repeat)
    return {
      taskId: newId ?? deps.random.uuid(),
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
  request.newId !== undefined
    ? task.taskId === request.newId
    : task.dueAtMs === request.dueAtMs &&
      task.task === request.task.trim() &&
      (task.tool ?? '') === (request.tool ?? '') &&
      (task.arguments ?? '{}') === plainArguments(request.arguments || '{}') &&
      (request.repeat ? isDeepStrictEqual(task.repeat, { ...request.repeat, nth: 1 }) : task.repeat === undefined)

/** A person's choices for alarms that rang, were missed or cancelled: to have them once more, or to drop them. */
function createAlarmRecovery(
  service: AlarmService,
  history: History,
  editor: AlarmEditor,
  edit: AlarmCommands['edit'],
): Pick<AlarmCommands, 'snooze' | 'restore' | 'settleMissed' | 'dismissAllMissed'> {
  const { alarmStore, deps, missed } = service
  const { mustNotBeOver, settled, put, again, copyOf, changed } = editor
  const lastKnown = (taskId: string): Task | null =>
    missed.list().find(({ task }) => task.taskId === taskId)?.task ??
    history.list().find(({ task }) => task.taskId === taskId)?.task ??
    null

  /** If the alarm repeats, the time that rings, or rang last, comes once more; the others stay. */
  const snoozeOne = async ({ sessionId, taskId }: Task, dueAtMs: number): Promise<Task> => {
    mustNotBeOver(dueAtMs)
    return settled(sessionId, async () => {
      const all = alarmStore.of(sessionId)?.tasks ?? []
      // Two windows may ask at once, and a second snooze of the same alarm means the same time of it.
      const copy = all.find((task) => task.copyOf === taskId && task.deliveredAtMs === undefined && !task.claim)
      if (copy) return changed(copy.taskId, { dueAtMs }, 'user')
      const known = all.find((task) => task.taskId === taskId)
      if (!known) throw unknown()
      if (known.dueAtMs <= service.now()) {
        try {
          return await changed(taskId, { dueAtMs }, 'user')
        } catch (error) {
          // It is being delivered this moment; a second one rings later.
          if (!OnwardError.isInstance(error) || error.code !== 'alarm-under-way') throw error
        }
      }
      const second = copyOf(known, dueAtMs)
      await put(sessionId, [second], 'user')
      return second
    })
  }
  return {
    async snooze(taskId, dueAtMs) {
      const known = alarmStore.withTask(taskId)?.tasks.find((task) => task.taskId === taskId) ?? null
      if (known && isRepeated(known)) return snoozeOne(known, dueAtMs)
      if (known && known.claim === undefined) return edit(taskId, { dueAtMs }, 'user')
      if (known) {
        try {
          return await edit(taskId, { dueAtMs }, 'user')
        } catch (error) {
          if (!OnwardError.isInstance(error) || error.code !== 'alarm-under-way') throw error
          // It is being delivered this moment; a second one rings later.
          const second = { ...again(known, dueAtMs), taskId: deps.random.uuid(), deliveryCount: 0 }
          await put(known.sessionId, [second], 'user')
          return second
        }
      }
      const task = lastKnown(taskId)
      if (!task) throw unknown()
      mustNotBeOver(dueAtMs)
      return settled(task.sessionId, async () => {
        // Two windows may ask at once: the second moves what the first has set.
        if (alarmStore.of(task.sessionId)?.tasks.some((one) => one.taskId === taskId))
          return changed(taskId, { dueAtMs }, 'user')
        const next = again(task, dueAtMs)
        const keys = missed.list().flatMap(({ key, task: one }) => (one.taskId === taskId ? [key] : []))
        await put(task.sessionId, [next], 'user', { also: () => settle(service, keys, dueAtMs) })
        return next
      })
    },
    async restore(taskId) {
      const there = alarmStore.withTask(taskId) ?? undefined
      const skipped = skippedOf(history, there, taskId, service.now())
      if (there && skipped)
        return settled(there.sessionId, async () => {
          const { dueAtMs, repeat } = skipped
          if (!skippedOf(history, alarmStore.of(there.sessionId) ?? undefined, taskId, service.now())) throw unknown()
          return changed(taskId, { dueAtMs, repeat }, 'user')
        })
      const past = history
        .list()
        .find(({ end, task }) => task.taskId === taskId && (end.kind === 'cancelled' || end.kind === 'skipped'))
      if (!past || there)
        throw new OnwardError(
          'alarm-unknown',
          there
            ? 'This alarm is set: there is nothing to take back.'
            : 'This alarm was not cancelled lately. Set a new one.',
          { status: 404 },
        )
      // As it was: what was delivered is not delivered again.
      const task = againAs(unclaimed(past.task), service.now(), deps.config())
      mustNotBeOver(task.dueAtMs)
      await put(task.sessionId, [task], 'user')
      return task
    },
    async settleMissed(key, how) {
      const entry = missed.get(key)
      if (!entry) throw settledAlready()
      const keys = () => groupMissed(missed.list()).find((group) => group.keys.includes(key))?.keys ?? [key]
      if (how.kind === 'dismiss') return settle(service, keys(), null)
      const dueAtMs = how.kind === 'deliver' ? service.now() : how.dueAtMs
      mustNotBeOver(dueAtMs)
      const { sessionId, taskId } = entry.task
      await service.exclusive(sessionId, async () => {
        if (missed.get(key) === null) throw settledAlready()
        const isThere = alarmStore.of(sessionId)?.tasks.some((task) => task.taskId === taskId) ?? false
        const next = entry.task.repeat ? copyOf(entry.task, dueAtMs) : again(entry.task, dueAtMs)
        await put(sessionId, [isThere && !entry.task.repeat ? { ...next, taskId: deps.random.uuid() } : next], 'user', {
          also: () => settle(service, keys(), dueAtMs),
        })
      })
    },
    async dismissAllMissed() {
      const keys = missed.list().map(({ key }) => key)
      await settle(service, keys, null)
    },
  }
}

/** @param to its new time; null: it is dropped */
async function settle(
  { missed, deps, alarmEvents, now }: AlarmService,
  keys: readonly string[],
  to: number | null,
): Promise<void> {
  const entries = keys.flatMap((key) => missed.get(key) ?? [])
  if (entries.length === 0) return
  const how = to === null ? 'dismissed' : 'rescheduled'
  await missed.settle(keys, how, now())
  const tasks = entries.map(({ task }) => task)
  const [first] = tasks
  deps.record(
    { sessionId: tasks.every((task) => task.sessionId === first?.sessionId) ? (first?.sessionId ?? null) : null },
    { type: 'alarm-settled', taskIds: idsOf(tasks), how },
  )
  alarmEvents.ended(
    groupMissed(entries).map(({ task }) => task),
    to === null ? { kind: 'dismissed' } : { kind: 'rescheduled', to },
  )
  deps.onChange(null)
}
