/**
 * What a program may ask for that speaks for itself (`onward mcp`, the gateway's `/mcp`): the operations of
 * shared/operations/rights.ts, and where it runs in a terminal of Onward's, of the session of that terminal only.
 */
import type { ControlApi } from '../../../shared/operations/index.ts'
import { programMay } from '../../../shared/operations/rights.ts'
import { OnwardError } from '../base/errors.ts'
import type { Terminal } from '../sessions/binding/terminal.ts'
import type { ProgramOrders } from './api/program-orders.ts'

export interface ProgramsDeps {
  api: ControlApi
  orders: ProgramOrders
  /** the terminal itself, or the one that took over what is bound to it */
  holderOf(terminalId: string): Pick<Terminal, 'terminalId' | 'sessionId'> | null
  /** epoch milliseconds */
  now(): number
}

export interface Programs {
  /** `terminal`: the one it runs in; null: it runs in none of Onward's */
  contextOf(terminal: string | null): { api: ControlApi; check(operation: string): void }
}

export function createPrograms({ api, orders, holderOf, now }: ProgramsDeps): Programs {
  const said = createSaid(now)
  const check = (operation: string) => {
    if (!programMay(operation))
      throw new OnwardError(
        'program-may-not',
        'Another program may not do this. Do it in the dashboard or with the command line.',
        { status: 403, details: { operation } },
      )
  }
  return {
    contextOf(terminal) {
      const { reportOf, ...more } = orders
      const ofPrograms: ControlApi = { ...api, ...more }
      const bounded: ControlApi = { ...ofPrograms, say: said.bounded(ofPrograms, terminal === null ? 'other' : 'own') }
      return {
        check,
        api: terminal === null ? bounded : ownSession(bounded, { own: () => ownId(holderOf(terminal)), reportOf }),
      }
    },
  }
}

/** A terminal that has had no turn yet stands for the conversation it will have. */
function ownId(holder: Pick<Terminal, 'terminalId' | 'sessionId'> | null): string {
  if (holder) return holder.sessionId ?? holder.terminalId
  throw new OnwardError('terminal-unknown', 'The terminal that this program runs in is not known any more.', {
    status: 404,
  })
}

/** The control API as the agent of one terminal may ask for it: of its own session, and of no other. */
interface Own extends Pick<ProgramOrders, 'reportOf'> {
  /** the id of its session now, or of its terminal as long as that had no turn */
  own(): string
}

function ownSession(api: ControlApi, { own, reportOf }: Own): ControlApi {
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

/** texts of programs that wait in a session's queue at once, and those that are taken in an hour */
const most = { own: { waiting: 1, hourly: 10 }, other: { waiting: 10, hourly: 60 } } as const
const HOUR_MS = 60 * 60_000

/** Bounds for what programs say: two that answer each other, or one that talks to itself, would never end. */
function createSaid(now: () => number) {
  /** epoch milliseconds, by session */
  const times = new Map<string, readonly number[]>()
  /** by session: texts on their way into its queue, which does not show them yet */
  const underway = new Map<string, number>()
  const count = (id: string, by: 1 | -1) => {
    const left = (underway.get(id) ?? 0) + by
    if (left > 0) underway.set(id, left)
    else underway.delete(id)
  }
  return {
    /** @throws OnwardError `already-said`, `said-too-often` */
    bounded(api: Pick<ControlApi, 'say' | 'session'>, by: keyof typeof most): ControlApi['say'] {
      return async (input) => {
        const { id, queue } = await api.session(input.session)
        const { waiting, hourly } = most[by]
        const open = queue.filter(
          ({ source, state }) => source === 'program' && ['queued', 'typing', 'submitted'].includes(state),
        )
        if (open.length + (underway.get(id) ?? 0) >= waiting)
          throw new OnwardError(
            'already-said',
            waiting === 1
              ? 'What you said before has not arrived yet. Wait until it has.'
              : `${waiting} texts of programs wait for this session already.`,
            { status: 409 },
          )
        const since = now() - HOUR_MS
        const lately = (times.get(id) ?? []).filter((at) => at > since)
        if (lately.length >= hourly)
          throw new OnwardError(
            'said-too-often',
            `Programs said ${hourly} things to this session within an hour, which is the most. A person can go on.`,
            { status: 429 },
          )
        times.set(id, [...lately, now()])
        count(id, 1)
        try {
          return await api.say(input)
        } finally {
          count(id, -1)
        }
      }
    },
  }
}
