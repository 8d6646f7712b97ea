import type { AlarmsView } from '../../shared/alarms.ts'
import type { ControlApi } from '../../shared/control/contract.ts'
import type { Scene } from './scene.ts'

type AlarmCalls = 'alarms' | 'alarmsOf' | 'addAlarm' | 'editAlarm' | 'snoozeAlarm' | 'cancelAlarm' | 'restoreAlarm' | 'settleMissed' | 'dismissAllMissed' | 'readTime'

export interface FakeAlarmsDeps {
  scene: Scene
  called(name: string, input: unknown): void
  refuse(code: string, message: string): never
}

const none: AlarmsView = { waiting: 0, alarms: [], missed: [], missedTotal: 0, history: [], zone: 'Europe/Berlin', retentionMs: 1_200_000 }

/** The fake engine's alarms. */
export function fakeAlarms({ called, refuse }: FakeAlarmsDeps): Pick<ControlApi, AlarmCalls> {
  const unknown = (name: string) => async (input: unknown) => { called(name, input); return refuse('alarm-unknown', 'There is no such alarm.') }
  return {
    async alarms() { return none },
    async alarmsOf() { return [] },
    addAlarm: unknown('addAlarm'),
    editAlarm: unknown('editAlarm'),
    snoozeAlarm: unknown('snoozeAlarm'),
    cancelAlarm: unknown('cancelAlarm'),
    restoreAlarm: unknown('restoreAlarm'),
    settleMissed: unknown('settleMissed'),
    async dismissAllMissed() { called('dismissAllMissed', null) },
    async readTime() { return { ok: false, code: 'unread', at: null } },
  }
}
