/** A person's orders about alarms. Refusals are handed back: they are said where the order was given. */
import type { AlarmView } from '../../shared/alarms/alarms.ts'
import type { Input } from '../../shared/operations/index.ts'
import { excerpt } from '../../shared/sentences/excerpt.ts'
import type { Acting } from './action-deps.ts'
import type { Outcome } from './outcome.ts'
import type { ControlClient } from './socket.ts'

interface Due {
  taskId: string
  dueAt: number
}
interface Task {
  taskId: string
  task: string
}

const snoozeMs = 600_000

export function alarmActions({ ask, act, perform, toasts, words, now }: Acting) {
  // The engine counts from now, which would bring an alarm of tomorrow forward.
  const snooze =
    ({ taskId: alarm, dueAt }: Due) =>
    (c: ControlClient): Promise<AlarmView> =>
      dueAt > now() ? c.editAlarm.mutate({ alarm, dueAt: dueAt + snoozeMs }) : c.snoozeAlarm.mutate({ alarm })
  return {
    readTime: (text: string) => ask((c) => c.readTime.query(text)),
    addAlarm: (input: Input<'addAlarm'>) => ask((c) => c.addAlarm.mutate(input)),
    editAlarm: (input: Input<'editAlarm'>) => ask((c) => c.editAlarm.mutate(input)),
    /** ten minutes later than it would ring; of one whose time has come, ten minutes from now */
    snoozeAlarm: (alarm: Due) => ask(snooze(alarm)),
    /** the same, from where nothing but a toast can say what became of it */
    async putOff(alarms: readonly Due[]): Promise<void> {
      const { w, f } = words()
      for (const alarm of alarms) {
        const outcome = await act(snooze(alarm))
        if (outcome.ok) toasts.info(w.alarms.snoozed(f.minute(outcome.value.dueAt)))
      }
    },
    /** at once; a toast offers to take it back */
    async cancelAlarms(alarms: readonly Task[]): Promise<Outcome<void>> {
      const gone: string[] = []
      let outcome: Outcome<void> = { ok: true, value: undefined }
      for (const { taskId } of alarms) {
        const one = await ask((c) => c.cancelAlarm.mutate(taskId))
        if (one.ok) gone.push(taskId)
        else outcome = one
      }
      const { w } = words()
      const [first] = alarms
      if (first && gone.length > 0) {
        toasts.undoable(
          gone.length > 1
            ? w.alarms.severalCancelled(gone.length)
            : w.alarms.cancelled(excerpt(alarms.find(({ taskId }) => taskId === gone[0])?.task ?? first.task, 40)),
          async () => {
            for (const taskId of gone) await act((c) => c.restoreAlarm.mutate(taskId))
          },
        )
      }
      return outcome
    },
    /** the next time of a repeated one does not come */
    skipAlarm: ({ taskId, task }: Task): Promise<Outcome<unknown>> =>
      perform(
        'skipAlarm',
        taskId,
        (next) => {
          const { w, f } = words()
          return next
            ? w.alarms.skipped(excerpt(task, 40), f.minuteOfDay(next.dueAt, now()))
            : w.alarms.skippedLast(excerpt(task, 40))
        },
        ask,
      ),
    settleMissed: (input: Input<'settleMissed'>) => ask((c) => c.settleMissed.mutate(input)),
    dismissAllMissed: () => ask((c) => c.dismissAllMissed.mutate()),
  }
}
