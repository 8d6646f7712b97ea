import type { AlarmsView, AlarmView, ReadTime } from '../../../../../shared/alarms/alarms.ts'
import type { ControlApi } from '../../../../../shared/operations/index.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Task } from '../../../clock/model/task.ts'
import type { AlarmLists, AlarmCommands } from '../../../clock/model/types.ts'
import type { SessionState } from '../../../sessions/session-state.ts'

export interface AlarmsApiDeps {
  alarms: AlarmCommands & AlarmLists
  now(): number
  /** config `clock.enabled` */
  enabled(): boolean
  view(): AlarmsView
  viewOf(task: Task): AlarmView
  readTime(text: string): Promise<ReadTime>
  find(wanted: string): Promise<SessionState>
}

/**
 * A person's side of alarms, and that of programs, whose words are a model's; the tool writes through the same store.
 */
export function alarmsApi(
  { alarms, now, enabled, view, viewOf, readTime, find }: AlarmsApiDeps,
  by: 'user' | 'model' = 'user',
) {
  const mustBeOn = () => {
    if (!enabled())
      throw new OnwardError(
        'clock-off',
        'Alarms are switched off. Switch the clock on in the settings, or set clock.enabled in the config.',
        { status: 409 },
      )
  }
  return {
    alarms: async () => view(),
    alarmsOf: async (session) => alarms.of((await find(session)).id).map(viewOf),
    async addAlarm({ session, dueAt, task, repeat, key }) {
      mustBeOn()
      const { id } = await find(session)
      const known = key === undefined ? null : alarms.withId(key)
      if (known?.sessionId === id) return viewOf(known)
      if (known) throw new OnwardError('key-used', 'An alarm of another session has this key.', { status: 409 })
      const request = { newId: key, dueAtMs: dueAt, task, ...(repeat ? { repeat } : {}) }
      const [set] = await alarms.schedule(id, [request], {
        by,
        requestId: null,
      })
      if (!set) throw new OnwardError('alarm-unknown', 'The alarm was not set.')
      return viewOf(set)
    },
    async editAlarm({ alarm, dueAt, task, repeat }) {
      mustBeOn()
      return viewOf(
        await alarms.edit(
          alarms.find(alarm).taskId,
          {
            ...(dueAt === undefined ? {} : { dueAtMs: dueAt }),
            ...(task === undefined ? {} : { task }),
            ...(repeat ? { repeat } : {}),
          },
          by,
        ),
      )
    },
    async snoozeAlarm({ alarm, minutes }) {
      mustBeOn()
      return viewOf(await alarms.snooze(alarms.idOf(alarm), now() + minutes * 60_000))
    },
    async cancelAlarm(alarm) {
      await alarms.cancel(alarms.find(alarm).taskId, by)
    },
    async skipAlarm(alarm) {
      const next = await alarms.skip(alarms.find(alarm).taskId)
      return next && viewOf(next)
    },
    restoreAlarm: async (alarm) => viewOf(await alarms.restore(alarms.idOf(alarm))),
    async settleMissed({ missed, how }) {
      if (how.kind === 'dismiss') return alarms.settleMissed(missed, how)
      mustBeOn()
      await alarms.settleMissed(missed, how.kind === 'deliver' ? how : { kind: 'reschedule', dueAtMs: how.dueAt })
    },
    dismissAllMissed: () => alarms.dismissAllMissed(),
    readTime: (text) => readTime(text),
  } satisfies Partial<ControlApi>
}
