import { OnwardError } from '../../base/errors.ts'
import { unclaimed } from '../model/apply.ts'
import type { History } from '../store/history.ts'
import { groupMissed } from '../store/missed-groups.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import type { AlarmEditor } from './alarm-editor.ts'
import { settledAlready, unknown } from '../model/refusals.ts'
import { againAs, isRepeated, skippedOf } from '../model/repeated.ts'
import type { Task } from '../model/task.ts'
import type { AlarmCommands } from '../model/types.ts'

/** A person's choices for alarms that rang, were missed or cancelled: to have them once more, or to drop them. */
export function createAlarmRecovery(
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
