/** Today as a line from morning to midnight, with what stands on it. Places are percent of its width. Pure. */
import type { ShownAlarms } from './all-alarms.ts'
import { clusters } from './clusters.ts'
import type { OfMachine } from '../state/place.ts'
import type { WallOf } from './wall.ts'

export type PinKind = 'waits' | 'delivered' | 'missed'
export interface PinAlarm extends OfMachine {
  key: string
  taskId: string
  dueAt: number
  task: string
  sessionName: string
  setBy: 'model' | 'user'
}
/** Alarms too close to be drawn apart share one pin. */
export interface Pin {
  kind: PinKind
  place: number
  alarms: readonly PinAlarm[]
}

export interface DayLine {
  hours: readonly { hour: number; place: number; named: boolean }[]
  now: number
  pins: readonly Pin[]
}

const morning = 6
const midnight = 24
/** A waiting pin is 24 px wide with its ring; the rest is room between two. */
const pinPx = 28

type DayAlarms = Pick<ShownAlarms, 'alarms' | 'missed' | 'history'>

/** @param width of the line in pixels */
export function dayLine(
  alarms: DayAlarms,
  { now, wall, width }: { now: number; wall: WallOf; width: number },
): DayLine {
  const { day, minutes } = wall(now)
  const today = [...onLine(alarms)]
    .map((one) => ({ ...one, at: wall(one.alarm.dueAt) }))
    .filter(({ at }) => at.day === day)
  const earliest = Math.min(minutes, ...today.map(({ at }) => at.minutes)) / 60
  // Named hours are every third one, and the line begins at one of them.
  const from = Math.min(morning, Math.floor(earliest / 3) * 3)
  const place = (of: number): number => ((of - from * 60) / ((midnight - from) * 60)) * 100
  const gap = (pinPx / Math.max(width, pinPx)) * 100
  const pins = (['delivered', 'missed', 'waits'] as const).flatMap((kind) =>
    clusters(
      today.filter((one) => one.kind === kind),
      ({ at }) => place(at.minutes),
      gap,
    ).map((cluster): Pin => ({ kind, place: cluster.place, alarms: cluster.members.map(({ alarm }) => alarm) })),
  )
  const hours = Array.from({ length: midnight - from + 1 }, (_, i) => ({
    hour: from + i,
    place: place((from + i) * 60),
    named: i % 3 === 0,
  }))
  return { hours, now: place(minutes), pins }
}

/** Each due time once: a delivered alarm stands in the list until its time is over, and in the history. */
function* onLine({ alarms, missed, history }: DayAlarms): Iterable<{ kind: PinKind; alarm: PinAlarm }> {
  const seen = new Set<string>()
  const once = (one: Omit<PinAlarm, 'key'>): PinAlarm | null => {
    const { taskId, dueAt, task, sessionName, setBy, machine } = one
    const key = `${machine ?? ''} ${taskId} ${dueAt}`
    if (seen.has(key)) return null
    seen.add(key)
    return { key, taskId, dueAt, task, sessionName, setBy, ...(machine === undefined ? {} : { machine }) }
  }
  for (const one of alarms) {
    const alarm = once(one)
    if (alarm) yield { kind: one.state.kind === 'delivered' ? 'delivered' : 'waits', alarm }
  }
  for (const one of missed) {
    const alarm = once(one)
    if (alarm) yield { kind: 'missed', alarm }
  }
  for (const one of history) {
    const alarm = one.end.kind === 'delivered' ? once(one) : null
    if (alarm) yield { kind: 'delivered', alarm }
  }
}
