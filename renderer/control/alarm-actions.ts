/** A person's orders about alarms. Refusals are handed back: they are said where the order was given. */
import type { AlarmView, ReadTime } from '../../shared/alarms/alarms.ts'
import type { AddAlarmInput, EditAlarmInput, SettleMissedInput } from '../../shared/control/contract.ts'
import { excerpt } from '../../shared/sentences/excerpt.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import type { Outcome } from './outcome.ts'
import type { ControlClient } from './socket.ts'

export interface AlarmActions {
  readTime(text: string): Promise<Outcome<ReadTime>>
  addAlarm(input: AddAlarmInput): Promise<Outcome<AlarmView>>
  editAlarm(input: EditAlarmInput): Promise<Outcome<AlarmView>>
  /** ten minutes later than it would ring; of one whose time has come, ten minutes from now */
  snoozeAlarm(alarm: { taskId: string; dueAt: number }): Promise<Outcome<AlarmView>>
  /** the same, from where nothing but a toast can say what became of it */
  putOff(alarms: readonly { taskId: string; dueAt: number }[]): Promise<void>
  /** at once; a toast offers to take it back */
  cancelAlarms(alarms: readonly { taskId: string; task: string }[]): Promise<Outcome<void>>
  /** the next time of a repeated one does not come; a toast offers to take it back */
  skipAlarm(alarm: { taskId: string; task: string }): Promise<Outcome<unknown>>
  settleMissed(input: SettleMissedInput): Promise<Outcome<void>>
  dismissAllMissed(): Promise<Outcome<void>>
}

export interface AlarmActionDeps {
  ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  /** as `ask`, and what fails is said in a toast */
  act<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  toasts: Pick<Toasts, 'undoable' | 'info'>
  words(): Words
  /** the engine's time */
  now(): number
}

const snoozeMs = 600_000

export function alarmActions({ ask, act, toasts, words, now }: AlarmActionDeps): AlarmActions {
  // The engine counts from now, which would bring an alarm of tomorrow forward.
  const snooze =
    ({ taskId: alarm, dueAt }: { taskId: string; dueAt: number }) =>
    (c: ControlClient): Promise<AlarmView> =>
      dueAt > now() ? c.editAlarm.mutate({ alarm, dueAt: dueAt + snoozeMs }) : c.snoozeAlarm.mutate({ alarm })
  return {
    readTime: (text) => ask((c) => c.readTime.query(text)),
    addAlarm: (input) => ask((c) => c.addAlarm.mutate(input)),
    editAlarm: (input) => ask((c) => c.editAlarm.mutate(input)),
    snoozeAlarm: (alarm) => ask(snooze(alarm)),
    async putOff(alarms) {
      const { w, f } = words()
      for (const alarm of alarms) {
        const outcome = await act(snooze(alarm))
        if (outcome.ok) toasts.info(w.alarms.snoozed(f.minute(outcome.value.dueAt)))
      }
    },
    async cancelAlarms(alarms) {
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
    async skipAlarm({ taskId, task }) {
      const outcome = await ask((c) => c.skipAlarm.mutate(taskId))
      const { w, f } = words()
      if (outcome.ok)
        toasts.undoable(
          outcome.value
            ? w.alarms.skipped(excerpt(task, 40), f.minuteOfDay(outcome.value.dueAt, now()))
            : w.alarms.skippedLast(excerpt(task, 40)),
          async () => {
            await act((c) => c.restoreAlarm.mutate(taskId))
          },
        )
      return outcome
    },
    settleMissed: (input) => ask((c) => c.settleMissed.mutate(input)),
    dismissAllMissed: () => ask((c) => c.dismissAllMissed.mutate()),
  }
}
