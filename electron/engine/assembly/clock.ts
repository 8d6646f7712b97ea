import type { AlarmsView, AlarmView } from '../../../shared/alarms/alarms.ts'
import type { EngineStatus, SessionView } from '../../../shared/state.ts'
import { OnwardError } from '../base/errors.ts'
import { keptZone } from '../base/local-time.ts'
import { createAlarms } from '../clock/alarms.ts'
import { type AlarmsDeps } from '../clock/deps.ts'
import { createTimeSync } from '../clock/ntp/time-sync.ts'
import type { Task } from '../clock/model/task.ts'
import type { Alarms, TimeSync } from '../clock/model/types.ts'
import { alarmsView, alarmView, nextAlarmView } from '../clock/commands/views.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { AlarmsApiDeps } from '../control/api/sessions/alarms-api.ts'
import type { EngineHost } from '../host.ts'
import type { MarkerDeps } from '../pipeline/request/read-markers.ts'
import { createReminders, type Reminders, timeTagLine, wantsTimeTag } from '../pipeline/request/reminders.ts'
import type { TurnServices } from '../pipeline/run-turn.ts'

export interface ClockParts extends Omit<AlarmsDeps, 'clock' | 'random' | 'log' | 'files' | 'config' | 'zone'> {
  host: EngineHost
  config: ConfigHandle
  nameOf(sessionId: string): string
  /** the time sync's state changed */
  onSync(): void
}

export interface ClockAssembly {
  alarms: Alarms
  time: TimeSync
  view(): AlarmsView
  nextOf(sessionId: string): SessionView['nextAlarm'] | null
  status(): Required<Pick<EngineStatus, 'alarms' | 'timeSync' | 'zone'>>
  api: Omit<AlarmsApiDeps, 'find'>
  reminders: Reminders
  timeTag: TurnServices['timeTag']
  markers: MarkerDeps['alarms']
}

/** Alarms and the corrected time, with what viewers see of them. */
export function assembleClock(parts: ClockParts): ClockAssembly {
  const { host, config, nameOf, store, record } = parts
  const { random, log, files } = host
  const settings = () => config.current().clock
  const zone = keptZone(host.clock)
  const time = createTimeSync({
    store,
    clock: host.clock,
    random,
    log,
    env: host.env,
    config: () => ({ ...settings().ntp, enabled: settings().enabled && settings().ntp.enabled }),
  })
  const alarms = createAlarms({ ...parts, clock: time.clock, random, log, files, config: settings, zone })
  time.onChange((sync) => {
    record({}, { type: 'time-sync', sync })
    // An alarm that was due in a minute may be due now.
    alarms.deliver(null)
    parts.onSync()
  })
  const view = () => alarmsView(alarms, { nameOf, zone: zone(), retentionMs: settings().retentionMs })
  const viewOf = (task: Task): AlarmView => alarmView(task, nameOf)
  return {
    alarms,
    time,
    view,
    nextOf: (sessionId) => nextAlarmView(alarms.nextOf(sessionId)),
    status() {
      const { waiting, first } = alarms.next()
      const next = first && {
        sessionId: first.sessionId,
        sessionName: nameOf(first.sessionId),
        dueAt: first.dueAtMs,
        task: first.task,
      }
      return { alarms: { waiting, missed: alarms.missedCount(), next }, timeSync: time.state(), zone: zone() }
    },
    markers: {
      async set(sessionId, alarm, requestId) {
        if (!settings().enabled)
          throw new OnwardError('clock-off', 'The clock is switched off, so no alarm can be set.')
        await alarms.schedule(sessionId, [alarm], { by: 'marker', requestId })
      },
      clear: (sessionId, requestId) => alarms.clear(sessionId, 'marker', requestId),
    },
    reminders: createReminders({
      alarms,
      hasAlarms: (sessionId) => alarms.nextOf(sessionId) !== null,
    }),
    timeTag: (turn) =>
      settings().enabled && settings().timeTag && wantsTimeTag(turn)
        ? timeTagLine(time.clock.now(), zone(), time.state().offsetMs)
        : null,
    api: {
      alarms,
      now: () => time.clock.now(),
      enabled: () => settings().enabled,
      view,
      viewOf,
      // It needs a grammar of dates, which is loaded only when a person writes a time.
      async readTime(text) {
        const { readTime } = await import('../clock/read-time/read-time.ts')
        return readTime(text, time.clock.now(), zone())
      },
    },
  }
}
