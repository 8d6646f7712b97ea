import { addSpend, noSpend, type ColdSums } from '../../../../shared/cost/cost.ts'
import type { NearLimit } from '../../../../shared/events.ts'
import type { SessionLimit } from '../../../../shared/routing.ts'
import type {
  AskedView,
  InboxView,
  LastStopMessage,
  LeftGoal,
  OutboxEntryView,
  RecoverView,
  SessionView,
  StopMessageView,
  TurnFailure,
} from '../../../../shared/state.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import { askOf } from '../../sessions/drives/bounds.ts'
import { isArchived, sessionName, type SessionState } from '../../sessions/session-state.ts'
import { sessionShape } from './session-shape.ts'

/** Everything a session's line on screen is made of. */
export interface SessionParts {
  session: SessionState
  terminal: Terminal | null
  terminalAlive: boolean
  /** its agent has ended in a terminal that goes on */
  agentQuit?: boolean
  activity: { turn: number; since: number } | null
  needsYou: { what: string; asked: AskedView | null; since?: number } | null
  stopMessage: StopMessageView | null
  lastStopMessage: LastStopMessage | null
  /** the session it was set in; null: it goes with the terminal's current one */
  setIn: string | null
  /** null: nothing that was set in another conversation of the terminal is asked about here */
  leftGoal: LeftGoal | null
  /** of the session's terminal, ended ones included */
  entries: readonly OutboxEntryView[]
  pausedGlobally: boolean
  limit: SessionLimit | null
  /** its own followups wait for this reset; null where its terminal's queue shows that, or none waits */
  nearLimit: NearLimit | null
  /** its last main request failed */
  failure: TurnFailure | null
  /** nothing of an answer came since */
  triesInVain: boolean
  /** its agent may hang in a tool */
  stalled: { since: number } | null
  resumeAtReset: boolean
  recover: RecoverView
  /** null, or absent: no alarm waits */
  nextAlarm?: SessionView['nextAlarm'] | null
  keepWarm?: SessionView['keepWarm'] | null
  inbox?: InboxView | null
}

/**
 * A terminal's automation belongs to the conversation it was set in, else to its current one; a session that has lost
 * its terminal shows none.
 */
export function sessionView(parts: SessionParts): SessionView {
  const { session, terminal } = parts
  const current = terminal !== null && (terminal.sessionId === session.id || terminal.sessionId === null)
  const queue = parts.entries.filter(
    (e) =>
      (e.sessionId === null ? current : e.sessionId === session.id) &&
      (e.state === 'queued' || e.state === 'typing' || e.state === 'submitted'),
  )
  const left = current ? parts.leftGoal : null
  const own =
    left === null && (parts.setIn === null ? current || session.terminalId === null : parts.setIn === session.id)
  const stopMessage = own ? parts.stopMessage : null
  const { kind } = parts.stopMessage?.status ?? { kind: 'done' }
  const armedElsewhere = current && !own && kind !== 'done' && kind !== 'failed'
  const { shape, say } = sessionShape({
    working: parts.activity,
    needsYou: current ? parts.needsYou : null,
    terminal:
      session.terminalId === null
        ? 'none'
        : !parts.terminalAlive
          ? parts.agentQuit
            ? 'quit'
            : 'gone'
          : current
            ? 'alive'
            : 'left',
    stopMessage,
    leftGoal: left,
    queue,
    limit: parts.limit,
    nearLimit: parts.nearLimit,
    failure: parts.failure,
    triesInVain: parts.triesInVain,
    stalled: parts.stalled,
    drivesAsk: askOf(session),
    rests: terminal?.restsBecause ?? null,
    recovers: parts.recover.waits,
    pausedByUser: session.paused || (parts.pausedGlobally && stopMessage !== null),
    idleBut: session.heldMarkers.length > 0 ? 'marker-held' : armedElsewhere ? 'armed-elsewhere' : null,
  })
  return {
    id: session.id,
    name: sessionName(session),
    client: session.client,
    entry: session.entry,
    cwd: session.cwd,
    model: session.model,
    route: session.route,
    ...(hasRouting(session) ? { routing: session.routing } : {}),
    ...(session.outage ? { outage: session.outage } : {}),
    ...(session.capture ? { capture: true } : {}),
    ...(parts.limit ? { limit: parts.limit } : {}),
    ...(parts.resumeAtReset ? { resumeAtReset: true } : {}),
    ...(parts.recover.on ? { recovers: true } : {}),
    ...(current && parts.inbox ? { inbox: parts.inbox } : {}),
    ...(current && terminal.startedAgain ? { startedAgain: terminal.startedAgain.length } : {}),
    ...(parts.nextAlarm ? { nextAlarm: parts.nextAlarm } : {}),
    ...(session.heldMarkers.length > 0 ? { heldMarkers: session.heldMarkers } : {}),
    ...(left ? { leftGoal: left } : {}),
    ...(session.drives.length > 0 ? { drives: session.drives } : {}),
    scope: session.scope,
    terminalId: session.terminalId,
    shape,
    say,
    stopMessage,
    lastStopMessage: own ? parts.lastStopMessage : null,
    queue,
    turns: session.turns,
    usage: session.usage,
    ...addSpend(noSpend, session),
    ...(session.cold ? { cold: session.cold as ColdSums } : {}),
    ...(session.cacheUntil !== null && (queue.length > 0 || parts.nextAlarm || stopMessage?.status.kind === 'armed')
      ? { cacheUntil: session.cacheUntil, ...(parts.keepWarm ? { keepWarm: parts.keepWarm } : {}) }
      : {}),
    startedAt: session.startedAt,
    lastActivityAt: session.lastActivityAt,
    pinned: session.pinned,
    ...(isArchived(session) ? { archived: true } : {}),
    paused: session.paused,
  }
}

const hasRouting = ({ routing }: SessionState): boolean =>
  routing.allow !== null || routing.prefer !== null || routing.disabled.length > 0
