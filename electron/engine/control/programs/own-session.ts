/** The control API as the agent of one terminal may ask for it: of its own session, and of no other. */
import type { ControlApi } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import type { ProgramOrders } from '../api/program-orders.ts'

interface Own extends Pick<ProgramOrders, 'reportOf'> {
  /** the id of its session now, or of its terminal as long as that had no turn */
  own(): string
}

export function ownSession(api: ControlApi, { own, reportOf }: Own): ControlApi {
  const mine = () => api.session(own())
  /** Answers the same for another session and for none, so that nothing is learned of others. */
  const idOf = async (wanted: string | null): Promise<string> => {
    const { id } = await mine()
    if (wanted === null || wanted === id) return id
    const asked = await api.session(wanted).catch((error: unknown) => {
      if (OnwardError.isInstance(error)) return null
      throw error
    })
    if (asked?.id === id) return id
    throw new OnwardError('own-session-only', 'An agent that Onward started hears of its own session only.', {
      status: 403,
    })
  }
  const mineAlarm = async (wanted: string): Promise<string> => {
    const alarms = await api.alarmsOf((await mine()).id)
    const found = alarms.filter(({ taskId }) => taskId.startsWith(wanted))
    const [one] = found
    if (one && found.length === 1) return one.taskId
    throw new OnwardError('alarm-unknown', 'No alarm of your session has this id.', { status: 404 })
  }
  return {
    ...api,
    async status() {
      const [status, session] = await Promise.all([api.status(), mine()])
      const { version, pid, host, port, startedAt, paused, simulator, language } = status
      const { id, name, shape, nextAlarm } = session
      return {
        version,
        pid,
        host,
        port,
        startedAt,
        paused,
        simulator,
        language,
        home: '',
        configPath: '',
        configProblem: null,
        providers: [],
        counts: {
          sessions: 1,
          activity: shape === 'working' ? 1 : 0,
          needsYou: shape === 'needs' || shape === 'failed' ? 1 : 0,
          terminals: 1,
        },
        // not kept apart for one session
        today: { turns: 0, tokens: 0, costUsd: null },
        alarms: {
          waiting: nextAlarm?.waiting ?? 0,
          missed: 0,
          next: nextAlarm ? { sessionId: id, sessionName: name, dueAt: nextAlarm.dueAt, task: nextAlarm.task } : null,
        },
        ...(status.zone === undefined ? {} : { zone: status.zone }),
      }
    },
    sessions: async () => [await mine()],
    session: async (wanted) => api.session(await idOf(wanted)),
    timeline: async (input) => api.timeline({ ...input, session: await idOf(input.session) }),
    say: async (input) => api.say({ ...input, session: await idOf(input.session) }),
    askForGoal: async (input) => api.askForGoal({ ...input, session: await idOf(input.session) }),
    alarmsOf: async (wanted) => api.alarmsOf(await idOf(wanted)),
    async alarms() {
      const [view, { id }] = await Promise.all([api.alarms(), mine()])
      const own = <T extends { sessionId: string }>(list: readonly T[]) => list.filter((one) => one.sessionId === id)
      const alarms = await api.alarmsOf(id)
      const missed = own(view.missed)
      const waiting = alarms.filter(({ state }) => state.kind !== 'delivered').length
      return { ...view, alarms, waiting, missed, missedTotal: missed.length, history: own(view.history) }
    },
    addAlarm: async (input) => api.addAlarm({ ...input, session: await idOf(input.session) }),
    editAlarm: async (input) => api.editAlarm({ ...input, alarm: await mineAlarm(input.alarm) }),
    cancelAlarm: async (alarm) => api.cancelAlarm(await mineAlarm(alarm)),
    report: async (since) => reportOf(since, (await mine()).id),
  }
}
