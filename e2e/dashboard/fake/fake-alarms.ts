import type { AlarmEnd, AlarmsView, AlarmView, MissedAlarm, ReadTime } from '../../../shared/alarms/alarms.ts'
import type { alarmOperations } from '../../../shared/operations/alarms.ts'
import type { Handlers } from '../../../shared/operations/operation.ts'
import type { EngineUpdate, SessionView } from '../../../shared/state.ts'
import type { Scene } from './scene.ts'

export interface FakeAlarmsDeps {
  scene: Scene
  refuse(code: string, message: string): never
  find(ref: string): SessionView
  put(id: string, change: Partial<SessionView>): SessionView
  putStatus(change: Partial<Scene['status']>): void
  push(update: EngineUpdate): void
}

export interface FakeAlarms extends Handlers<typeof alarmOperations> {
  /** changes the alarms and sends them to all viewers */
  putAlarms(change: Partial<AlarmsView>): void
  putAlarm(taskId: string, change: Partial<AlarmView>): void
}

/** The fake engine's alarms: in memory, nothing ever rings by itself. */
export function fakeAlarms(
  { scene, refuse, find, put, putStatus, push }: FakeAlarmsDeps,
  now: () => number,
): FakeAlarms {
  const cancelled = new Map<string, AlarmView>()
  let serial = 0
  const waiting = (alarms: readonly AlarmView[]) => alarms.filter(({ state }) => state.kind === 'waits')
  const nextOf = (sessionId: string): SessionView['nextAlarm'] => {
    const [first, ...others] = waiting(scene.alarms.alarms).filter((alarm) => alarm.sessionId === sessionId)
    return first && { taskId: first.taskId, dueAt: first.dueAt, task: first.task, waiting: others.length + 1 }
  }
  const putAlarms = (change: Partial<AlarmsView>): void => {
    const alarms = (change.alarms ?? scene.alarms.alarms).toSorted((a, b) => a.dueAt - b.dueAt)
    const missed = change.missed ?? scene.alarms.missed
    scene.alarms = {
      ...scene.alarms,
      waiting: waiting(alarms).length,
      missedTotal: missed.length,
      ...change,
      alarms,
      missed,
    }
    push({ type: 'alarms', alarms: scene.alarms })
    for (const session of scene.sessions) {
      const next = nextOf(session.id)
      if (JSON.stringify(next) !== JSON.stringify(session.nextAlarm)) put(session.id, { nextAlarm: next })
    }
    const [next] = waiting(alarms)
    putStatus({
      alarms: {
        waiting: scene.alarms.waiting,
        missed: missed.length,
        next: next
          ? { sessionId: next.sessionId, sessionName: next.sessionName, dueAt: next.dueAt, task: next.task }
          : null,
      },
    })
  }
  const of = (taskId: string): AlarmView =>
    scene.alarms.alarms.find((alarm) => alarm.taskId === taskId) ??
    refuse('alarm-unknown', 'There is no such alarm. It may have been cancelled or delivered.')
  const missedOf = (key: string): MissedAlarm =>
    scene.alarms.missed.find((one) => one.key === key) ??
    refuse('missed-unknown', 'It is not among the missed alarms any more.')
  const putAlarm = (taskId: string, change: Partial<AlarmView>) =>
    putAlarms({
      alarms: scene.alarms.alarms.map((alarm) => (alarm.taskId === taskId ? { ...alarm, ...change } : alarm)),
    })
  const past = ({ taskId, sessionId, sessionName, dueAt, task, setBy }: AlarmView | MissedAlarm, end: AlarmEnd) => [
    { id: `past-${++serial}`, at: now(), taskId, sessionId, sessionName, dueAt, task, setBy, end },
    ...scene.alarms.history,
  ]
  const changed = (taskId: string, change: Partial<AlarmView>): AlarmView => {
    if (of(taskId).state.kind === 'under-way') return refuse('alarm-under-way', 'The alarm is on its way already.')
    putAlarm(taskId, { ...(change.dueAt === undefined ? {} : { state: { kind: 'waits' } }), ...change })
    return of(taskId)
  }
  const anew = (missed: MissedAlarm, dueAt: number, end: AlarmEnd, state: AlarmView['state'] = { kind: 'waits' }) =>
    putAlarms({
      missed: scene.alarms.missed.filter(({ key }) => key !== missed.key),
      alarms: [
        ...scene.alarms.alarms,
        {
          taskId: missed.taskId,
          sessionId: missed.sessionId,
          sessionName: missed.sessionName,
          dueAt,
          createdAt: now(),
          task: missed.task,
          tool: null,
          arguments: null,
          setBy: missed.setBy,
          state,
          deliveryCount: 0,
        },
      ],
      history: past(missed, end),
    })

  return {
    putAlarms,
    putAlarm,
    async alarms() {
      return scene.alarms
    },
    async alarmsOf(ref) {
      const { id } = find(ref)
      return scene.alarms.alarms.filter(({ sessionId }) => sessionId === id)
    },
    async addAlarm(input) {
      const { id, name } = find(input.session)
      const alarm: AlarmView = {
        taskId: `a-${++serial}`,
        sessionId: id,
        sessionName: name,
        dueAt: input.dueAt,
        createdAt: now(),
        task: input.task,
        ...(input.repeat ? { repeat: { ...input.repeat, nth: 1 } } : {}),
        tool: null,
        arguments: null,
        setBy: 'user',
        state: { kind: 'waits' },
        deliveryCount: 0,
      }
      putAlarms({ alarms: [...scene.alarms.alarms, alarm] })
      return alarm
    },
    async editAlarm({ alarm, dueAt, task }) {
      return changed(alarm, { ...(dueAt === undefined ? {} : { dueAt }), ...(task === undefined ? {} : { task }) })
    },
    async snoozeAlarm({ alarm, minutes }) {
      return changed(alarm, { dueAt: now() + minutes * 60_000 })
    },
    async cancelAlarm(taskId) {
      const alarm = of(taskId)
      cancelled.set(taskId, alarm)
      putAlarms({
        alarms: scene.alarms.alarms.filter((one) => one !== alarm),
        history: past(alarm, { kind: 'cancelled', by: 'user' }),
      })
    },
    async skipAlarm(taskId) {
      const { repeat, dueAt, ...alarm } = of(taskId)
      if (repeat?.rule.kind !== 'interval') return refuse('alarm-single', 'This alarm rings once.')
      const next = { ...alarm, dueAt: dueAt + repeat.rule.ms, repeat: { ...repeat, nth: repeat.nth + 1 } }
      putAlarm(taskId, next)
      return next
    },
    async restoreAlarm(taskId) {
      const alarm = cancelled.get(taskId) ?? refuse('alarm-unknown', 'The alarm was not cancelled lately.')
      cancelled.delete(taskId)
      putAlarms({
        alarms: [...scene.alarms.alarms, alarm],
        history: scene.alarms.history.filter((one) => one.taskId !== taskId),
      })
      return alarm
    },
    async settleMissed({ missed, how }) {
      const one = missedOf(missed)
      switch (how.kind) {
        case 'dismiss':
          return putAlarms({
            missed: scene.alarms.missed.filter(({ key }) => key !== missed),
            history: past(one, { kind: 'dismissed' }),
          })
        case 'deliver':
          return anew(one, now(), { kind: 'rescheduled', to: now() }, { kind: 'under-way', route: 'terminal' })
        case 'reschedule':
          return anew(one, how.dueAt, { kind: 'rescheduled', to: how.dueAt })
      }
    },
    async dismissAllMissed() {
      putAlarms({
        missed: [],
        history: scene.alarms.missed.reduce(
          (history, one) => [{ ...one, id: `past-${++serial}`, at: now(), end: { kind: 'dismissed' } }, ...history],
          scene.alarms.history,
        ),
      })
    },
    async readTime(text) {
      return fakeReadTime(text, now(), scene.alarms.zone)
    },
  }
}

const units: Record<string, number> = { min: 60_000, h: 3_600_000, s: 1000 }

/** Reads “in 20 min”, “in 2 h” and ISO instants: enough to try the form with. */
function fakeReadTime(text: string, now: number, zone: string): ReadTime {
  const wanted = text.trim()
  if (wanted === '') return { ok: false, code: 'empty', at: null }
  const [, amount, unit] = /^in (\d+) ?(min|h|s)$/.exec(wanted) ?? []
  const at =
    amount !== undefined && unit !== undefined
      ? now + Number(amount) * (units[unit] ?? 0)
      : /^\d{4}-\d\d-\d\dT/.test(wanted)
        ? Date.parse(wanted)
        : Number.NaN
  if (Number.isNaN(at)) return { ok: false, code: 'unread', at: null, part: wanted, why: 'unknown' }
  return at <= now
    ? { ok: false, code: 'past', at }
    : { ok: true, at, echo: new Date(at).toISOString(), zone, there: null }
}
