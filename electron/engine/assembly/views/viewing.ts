import type { AlarmsView } from '../../../../shared/alarms/alarms.ts'
import type { DeviceView } from '../../../../shared/devices.ts'
import type { MachineView } from '../../../../shared/machines.ts'
import type { EngineStatus, EngineUpdate, InboxView, SessionView, TerminalView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { createViewHub } from '../../control/views/hub.ts'
import { freshSession } from '../../control/views/fresh-session.ts'
import { sessionView } from '../../control/views/session-view.ts'
import { createShownSessions } from '../../control/views/shown-sessions.ts'
import { terminalView } from '../../control/views/terminal-view.ts'
import type { Viewing } from '../../control/views/viewing.ts'
import { isConversation, type SessionState } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { Stalls, Failures } from '../../sessions/failures.ts'
import type { PauseAtLimit } from '../../servertools/pause-at-limit.ts'
import type { Recover } from '../../servertools/recover/index.ts'
import type { ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import { leftGoalIn, noStopMessage, type StopMessageViews } from '../../servertools/stop-message/view.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { TerminalAccess } from '../terminals/terminal-access.ts'
import type { Activity } from '../../sessions/activity.ts'

export interface ViewingDeps {
  clock: Clock
  sessions: SessionStore
  /** resolves when the sessions of earlier runs are in memory */
  loaded: Promise<void>
  registry: TerminalsRegistry
  terminalAccess: TerminalAccess
  activity: Activity
  failures: Pick<Failures, 'of' | 'inVain'>
  stalls: Pick<Stalls, 'of'>
  outboxes: Outboxes
  /** null: it is not asked for, or not known yet whether it has one */
  inboxOf(terminal: Terminal): InboxView | null
  stopMessageOf(scope: Scope): StopMessageViews
  resume: Pick<ResumeAtReset, 'limitOf' | 'isOn'>
  recover: Pick<Recover, 'of'>
  pauseAtLimit: Pick<PauseAtLimit, 'of' | 'isOpen'>
  /** @param sessions as viewers see them */
  status(sessions: readonly SessionView[]): EngineStatus
  providers(): Extract<EngineUpdate, { type: 'providers' }>
  devices(): readonly DeviceView[]
  machines(): readonly MachineView[]
  keepWarmOf(sessionId: string): SessionView['keepWarm'] | null
  alarms: { view(): AlarmsView; nextOf(sessionId: string): SessionView['nextAlarm'] | null }
}

export function createViewing(deps: ViewingDeps): Viewing {
  const { sessions, registry, terminalAccess, activity, outboxes } = deps

  /** It was started in a terminal of the person's, which goes on without it. */
  const agentQuit = ({ endedAt, home, pane }: Terminal): boolean =>
    endedAt !== null && (pane ? terminalAccess.tmux.lastKnown(pane) === 'alive' : home === 'wrapped')
  const viewOf = (session: SessionState): SessionView => {
    const terminal = registry.holderOf(session.terminalId)
    const scope = scopeOf(session, terminal)
    const set = scope === null ? noStopMessage : deps.stopMessageOf(scope)
    const { stopMessage, lastStopMessage, sessionId: setIn } = set
    return sessionView({
      session,
      terminal,
      terminalAlive: terminal !== null && registry.alive(terminal),
      activity: deps.pauseAtLimit.isOpen(session.id) ? null : activity.of(session.id),
      agentQuit: terminal !== null && agentQuit(terminal),
      needsYou: terminal && terminalAccess.needs.asks(terminal.terminalId),
      stopMessage,
      lastStopMessage,
      setIn: setIn !== null && sessions.get(setIn) ? setIn : null,
      leftGoal: leftGoalIn(session.id, set),
      entries: terminal ? (outboxes.peek(terminal.scope)?.list() ?? []) : [],
      pausedGlobally: outboxes.pausedAll(),
      limit: deps.resume.limitOf(session.id),
      nearLimit: terminal === null && stopMessage !== null ? deps.pauseAtLimit.of(session.id) : null,
      failure: deps.failures.of(session.id),
      triesInVain: deps.failures.inVain(session.id),
      stalled: deps.stalls.of(session.id),
      resumeAtReset: deps.resume.isOn(session.id),
      recover: deps.recover.of(session.id),
      nextAlarm: deps.alarms.nextOf(session.id),
      keepWarm: deps.keepWarmOf(session.id),
      inbox: terminal && deps.inboxOf(terminal),
    })
  }
  const session = (id: string): SessionView => {
    const state = sessions.get(id)
    if (!state)
      throw new OnwardError('session-unknown', `No session ${id} is known here. \`onward sessions\` lists them.`, {
        status: 404,
      })
    return viewOf(state)
  }
  const terminalOf = (terminal: Terminal): TerminalView => {
    const alive = registry.alive(terminal)
    const entries = outboxes.peek(terminal.scope)?.list() ?? []
    return {
      ...terminalView(terminal, {
        alive,
        hold: entries.find((e) => e.state === 'queued')?.hold ?? null,
        size: terminalAccess.sizeOf(terminal.terminalId),
      }),
      ...(alive && terminal.sessionId === null ? { fresh: viewOf(freshSession(terminal)) } : {}),
    }
  }
  const terminal = (id: string): TerminalView => {
    const known = registry.get(id)
    if (!known) throw unknownTerminal(id)
    return terminalOf(known)
  }
  const conversation = (id: string): SessionView => {
    const known = registry.get(id)
    return known && (known.sessionId === null || !sessions.get(known.sessionId))
      ? viewOf(freshSession(known))
      : session(known?.sessionId ?? id)
  }
  const isListed = (one: SessionState): boolean => isConversation(one) || deps.alarms.nextOf(one.id) !== null
  const all = () => sessions.list().filter(isListed).map(viewOf)
  const terminals = () => registry.list().map(terminalOf)
  const shown = createShownSessions(all)

  const hub = createViewHub({
    clock: deps.clock,
    async snapshot() {
      await deps.loaded
      const { type: _type, ...routes } = deps.providers()
      const views = shown.begin()
      return {
        type: 'snapshot',
        status: deps.status(views),
        sessions: views,
        terminals: terminals(),
        ...routes,
        alarms: deps.alarms.view(),
        devices: deps.devices(),
        machines: deps.machines(),
      }
    },
    session(id): EngineUpdate {
      const known = sessions.get(id)
      const view = known && isListed(known) ? viewOf(known) : null
      shown.tell(id, view)
      return view ? { type: 'session', session: view } : { type: 'session-removed', id }
    },
    terminal: (id): EngineUpdate =>
      registry.get(id) ? { type: 'terminal', terminal: terminal(id) } : { type: 'terminal-removed', id },
    status: () => ({ type: 'status', status: deps.status(Array.from(shown.list())) }),
    providers: () => deps.providers(),
    alarms: () => ({ type: 'alarms', alarms: deps.alarms.view() }),
  })
  return {
    hub,
    session,
    conversation,
    terminal,
    terminals,
    sessions: all,
    status: () => deps.status(all()),
    scopeChanged(scope) {
      const terminal = registry.byScope(scope)
      if (terminal) hub.terminalChanged(terminal.terminalId)
      for (const { id, scope: own } of sessions.list()) {
        if (own === scope || `session:${id}` === scope || terminal?.sessionId === id) hub.sessionChanged(id)
      }
      hub.statusChanged()
    },
  }
}

const unknownTerminal = (id: string): OnwardError =>
  new OnwardError('terminal-unknown', `No terminal ${id} is known. \`onward terminals\` lists them.`, { status: 404 })

const scopeOf = (session: SessionState, terminal: Terminal | null): Scope | null =>
  terminal?.scope ?? session.scope ?? `session:${session.id}`
