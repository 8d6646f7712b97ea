import type { FindTarget } from '../../terminals/types.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { DoctorFinding } from '../../../../shared/doctor.ts'
import type { FoundAgent } from '../../../../shared/setup/agent-standing.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { EngineHost } from '../../host.ts'
import { forgetCrashes, lastCrash } from '../../records/crash-shelf.ts'
import type { Captures } from '../../records/captures.ts'
import type { Timeline } from '../../records/timeline.ts'
import type { TurnRecords } from '../../records/turn-records.ts'
import { sessionName, type SessionState } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import { nameAhead, namedAhead } from '../../sessions/identify/tell-apart.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { Router } from '../../router/create-router.ts'
import type { HostHub } from '../../terminals/host/hub.ts'
import type { TmuxPanes } from '../../terminals/tmux/index.ts'
import type { Revive } from '../../servertools/revive/index.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { Viewing } from '../views/viewing.ts'
import { readLogTail } from './log-tail.ts'
import { devicesApi, type DevicesApiDeps } from './devices-api.ts'
import { adoptApi } from './terminals/adopt-api.ts'
import { alarmsApi, type AlarmsApiDeps } from './sessions/alarms-api.ts'
import { readLogPage } from './log-page.ts'
import { machinesApi } from './machines-api.ts'
import { pastRounds } from '../views/past-rounds.ts'
import { fleetApi, type FleetApiDeps } from './fleet-api.ts'
import { findSession } from './sessions/find-session.ts'
import { firstRunApi, type FirstRunDeps } from './first-run-api.ts'
import { foldersApi } from './terminals/folders-api.ts'
import { goalApi, type GoalOrders } from './sessions/goal-api.ts'
import { configApi, type ConfigApiDeps } from './config/config-api.ts'
import { routingApi } from './routing-api.ts'
import { configFileApi, type ConfigFileApiDeps, telemetryApi } from './config/config-file-api.ts'
import { deleteSession, type DeleteSessionDeps } from './sessions/delete-session.ts'
import { outsideApi, type OutsideApiDeps } from './config/outside-api.ts'
import { programOrders, type ProgramOrders } from './program-orders.ts'
import { recordsApi } from './records-api.ts'
import { reportApi, type ReportApiDeps } from './report-api.ts'
import { drivesApi, type DrivesApiDeps } from './sessions/drives-api.ts'
import { sessionsApi, type SessionsApiDeps } from './sessions/sessions-api.ts'
import { noScope, stopMessageApi, type StopMessageOrders } from './sessions/stop-message-api.ts'
import { findFresh, type Target } from './sessions/target.ts'
import { settingsApi } from './config/settings-api.ts'
import { switchesApi } from './config/switches-api.ts'
import { terminalsApi } from './terminals/terminals-api.ts'

export interface ApiDeps extends DevicesApiDeps {
  host: EngineHost
  baseUrl(): string
  status(): EngineStatus
  viewing: Viewing
  sessions: SessionStore
  /** resolves when the sessions of earlier runs are in memory; until then no caller gets a list */
  loaded: Promise<void>
  /**
   * resolves when no terminal is taking over what is bound to another one: an order goes to the one that has it then
   */
  rebound(): Promise<void>
  registry: TerminalsRegistry
  outboxes: Outboxes
  orders: StopMessageOrders
  resume: SessionsApiDeps['resume']
  recover: SessionsApiDeps['recover']
  drives: DrivesApiDeps['drives']
  pauseGoal: DrivesApiDeps['pauseGoal']
  outage: SessionsApiDeps['outage']
  /** pauses or resumes everything that types, for one scope */
  pauseScope(scope: Scope): Promise<void>
  resumeScope(scope: Scope): Promise<void>
  pauseAll(): Promise<void>
  resumeAll(): Promise<void>
  /** a session without a terminal keeps its stopMessage here, in reenter mode */
  reenter(): boolean
  hub: HostHub
  tmux: TmuxPanes
  /** the screen of a terminal without its words */
  report(terminal: Terminal): Promise<string>
  /** what becomes of a terminal whose agent ended */
  launcherAsks: Revive['launcherAsks']
  findTarget: FindTarget
  checkNeeds(terminalId: string): Promise<void>
  timeline: Timeline
  diffOf: ReportApiDeps['diffOf']
  records: TurnRecords
  captures: Captures
  findAgents(): Promise<readonly FoundAgent[]>
  doctor(): Promise<readonly DoctorFinding[]>
  dashboardLink(): string
  signOutWindows(): void
  handOver(): void
  underWay(): Promise<readonly string[]>
  router: Router
  configuring: ConfigApiDeps
  personsFiles: FirstRunDeps['files']
  servertools: ConfigFileApiDeps['servertools']
  alarms: Omit<AlarmsApiDeps, 'find'>
  goal: GoalOrders
  outside: OutsideApiDeps['outside']
  deletions: DeleteSessionDeps['deletions']
  quietHeld: ConfigFileApiDeps['quietHeld']
  markers: SessionsApiDeps['markers']
  fleet: FleetApiDeps['fleet']
}

/** The control API over the engine's rooms; each group of calls is a file beside this one. */
export function createApi(deps: ApiDeps): { api: ControlApi; ofPrograms: ProgramOrders } {
  const { sessions, registry, viewing } = deps
  const { find, targetOf, queueOf, stateOf, setPaused } = finding(deps)

  const alarms = alarmsApi({ ...deps.alarms, find })
  const terminals = terminalsApi({
    host: deps.host,
    config: deps.configuring.config,
    baseUrl: deps.baseUrl,
    registry,
    hub: deps.hub,
    nameAhead(cwd) {
      const now = deps.host.clock.now()
      return nameAhead(cwd, [...sessions.list(), ...namedAhead(registry.list(), null, now)], now)
    },
    describePane: deps.tmux.describe,
    watchPane: deps.tmux.watch,
    view: viewing.terminal,
    report: deps.report,
    findTarget: deps.findTarget,
    record: deps.timeline.record,
    checkNeeds: deps.checkNeeds,
    launcherAsks: deps.launcherAsks,
  })

  const api: ControlApi = {
    ...configApi(deps.configuring),
    ...switchesApi(deps.configuring.config),
    ...settingsApi({ ...deps.host, ...deps.configuring, baseUrl: deps.baseUrl }),
    ...configFileApi({ ...deps, ...deps.configuring }),
    ...alarms,
    ...devicesApi(deps, deps.configuring.config),
    ...adoptApi({ registry, tmux: deps.tmux, view: viewing.terminal }),
    ...routingApi({ router: deps.router, find }),
    ...recordsApi({ records: deps.records, captures: deps.captures, sessions, viewing, find }),
    ...reportApi({ ...deps, clock: deps.host.clock }),
    ...telemetryApi(deps.configuring),
    ...outsideApi({ ...deps.configuring, outside: deps.outside }),
    ...fleetApi(deps),
    ...drivesApi({ ...deps, find, targetOf: queueOf, view: viewing.session }),
    ...sessionsApi({ ...deps, find, targetOf: queueOf, view: viewing.session, now: deps.host.clock.now }),
    ...goalApi({
      ...deps.goal,
      targetOf: stateOf,
      config: deps.configuring.config,
      isArmed({ terminalId, stopMessage }) {
        const terminal = registry.holderOf(terminalId)
        return terminal !== null && registry.alive(terminal) && stopMessage?.goal !== undefined
      },
      async pastRounds(session) {
        await deps.timeline.loaded
        return pastRounds(deps.timeline.list({ session, limit: 500 }))
      },
    }),
    ...stopMessageApi({ targetOf: stateOf, orders: deps.orders }),
    ...terminals,
    ...machinesApi(deps.host),
    ...foldersApi({ host: deps.host, sessions, registry, loaded: deps.loaded }),
    ...firstRunApi({
      ...deps.configuring,
      files: deps.personsFiles,
      host: deps.host,
      baseUrl: deps.baseUrl,
      openTerminal: terminals.openTerminal,
      addAlarm: alarms.addAlarm,
      follow: viewing.hub.follow,
      language: () => deps.status().language,
    }),
    async status() {
      await deps.loaded
      return deps.status()
    },
    async sessions() {
      await deps.loaded
      return viewing.sessions()
    },
    session: async (wanted) => (await targetOf(wanted)).view(),
    terminals: async () => viewing.terminals(),
    async timeline({ session, beforeSeq, limit }) {
      const id = session === null ? null : (await find(session)).id
      await deps.timeline.loaded
      return deps.timeline.list({ session: id, beforeSeq, limit })
    },
    async findSaid({ words, session, limit }) {
      const of = session === null ? null : (await find(session)).id
      const found = await deps.timeline.find({ words, session: of, limit })
      return found.map(({ event: { seq, at, sessionId, body }, excerpt }) => {
        const known = sessionId === null ? undefined : sessions.get(sessionId)
        return { seq, at, session: known ? { id: known.id, name: sessionName(known) } : null, type: body.type, excerpt }
      })
    },
    agents: deps.findAgents,
    doctor: deps.doctor,
    logs: (lines) => readLogTail(deps.host.home, lines),
    logPage: ({ cursor, lines }) => readLogPage(deps.host.home, cursor, lines),
    pause: (session) => (session === null ? deps.pauseAll() : setPaused(session, true)),
    resume: (session) => (session === null ? deps.resumeAll() : setPaused(session, false)),
    deleteSession: async (session) =>
      deleteSession(
        { view: viewing.session, terminals: registry.list, deletions: deps.deletions },
        (await find(session)).id,
      ),
    underWay: deps.underWay,
    lastCrash: async () => lastCrash(deps.host.home),
    async forgetCrashes() {
      forgetCrashes(deps.host.home)
    },
    dashboardLink: async () => deps.dashboardLink(),
    async signOutWindows() {
      deps.signOutWindows()
    },
    async handOver() {
      deps.handOver()
    },
    follow: (signal) => followAll(deps, signal),
    followSubject: (subject, signal) => viewing.hub.follow(signal, subject),
  }
  return { api, ofPrograms: programOrders({ ...deps, clock: deps.host.clock, find, targetOf: queueOf }) }
}

/** A viewer looks at all machines; what is found out of them comes after its snapshot. */
function followAll({ host, viewing }: ApiDeps, signal: AbortSignal) {
  void host.machines?.list().catch(() => undefined)
  return viewing.hub.follow(signal)
}

/** Finds the session or the terminal that a caller names, and where its texts are kept. */
function finding(deps: ApiDeps) {
  const { sessions, registry, viewing } = deps
  const find = async (wanted: string) => {
    await deps.loaded
    await deps.rebound()
    const found = findSession(wanted, sessions.list(), registry.list())
    // A conversation that goes on under another id is still meant by its first one.
    let now: SessionState | null = found
    for (const seen = new Set<string>(); now?.continuedIn && !seen.has(now.id); now = sessions.get(now.continuedIn))
      seen.add(now.id)
    return now ?? found
  }

  /** Where a session's queue is: texts for a conversation that the terminal does not show wait there for it. */
  const queueScopeOf = (session: SessionState): Scope => {
    const terminal = registry.holderOf(session.terminalId)
    if (terminal && registry.alive(terminal)) return terminal.scope
    if (!terminal && deps.reenter()) return `session:${session.id}`
    throw noScope(sessionName(session))
  }
  const scopeOf = (session: SessionState): Scope => {
    const terminal = registry.holderOf(session.terminalId)
    if (terminal && registry.alive(terminal) && terminal.sessionId !== null && terminal.sessionId !== session.id)
      throw new OnwardError(
        'other-conversation',
        `${sessionName(session)} is not the conversation its terminal shows now.`,
        { status: 409 },
      )
    return queueScopeOf(session)
  }
  /** Also for a conversation that is not in front: its stopMessage stands by, and may be changed. */
  const stateScopeOf = (session: SessionState): Scope => {
    const terminal = registry.holderOf(session.terminalId)
    return terminal && registry.alive(terminal) && viewing.session(session.id).stopMessage !== null
      ? terminal.scope
      : scopeOf(session)
  }
  const targetOf = async (wanted: string, keptIn: (session: SessionState) => Scope): Promise<Target> => {
    await deps.loaded
    await deps.rebound()
    const living = registry.list().filter(registry.alive)
    const byId = findFresh(wanted, living, 'id')
    if (byId) return fresh(byId)
    try {
      const session = await find(wanted)
      return {
        sessionId: session.id,
        name: sessionName(session),
        scope: () => keptIn(session),
        view: () => viewing.session(session.id),
        folder: () => deps.goal.folderOf(session.id),
      }
    } catch (error) {
      const byName =
        OnwardError.isInstance(error) && error.code === 'session-unknown' ? findFresh(wanted, living, 'name') : null
      if (byName) return fresh(byName)
      throw error
    }
  }
  const fresh = ({ terminalId, name, scope, cwd }: Terminal): Target => ({
    sessionId: null,
    name,
    scope: () => scope,
    view: () => viewing.conversation(terminalId),
    folder: () => cwd,
  })
  const setPaused = async (wanted: string, paused: boolean): Promise<void> => {
    const { sessionId, scope: scopeNow } = await targetOf(wanted, scopeOf)
    if (sessionId === null) return paused ? deps.pauseScope(scopeNow()) : deps.resumeScope(scopeNow())
    const session = await sessions.choose(sessionId, () => ({ paused }))
    const terminal = registry.holderOf(session.terminalId)
    const scope: Scope | null = terminal ? terminal.scope : deps.reenter() ? `session:${session.id}` : null
    if (scope !== null) await (paused ? deps.pauseScope(scope) : deps.resumeScope(scope))
    viewing.hub.sessionChanged(session.id)
  }

  return {
    find,
    targetOf: (wanted: string) => targetOf(wanted, scopeOf),
    /** the same, with the queue that texts for it wait in */
    queueOf: (wanted: string) => targetOf(wanted, queueScopeOf),
    /** the same, with the scope of its stopMessage */
    stateOf: (wanted: string) => targetOf(wanted, stateScopeOf),
    setPaused,
  }
}
