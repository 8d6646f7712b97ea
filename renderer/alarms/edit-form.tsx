import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { useMinute } from '../time/engine-time.ts'
import { AlarmForm } from './alarm-form.tsx'
import type { ShownAlarm } from './items.ts'
import { useTypedTimes } from './use-alarm-times.ts'

/** Changes one alarm. @param alarm as it was when the edit began */
export function EditForm({ alarm }: { alarm: ShownAlarm }) {
  const { actions, ui } = useApp()
  const { w } = useWords()
  const times = useTypedTimes()
  const now = useMinute()
  const zone = useEngine((s) => s.alarms?.zone ?? '')
  const current = useEngine((s) => s.alarms?.alarms.find(({ taskId }) => taskId === alarm.taskId))
  // An alarm that is over needs a new time before it can ring again.
  const waits = alarm.state.kind === 'waits' && alarm.dueAt > now
  const note =
    current === undefined
      ? w.alarms.gone
      : current.dueAt !== alarm.dueAt
        ? w.alarms.changed(times.exact(current.dueAt, now))
        : current.task !== alarm.task
          ? w.alarms.textChanged
          : null
  return (
    <AlarmForm
      name={w.alarms.editOf(alarm.task)}
      when={waits ? times.typed(alarm.dueAt, now) : ''}
      rings={waits ? alarm.dueAt : null}
      zone={zone}
      task={alarm.task}
      session={alarm.sessionName}
      note={note}
      times={alarm.repeat && waits ? 'one-or-all' : 'any'}
      save={({ dueAt, task, repeat }) =>
        actions.editAlarm({
          alarm: alarm.taskId,
          ...(dueAt === null ? {} : { dueAt }),
          ...(repeat ? { repeat } : {}),
          ...(task === alarm.task ? {} : { task }),
        })
      }
      onClose={() => ui.setState({ alarmForm: null })}
    />
  )
}

/** The form for this alarm stands here, and nowhere else. */
export const useEdited = (): ShownAlarm | null =>
  useUi(({ alarmForm }) => (alarmForm?.kind === 'edit' ? alarmForm.alarm : null))
