import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { ReportView } from '../../../../shared/report.ts'
import { reportApi, type ReportApiDeps } from './report-api.ts'
import { alarmsApi, type AlarmsApiDeps } from './sessions/alarms-api.ts'
import { say, type SessionsApiDeps } from './sessions/sessions-api.ts'

/** What is carried out otherwise for a program than for a person: its texts and alarms count as a model's. */
export interface ProgramOrders extends Pick<ControlApi, 'say' | 'addAlarm' | 'editAlarm' | 'cancelAlarm'> {
  /** the report on one session, by its id */
  reportOf(since: number | null, session: string): Promise<ReportView>
}

export interface ProgramOrdersDeps extends ReportApiDeps, Pick<SessionsApiDeps, 'find' | 'targetOf' | 'outboxes'> {
  alarms: Omit<AlarmsApiDeps, 'find'>
}

export function programOrders(deps: ProgramOrdersDeps): ProgramOrders {
  const { addAlarm, editAlarm, cancelAlarm } = alarmsApi({ ...deps.alarms, find: deps.find }, 'model')
  return {
    addAlarm,
    editAlarm,
    cancelAlarm,
    say: (input) => say(deps, input, { source: 'program', writtenBy: 'model' }),
    reportOf: reportApi(deps).reportOf,
  }
}
