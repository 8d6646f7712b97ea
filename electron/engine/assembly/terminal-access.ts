import type { HoldReason } from '../../../shared/events.ts'
import type { Disposable } from '../base/disposable.ts'
import { disposables } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { EngineHost } from '../host.ts'
import { createPastes, type Pastes } from '../markers/pastes.ts'
import type { Terminal } from '../sessions/terminal.ts'
import type { TerminalsRegistry } from '../sessions/terminals-registry.ts'
import { createHostHub, type HostHub } from '../terminals/host/hub.ts'
import { createNeedsWatch, type NeedsWatch, type NeedsWatchDeps } from '../terminals/needs-watch.ts'
import type { TmuxPanes } from '../terminals/tmux/index.ts'
import type { TypeResult, TypingTarget } from '../terminals/types.ts'
import { processLives } from './process-lives.ts'

/** Every terminal as something that can be looked at and typed into, wherever it lives. */
export interface TerminalAccess extends Disposable {
  hub: HostHub
  tmux: TmuxPanes
  needs: NeedsWatch
  findTarget(terminalId: string): TypingTarget | null
  isAlive(terminal: Terminal): boolean
  /**
   * Asks now whether the terminal is there, and registers its end when it is not; between two sweeps nobody else would.
   */
  check(terminalId: string): Promise<void>
  /** what its client was given as a suggested next message, so that ghost text is known; null: nothing any more */
  suggested(terminalId: string, text: string | null): void
  /** what persons pasted into terminals whose keyboard Onward sees */
  pastes: Pastes
  /** its screen without its words. @throws OnwardError when it can't be looked at now */
  report(terminal: Terminal): Promise<string>
  sizeOf(terminalId: string): { cols: number; rows: number }
  /** the registry is made after the room, because it asks the room who lives */
  use(registry: TerminalsRegistry): void
}

export interface TerminalAccessDeps {
  host: EngineHost
  tmux: TmuxPanes
  onNeeds: NeedsWatchDeps['onChange']
  onOnline(terminalId: string): void
  onSized(terminalId: string): void
  lateOutcome(terminalId: string, entryId: string, result: TypeResult): void
}

/** How often panes and processes are looked at: a closed pane must not stay in the list. */
const SWEEP_MS = 4_000
/** A host that was killed does not come back; its terminals end once this long has passed without it. */
const HOST_AWAY_MS = 15_000

export function createTerminalAccess(deps: TerminalAccessDeps): TerminalAccess {
  const { host } = deps
  const { clock, log } = host
  const held = disposables()
  const targets = new Map<string, ReturnType<TmuxPanes['target']>>()
  const sizes = new Map<string, { cols: number; rows: number }>()
  const hostPids = new Map<string, number>()
  const awaySince = new Map<string, number>()
  const startedAt = clock.monotonic()
  const pastes = createPastes(clock)
  let registry: TerminalsRegistry | null = null

  const ended = (terminalId: string, exitCode: number | null, why: string) => {
    targets.delete(terminalId)
    pastes.forget(terminalId)
    registry
      ?.end(terminalId, exitCode, why)
      .catch((error: unknown) =>
        log.error({ terminalId, error: messageOf(error) }, 'the end of a terminal could not be written'),
      )
  }
  const hub = createHostHub({
    clock,
    log,
    announced(hostId, pid, terminals) {
      hostPids.set(hostId, pid)
      awaySince.delete(hostId)
      for (const { terminalId, alive, exitCode, cols, rows, pid: agentPid } of terminals) {
        sizes.set(terminalId, { cols, rows })
        const known = registry?.get(terminalId)
        if (!known || known.endedAt !== null) continue
        if (!alive) ended(terminalId, exitCode, 'the agent ended')
        else {
          registry?.describe(terminalId, { agentPid })
          deps.onOnline(terminalId)
        }
      }
    },
    disconnected: (hostId) => {
      awaySince.set(hostId, clock.monotonic())
    },
    exited: (terminalId, exitCode) => ended(terminalId, exitCode, 'the agent ended'),
    pasted: pastes.note,
    sized(terminalId, cols, rows) {
      sizes.set(terminalId, { cols, rows })
      deps.onSized(terminalId)
    },
    lateOutcome: deps.lateOutcome,
  })
  const { tmux } = deps

  const targetOf = (terminal: Terminal): TypingTarget | null => {
    if (terminal.endedAt !== null) return null
    if (!terminal.pane) return hub.target(terminal.terminalId)
    const there = targets.get(terminal.terminalId)
    if (there) return there
    const made = tmux.target({
      terminalId: terminal.terminalId,
      client: terminal.client,
      command: terminal.command,
      pane: terminal.pane,
    })
    targets.set(terminal.terminalId, made)
    return made
  }
  const findTarget = (terminalId: string) => {
    const terminal = registry?.get(terminalId)
    return terminal ? targetOf(terminal) : null
  }
  /** A wrapped or hosted terminal lives as long as its host's process does; the host says when the agent in it ends. */
  const hostLives = (terminal: Terminal): boolean => {
    if (terminal.hostId === null || hub.connected(terminal.hostId)) return true
    const pid = hostPids.get(terminal.hostId) ?? terminal.agentPid
    const away = clock.monotonic() - (awaySince.get(terminal.hostId) ?? startedAt)
    return away < HOST_AWAY_MS || (pid !== null && processLives(pid))
  }
  const isAlive = (terminal: Terminal): boolean =>
    terminal.pane ? tmux.lastKnown(terminal.pane) !== 'gone' : hostLives(terminal)

  const check = async (terminal: Terminal): Promise<void> => {
    const gone = terminal.pane ? await tmux.look(terminal.pane) : hostLives(terminal) ? null : 'its terminal was closed'
    if (gone !== null) ended(terminal.terminalId, null, gone)
  }
  const sweep = async () => {
    const living = registry?.list().filter((t) => t.endedAt === null) ?? []
    for (const terminal of living) await check(terminal)
  }
  let timer: Disposable | null = null
  const plan = () => {
    timer = clock.after(SWEEP_MS, () => {
      sweep()
        .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the terminals could not be looked at'))
        .finally(plan)
    })
  }

  const needs = held.add(createNeedsWatch({ clock, log, findTarget, onChange: deps.onNeeds }))
  held.add(tmux)
  return {
    hub,
    tmux,
    needs,
    findTarget,
    pastes,
    isAlive,
    async check(terminalId) {
      const terminal = registry?.get(terminalId)
      if (terminal && terminal.endedAt === null) await check(terminal)
    },
    suggested(terminalId, text) {
      if (findTarget(terminalId) === null) return
      const pane = targets.get(terminalId)
      if (pane) pane.told(text)
      else hub.suggested(terminalId, text)
    },
    report: ({ terminalId, client, command, pane }) =>
      pane ? tmux.report({ client, command, pane }) : hub.report(terminalId),
    sizeOf: (terminalId) => sizes.get(terminalId) ?? { cols: 120, rows: 40 },
    use(made) {
      registry = made
      plan()
    },
    dispose() {
      timer?.dispose()
      held.dispose()
      hub.dispose()
    },
  }
}

/** what a list shows of a terminal that is out of reach for now */
export const offline: HoldReason = { code: 'terminal-offline' }
