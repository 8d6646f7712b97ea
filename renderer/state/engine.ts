/** The page's knowledge of the engine, and the one reducer that every update goes through. Pure. */
import { asksForPerson } from '../../shared/asks-for-person.ts'
import type { AlarmsView } from '../../shared/alarms/alarms.ts'
import type { TimelineEvent } from '../../shared/events.ts'
import type { DeviceRight, DeviceView } from '../../shared/devices.ts'
import type { FolderChecks } from '../../shared/review.ts'
import { withMachine, type MachineView } from '../../shared/machines.ts'
import type { ProviderView, RoutingView } from '../../shared/routing.ts'
import type {
  EngineStatus,
  EngineUpdate,
  SessionSay,
  SessionView,
  TerminalView,
  TurnRecord,
} from '../../shared/state.ts'
import { withChecks, type ReadChecks } from './checks.ts'
import { appendEvent, failedTimeline, loadedTimeline, loadingTimeline, type Timeline } from './timelines.ts'
import type { SessionShape } from '../../shared/words.ts'

/** The connection to the engine. Data of the last snapshot stay when it is lost. */
export type Link =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** the socket closed for no known reason; the engine may live */
  | { kind: 'lost'; at: number; retryAt: number }
  /**
   * the engine said goodbye, or no program listens at its address any more; `kept`: the hub of its fleet keeps for it
   * what may be done later
   */
  | { kind: 'stopped'; at: number; retryAt: number; kept?: true }
  /**
   * no token, or one the engine does not take; `stranger`: what answers is not the engine that gave it; `insecure`: the
   * browser can't prove anything at this address; `pair`: opened by a pairing code, which is not used yet; `revoked`:
   * this device was paired, and counts no more
   */
  | {
      kind: 'refused'
      token: 'none' | 'wrong' | 'stranger' | 'insecure' | 'pair' | 'revoked'
      at: number | null
    }

/** When what is shown was true; null: it is true now, or nothing is shown yet. */
export const lastSeen = ({ link }: Pick<EngineState, 'link'>): number | null => ('at' in link ? link.at : null)

export interface EngineState {
  link: Link
  /** null until the first snapshot */
  status: EngineStatus | null
  sessions: ReadonlyMap<string, SessionView>
  terminals: ReadonlyMap<string, TerminalView>
  /** null: not received yet (load-shown.ts asks) */
  providers: readonly ProviderView[] | null
  routing: RoutingView | null
  /** why the two could not be loaded */
  providersProblem: string | null
  /** all alarms that viewers get, bounded by the engine; null: not received yet (load-shown.ts asks) */
  alarms: AlarmsView | null
  alarmsProblem: string | null
  /** paired ones, as people see them */
  devices: readonly DeviceView[]
  /** of the paired device that this is; null: it is none, and may all */
  rights: readonly DeviceRight[] | null
  /** other machines with their sessions, by name */
  machines: readonly MachineView[]
  /** only of sessions that were opened */
  timelines: ReadonlyMap<string, Timeline>
  /** checks of sessions whose folder was read from here */
  checks: ReadonlyMap<string, ReadChecks>
  /** changes in the last batch that a person should notice */
  transitions: readonly Transition[]
  /** goes up with every snapshot: views that loaded something ask again */
  snapshots: number
  /** records that came since the last snapshot, newest last, the newest few only */
  freshTurns: readonly TurnRecord[]
}

export type EngineAction =
  | { type: 'updates'; updates: readonly EngineUpdate[] }
  | { type: 'link'; link: Link }
  | { type: 'routing'; routing: RoutingView }
  | { type: 'servertools'; servertools: NonNullable<EngineStatus['servertools']> }
  | { type: 'providers-failed'; message: string }
  | { type: 'alarms-failed'; message: string }
  | { type: 'checks'; session: string; checks: FolderChecks }
  | { type: 'timeline-loading'; session: string }
  | { type: 'timeline-loaded'; session: string; events: readonly TimelineEvent[]; more: boolean }
  | { type: 'timeline-failed'; session: string; message: string }

export const emptyEngine: EngineState = {
  link: { kind: 'connecting' },
  status: null,
  sessions: new Map(),
  terminals: new Map(),
  providers: null,
  routing: null,
  providersProblem: null,
  alarms: null,
  alarmsProblem: null,
  devices: [],
  rights: null,
  machines: [],
  timelines: new Map(),
  checks: new Map(),
  transitions: [],
  snapshots: 0,
  freshTurns: [],
}

/** A view of records has taken these up long before so many more have come. */
export const mostFreshTurns = 500

export function reduceEngine(state: EngineState, action: EngineAction): EngineState {
  switch (action.type) {
    case 'link':
      return { ...state, link: action.link }
    case 'routing':
      return { ...state, routing: action.routing }
    case 'servertools':
      return { ...state, status: state.status && { ...state.status, servertools: action.servertools } }
    case 'providers-failed':
      return { ...state, providersProblem: action.message }
    case 'alarms-failed':
      return { ...state, alarmsProblem: action.message }
    case 'checks':
      return {
        ...state,
        checks: withChecks(state.checks, state.sessions.get(action.session), action.session, action.checks),
      }
    case 'timeline-loading':
      return withTimeline(state, action.session, loadingTimeline(state.timelines.get(action.session)))
    case 'timeline-loaded':
      return withTimeline(
        state,
        action.session,
        loadedTimeline(state.timelines.get(action.session), action.events, action.more),
      )
    case 'timeline-failed':
      return withTimeline(state, action.session, failedTimeline(state.timelines.get(action.session), action.message))
    case 'updates':
      return applyUpdates(state, action.updates)
  }
}

const withTimeline = (state: EngineState, session: string, timeline: Timeline): EngineState => ({
  ...state,
  timelines: new Map(state.timelines).set(session, timeline),
})

/** Sessions that wait for a person, here and on machines that answer. */
export const needYou = ({ status, machines }: Pick<EngineState, 'status' | 'machines'>): number =>
  machines.reduce(
    (sum, { state, sessions }) => sum + (state.kind === 'there' ? sessions.filter(asksForPerson).length : 0),
    status?.counts.needsYou ?? 0,
  )

/** A batch copies each map at most once, however many updates it has. */
function applyUpdates(before: EngineState, updates: readonly EngineUpdate[]): EngineState {
  let sessions: Map<string, SessionView> | null = null
  let terminals: Map<string, TerminalView> | null = null
  let timelines: Map<string, Timeline> | null = null
  let { status, snapshots, freshTurns, devices, rights, machines } = before
  let { providers, routing, providersProblem, alarms, alarmsProblem } = before
  const transitions: Transition[] = []
  for (const update of updates) {
    switch (update.type) {
      case 'snapshot':
        status = update.status
        sessions = new Map(update.sessions.map((s) => [s.id, s]))
        terminals = new Map(update.terminals.map((t) => [t.id, t]))
        providers = update.providers ?? null
        routing = update.routing ?? null
        providersProblem = null
        alarms = update.alarms ?? null
        alarmsProblem = null
        devices = update.devices ?? []
        rights = update.rights ?? null
        machines = update.machines ?? []
        snapshots++
        freshTurns = []
        break
      case 'status':
        status = update.status
        break
      case 'providers':
        providers = update.providers
        routing = update.routing
        providersProblem = null
        break
      case 'alarms':
        alarms = update.alarms
        alarmsProblem = null
        break
      case 'devices':
        devices = update.devices
        break
      case 'rights':
        rights = update.rights
        break
      case 'session': {
        sessions ??= new Map(before.sessions)
        transitions.push(...transitionsOf(sessions.get(update.session.id), update.session))
        sessions.set(update.session.id, update.session)
        break
      }
      case 'session-removed':
        ;(sessions ??= new Map(before.sessions)).delete(update.id)
        break
      case 'terminal':
        ;(terminals ??= new Map(before.terminals)).set(update.terminal.id, update.terminal)
        break
      case 'terminal-removed':
        ;(terminals ??= new Map(before.terminals)).delete(update.id)
        break
      case 'event': {
        const { sessionId } = update.event
        const timeline = sessionId === null ? undefined : (timelines ?? before.timelines).get(sessionId)
        if (sessionId !== null && timeline)
          (timelines ??= new Map(before.timelines)).set(sessionId, appendEvent(timeline, update.event))
        break
      }
      case 'turn':
        freshTurns = [...freshTurns.slice(1 - mostFreshTurns), update.record]
        break
      case 'machine':
      case 'machine-removed':
      case 'machine-session':
      case 'machine-session-removed':
        machines = withMachine(machines, update)
        break
      // The state that a notice is about arrives as an update of its own; notice-toasts.ts or the desktop shows the
      // notice.
      case 'notice':
        break
      // The connection ends with it and says so.
      case 'windows-signed-out':
        break
    }
  }
  return {
    ...before,
    status,
    providers,
    routing,
    providersProblem,
    alarms,
    alarmsProblem,
    devices,
    rights,
    machines,
    snapshots,
    freshTurns,
    transitions,
    sessions: sessions ?? before.sessions,
    terminals: terminals ?? before.terminals,
    timelines: timelines ?? before.timelines,
  }
}

/** A change of state that is announced: into needs-you, failed or done, and nothing else (design README). */
interface Transition {
  sessionId: string
  name: string
  shape: Extract<SessionShape, 'needs' | 'failed' | 'done'>
  say: SessionSay
}

function transitionsOf(before: SessionView | undefined, after: SessionView): Transition[] {
  const { shape } = after
  // A session seen for the first time is no change: a page that opens would read out the whole list.
  if (!before || before.shape === shape || (shape !== 'needs' && shape !== 'failed' && shape !== 'done')) return []
  return [{ sessionId: after.id, name: after.name, shape, say: after.say }]
}
