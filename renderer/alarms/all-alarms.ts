/** The alarms of all machines as one view, each marked by its machine. Pure. */
import type { AlarmsView, MissedAlarm, PastAlarm } from '../../shared/alarms/alarms.ts'
import type { OfMachine } from '../state/place.ts'
import type { ShownAlarm } from './items.ts'

export interface ShownAlarms extends Omit<AlarmsView, 'alarms' | 'missed' | 'history'> {
  alarms: readonly ShownAlarm[]
  missed: readonly (MissedAlarm & OfMachine)[]
  history: readonly (PastAlarm & OfMachine)[]
}

/**
 * @param views this machine's without a name, first: days are told in its zone; what is not known is left out
 * @returns null: none is known
 */
export function allAlarms(views: readonly (OfMachine & { alarms: AlarmsView | null })[]): ShownAlarms | null {
  const known = views.flatMap(({ machine, alarms }) => (alarms ? [{ machine, alarms }] : []))
  const [first] = known
  if (!first) return null
  const [only] = views.length === 1 ? known : []
  if (only) return only.alarms
  const of = <T>(read: (view: AlarmsView) => readonly T[]): (T & OfMachine)[] =>
    known.flatMap(({ machine, alarms }) => read(alarms).map((one) => ({ ...one, machine })))
  const sum = (read: (view: AlarmsView) => number) => known.reduce((all, { alarms }) => all + read(alarms), 0)
  return {
    waiting: sum(({ waiting }) => waiting),
    alarms: of(({ alarms }) => alarms).toSorted((a, b) => a.dueAt - b.dueAt),
    missed: of(({ missed }) => missed).toSorted((a, b) => b.at - a.at),
    missedTotal: sum(({ missedTotal }) => missedTotal),
    history: of(({ history }) => history).toSorted((a, b) => b.at - a.at),
    zone: first.alarms.zone,
    retentionMs: Math.max(...known.map(({ alarms }) => alarms.retentionMs)),
  }
}
