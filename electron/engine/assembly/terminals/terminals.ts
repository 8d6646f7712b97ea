import type { InboxView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable, Event } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { ConfigHandle } from '../../config/types.ts'
import type { EngineHost } from '../../host.ts'
import { createPastes } from '../../markers/pastes.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import { createIdentifier, type Identifier } from '../../sessions/identify/identify.ts'
import { createSessionTerminals, type SessionTerminals } from '../../sessions/binding/locate-terminal.ts'
import { createTerminalsRegistry, type TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { continues } from '../../terminals/said.ts'
import { createHostHub } from '../../terminals/host/hub.ts'
import type { HostTerminalFacts } from '../../terminals/host/messages.ts'
import { createAgentInboxes } from '../../terminals/inbox/agent-inboxes.ts'
import type { Asking } from '../../terminals/needs-watch.ts'
import type { OutboxDeps } from '../../terminals/outbox/outbox.ts'
import { createOutboxes, type Outboxes } from '../../terminals/outbox/outboxes.ts'
import { defaultOutboxSettings } from '../../terminals/outbox/settings.ts'
import { agentProcesses } from '../../terminals/process/agent-process.ts'
import { systemProcReader } from '../../terminals/process/index.ts'
import { createPauseAtLimit, type PauseAtLimit } from '../../servertools/pause-at-limit.ts'
import { followSignals, signalFile } from '../../terminals/signals/signals.ts'
import { createTmux, type TmuxPanes } from '../../terminals/tmux/index.ts'
import { safeFor } from '../../terminals/safe-text.ts'
import type { EngineContext } from '../foundation.ts'
import { createTerminalAccess, type HostedEnd, type TerminalAccess } from './terminal-access.ts'
import { createTerminalLives } from './terminal-lives.ts'

/** A question that an agent's screen asks a person. */
export interface NeedsChange {
  terminalId: string
  /** null: nothing any more */
  asking: Asking | null
  /** another question than the one before */
  isNew: boolean
}

export interface Terminals {
  tmux: TmuxPanes
  access: TerminalAccess
  registry: TerminalsRegistry
  outboxes: Outboxes
  inboxes: Inboxes
  signals: Disposable
  pauseAtLimit: PauseAtLimit
  identifier: Identifier
  sessionTerminals: SessionTerminals
  /** terminals whose agent ended and is started again: nothing is typed there */
  away: Set<string>
  onNeeds: Event<NeedsChange>
  /** an agent came to rest between two requests of its turn */
  onRest: Event<string>
  /** a terminal's host is connected: it can be typed into */
  onOnline: Event<string>
  /** a terminal's view changed */
  changed(terminalId: string): void
  onSized: Event<string>
  /** the inbox of a scope's agent was looked for */
  onInbox: Event<Scope>
  /** an answer of this session begins or ends to be kept open until a limit's reset */
  onKeptOpen: Event<string>
}

/** Terminals, the sessions in them, and the texts that wait to be typed there. */
export async function assembleTerminals({ host, base, events }: EngineContext): Promise<Terminals> {
  const { clock, log, random } = host
  const { store, config, sessions } = base
  const { record } = base.timeline
  const needs = events<NeedsChange>('what terminals ask')
  const rest = events<string>('agents that came to rest')
  const online = events<string>('terminals that can be reached')
  const sized = events<string>('the sizes of terminals')
  const inboxFound = events<Scope>('inboxes of agents')
  const kept = events<string>('answers kept open until a reset')
  const hosts = {
    came: events<{ hostId: string; pid: number; terminals: readonly HostTerminalFacts[] }>('hosts of terminals'),
    went: events<string>('hosts of terminals that go'),
    exited: events<HostedEnd>('agents that end'),
    sized: events<{ terminalId: string; cols: number; rows: number }>('sizes that hosts tell'),
  }

  const away = new Set<string>()
  const tmux = createTmux({ clock, log, random, env: host.env })
  const pastes = createPastes(clock)
  const hub = createHostHub({
    clock,
    log,
    announced: (hostId, pid, terminals) => hosts.came.emit({ hostId, pid, terminals }),
    disconnected: hosts.went.emit,
    exited: (terminalId, exitCode, ending) => hosts.exited.emit({ terminalId, exitCode, ending }),
    away,
    pasted: pastes.note,
    sized: (terminalId, cols, rows) => hosts.sized.emit({ terminalId, cols, rows }),
    lateOutcome(terminalId, entryId, result) {
      log.info({ terminalId, entryId, result: result.kind }, 'an order ended while nobody waited for it')
    },
  })
  const lives = createTerminalLives({ clock, tmux, hub, onHostCame: hosts.came.on, onHostWent: hosts.went.on })
  const registry = await createTerminalsRegistry({ store, clock, random, log, isAlive: lives.isAlive })
  const access = createTerminalAccess({
    clock,
    log,
    tmux,
    hub,
    lives,
    registry,
    pastes,
    away,
    hosts: { onCame: hosts.came.on, onExited: hosts.exited.on, onSized: hosts.sized.on },
    onNeeds: (terminalId, asking, isNew) => needs.emit({ terminalId, asking, isNew }),
    onRest: rest.emit,
    onOnline: online.emit,
    onSized: sized.emit,
  })
  const pauseAtLimit = createPauseAtLimit({
    store,
    clock,
    record,
    pauseAt: () => config.current().limits.pauseAt,
    onOpen: kept.emit,
  })
  await pauseAtLimit.load()
  const inboxes = assembleInboxes({ clock, registry, config, log, onFound: inboxFound.emit })
  const outboxes = createOutboxes({
    store,
    clock,
    random,
    record,
    findTarget: access.findTarget,
    safeText: safeFor,
    nearLimit: pauseAtLimit.of,
    inbox: inboxes.forOutboxes,
    settings: () => ({ ...defaultOutboxSettings, settleMs: config.current().stopMessage.settleMs }),
    terminalOf: (scope) => registry.byScope(scope)?.terminalId ?? null,
    clientOf(scope) {
      const terminal = registry.byScope(scope)
      // Over ACP no agent opens what a text names: that is the work of a composer.
      return terminal && terminal.home !== 'acp' ? terminal.client : 'other'
    },
    inFront(scope, sessionId) {
      const terminal = registry.byScope(scope)
      if (terminal) registry.setSession(terminal.terminalId, sessionId)
    },
  })
  const sessionTerminals = createSessionTerminals(sessions, registry)
  return {
    tmux,
    access,
    registry,
    outboxes,
    inboxes,
    signals: await hearSignals({ host, registry, access, outboxes }),
    pauseAtLimit,
    away,
    identifier: createIdentifier({
      terminals: registry,
      log,
      ...base.paneLookup(tmux),
      programOf: agentProcesses(systemProcReader(process.platform)),
      homeOf: sessionTerminals.of,
      continues(scope, sessionId, { history }) {
        const known = outboxes
          .peek(scope)
          ?.conversations()
          .find((one) => one.sessionId === sessionId)
        return known && history ? continues(known, history()) : null
      },
      onlyFailed(sessionId) {
        const session = sessions.get(sessionId)
        return session?.turns === 1 && session.failure !== null
      },
    }),
    sessionTerminals,
    onNeeds: needs.on,
    onRest: rest.on,
    onOnline: online.on,
    changed: sized.emit,
    onSized: sized.on,
    onInbox: inboxFound.on,
    onKeptOpen: kept.on,
  }
}

/** A hook's word makes Onward look at once; the terminal itself, its screen or its end, says whether it is so. */
const hearSignals = (deps: {
  host: Pick<EngineHost, 'home' | 'log'>
  registry: TerminalsRegistry
  access: Pick<TerminalAccess, 'needs' | 'check'>
  outboxes: Outboxes
}): Promise<Disposable> =>
  followSignals(signalFile(deps.host.home), {
    log: deps.host.log,
    heard(key, signal) {
      const terminal = deps.registry.byKey(key)
      if (!terminal || terminal.endedAt !== null) return
      switch (signal) {
        case 'asks':
          return deps.access.needs.told(terminal.terminalId)
        case 'rests':
          return deps.outboxes.peek(terminal.scope)?.atRest()
        case 'ends':
          return void deps.access.check(terminal.terminalId)
      }
    },
  })

interface Inboxes extends Disposable {
  forOutboxes: NonNullable<OutboxDeps['inbox']>
  /** Pauses its agent's own goal, without its screen; false: nobody knows that it is paused. */
  pauseGoal(terminal: Terminal | null): Promise<boolean>
  /** null: it is not asked for, or not known yet whether the agent has one */
  shown(terminal: Terminal): InboxView | null
}

/** The agents' own inboxes, which nothing looks for while neither the config nor a person's order asks for them. */
function assembleInboxes(deps: {
  clock: Clock
  registry: TerminalsRegistry
  config: ConfigHandle
  log: Log
  onFound(scope: Terminal['scope']): void
}): Inboxes {
  const { clock, registry, config, log } = deps
  const wanted = () => config.current().stopMessage.delivery === 'inbox'
  const inboxes = createAgentInboxes({
    clock,
    reader: systemProcReader(process.platform),
    open: async (program, at) => (await import('../../terminals/inbox/codex-queue.ts')).openCodexQueue(program, at),
    onFound(terminalId) {
      const terminal = registry.get(terminalId)
      if (terminal) deps.onFound(terminal.scope)
    },
  })
  return {
    forOutboxes: {
      wanted,
      async of(terminalId) {
        const terminal = registry.get(terminalId)
        return terminal ? inboxes.of(terminal) : { kind: 'typing', why: { code: 'program-unknown' } }
      },
    },
    async pauseGoal(terminal) {
      if (!terminal || terminal.sessionId === null || !registry.alive(terminal)) return false
      const way = await inboxes.of(terminal)
      if (way.kind !== 'inbox') return false
      try {
        return await way.pauseGoal(terminal.sessionId)
      } catch (error) {
        log.warn({ terminalId: terminal.terminalId, why: messageOf(error) }, 'an agent’s own goal was not paused')
        return false
      }
    },
    shown(terminal) {
      // its agent has called, so it runs
      if (!wanted() || terminal.sessionId === null || !registry.alive(terminal)) return null
      const found = inboxes.found(terminal.terminalId)
      if (found === null) void inboxes.of(terminal)
      else return found.kind === 'typing' ? { used: false, why: found.why } : { used: true }
      return null
    },
    dispose: () => inboxes.dispose(),
  }
}
