import type { Clock } from '../../base/clock.ts'
import { disposables, type Disposable, type Event } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Pastes } from '../../markers/pastes.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { HostHub } from '../../terminals/host/hub.ts'
import type { AgentEnding, HostTerminalFacts } from '../../terminals/host/messages.ts'
import { createCallsWatch } from '../../terminals/calls-watch.ts'
import { createNeedsWatch, type Asking, type NeedsWatch, type NeedsWatchDeps } from '../../terminals/needs-watch.ts'
import type { TmuxPanes } from '../../terminals/tmux/index.ts'
import type { TypingTarget } from '../../terminals/types.ts'
import type { TerminalLives } from './terminal-lives.ts'

/** Every terminal, wherever it lives, in a form that can be read and typed into. */
export interface TerminalAccess extends Disposable {
  hub: HostHub
  tmux: TmuxPanes
  /** `startsAgain`: its agent does, with a conversation that the screen shows already */
  needs: NeedsWatch & { startsAgain(terminalId: string): void }
  /** a call of it came: its question was answered on the wire */
  called(terminalId: string): void
  findTarget(terminalId: string): TypingTarget | null
  /**
   * Checks now whether the terminal is there, and registers its end if it is not; between two sweeps no other check
   * would.
   */
  check(terminalId: string): Promise<void>
  /** Asked first when an agent in a PTY ends: true leaves its terminal as it is. */
  useEnds(goesOn: (end: HostedEnd) => boolean): void
  /** the next message that was suggested to its client, so that ghost text is known; null: none any more */
  suggested(terminalId: string, text: string | null): void
  /** texts that persons pasted into terminals whose keyboard Onward sees */
  pastes: Pastes
  /** its screen without its words. @throws OnwardError when it can't be read now */
  report(terminal: Terminal): Promise<string>
  sizeOf(terminalId: string): { cols: number; rows: number }
}

export interface HostedEnd {
  terminalId: string
  exitCode: number | null
  /** null: its host is of an earlier version */
  ending: AgentEnding | null
}

export interface TerminalAccessDeps {
  clock: Clock
  log: Log
  tmux: TmuxPanes
  hub: HostHub
  lives: TerminalLives
  registry: TerminalsRegistry
  pastes: Pastes
  /** terminals whose agent ended and is started again */
  away: ReadonlySet<string>
  /** events of the processes that hold wrapped and hosted terminals */
  hosts: {
    onCame: Event<{ terminals: readonly HostTerminalFacts[] }>
    onExited: Event<HostedEnd>
    onSized: Event<{ terminalId: string; cols: number; rows: number }>
  }
  onNeeds: NeedsWatchDeps['onChange']
  onRest: NeedsWatchDeps['onRest']
  onOnline(terminalId: string): void
  onSized(terminalId: string): void
}

/** How often panes and processes are checked: a closed pane must not stay in the list. */
const SWEEP_MS = 4_000

export function createTerminalAccess(deps: TerminalAccessDeps): TerminalAccess {
  const { clock, log, tmux, hub, lives, registry, pastes, hosts } = deps
  const held = disposables()
  const targets = new Map<string, ReturnType<TmuxPanes['target']>>()
  const sizes = new Map<string, { cols: number; rows: number }>()

  let goesOn: (end: HostedEnd) => boolean = () => false
  const ended = (terminalId: string, exitCode: number | null, why: string) => {
    targets.delete(terminalId)
    pastes.forget(terminalId)
    registry
      .end(terminalId, exitCode, why)
      .catch((error: unknown) =>
        log.error({ terminalId, error: messageOf(error) }, 'the end of a terminal could not be written'),
      )
  }
  const agentEnded = (end: HostedEnd) => {
    if (!goesOn(end)) ended(end.terminalId, end.exitCode, 'the agent ended')
  }
  hosts.onCame(({ terminals }) => {
    for (const { terminalId, alive, exitCode, ending = null, cols, rows, pid: agentPid } of terminals) {
      sizes.set(terminalId, { cols, rows })
      const known = registry.get(terminalId)
      if (!known || known.endedAt !== null) continue
      if (!alive) agentEnded({ terminalId, exitCode, ending })
      else {
        registry.describe(terminalId, { agentPid })
        deps.onOnline(terminalId)
      }
    }
  })
  hosts.onExited(agentEnded)
  hosts.onSized(({ terminalId, cols, rows }) => {
    sizes.set(terminalId, { cols, rows })
    deps.onSized(terminalId)
  })

  const targetOf = (terminal: Terminal): TypingTarget | null => {
    if (terminal.endedAt !== null || deps.away.has(terminal.terminalId)) return null
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
    const terminal = registry.get(terminalId)
    return terminal ? targetOf(terminal) : null
  }
  const check = async (terminal: Terminal): Promise<void> => {
    const gone = await lives.whyGone(terminal)
    if (gone !== null) ended(terminal.terminalId, null, gone)
  }
  const sweep = async () => {
    const living = registry.list().filter((t) => t.endedAt === null)
    for (const terminal of living) await check(terminal)
  }
  let over = false
  let timer: Disposable | null = null
  const plan = () => {
    // A sweep that was under way at the disposal ends later.
    if (over) return
    timer = clock.after(SWEEP_MS, () => {
      sweep()
        .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the terminals could not be looked at'))
        .finally(plan)
    })
  }

  plan()
  const { needs, called } = watchNeeds(deps, findTarget, held)
  held.add(tmux)
  return {
    hub,
    tmux,
    needs,
    called,
    findTarget,
    pastes,
    useEnds(ask) {
      goesOn = ask
    },
    async check(terminalId) {
      const terminal = registry.get(terminalId)
      if (terminal && terminal.endedAt === null) await check(terminal)
    },
    suggested(terminalId, text) {
      if (findTarget(terminalId) === null) return
      const pane = targets.get(terminalId)
      if (pane) pane.suggested(text)
      else hub.suggested(terminalId, text)
    },
    report: ({ terminalId, client, command, pane }) =>
      pane ? tmux.report({ client, command, pane }) : hub.report(terminalId),
    sizeOf: (terminalId) => sizes.get(terminalId) ?? { cols: 120, rows: 40 },
    dispose() {
      over = true
      timer?.dispose()
      held.dispose()
      hub.dispose()
    },
  }
}

/** Watches screens for questions, and for calls that go past Onward. */
function watchNeeds(
  { clock, log, registry, onNeeds, onRest }: TerminalAccessDeps,
  findTarget: TerminalAccess['findTarget'],
  held: ReturnType<typeof disposables>,
): Pick<TerminalAccess, 'needs' | 'called'> {
  const looks = held.add(createNeedsWatch({ clock, log, findTarget, onChange: onNeeds, onRest }))
  const elsewhere: Asking = { what: 'calls-elsewhere', asked: null }
  const calls = held.add(
    createCallsWatch({
      clock,
      log,
      findTarget,
      onChange: (terminalId, past) => onNeeds(terminalId, past ? elsewhere : null, past),
    }),
  )
  const needs: TerminalAccess['needs'] = {
    ...looks,
    startsAgain(terminalId) {
      looks.end(terminalId)
      looks.beginStart(terminalId)
    },
    beginStart(terminalId) {
      looks.beginStart(terminalId)
      const terminal = registry.get(terminalId)
      if (terminal) calls.begin(terminal)
    },
    end(terminalId) {
      looks.end(terminalId)
      calls.end(terminalId)
    },
    asks: (terminalId) => looks.asks(terminalId) ?? (calls.elsewhere(terminalId) ? elsewhere : null),
  }
  return { needs, called: calls.end }
}
