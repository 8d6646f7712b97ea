import type { Clock } from '../../base/clock.ts'
import type { Event } from '../../base/disposable.ts'
import { systemCodeOf } from '../../base/errors.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { HostHub } from '../../terminals/host/hub.ts'
import type { TmuxPanes } from '../../terminals/tmux/index.ts'

/** Checks whether the pane or the host that holds a terminal is still there. */
export interface TerminalLives {
  isAlive(terminal: Terminal): boolean
  /** as `isAlive`, but asks the system now. @returns why it is gone; null: it is there */
  whyGone(terminal: Terminal): Promise<string | null>
}

/** A host that was killed does not come back; its terminals end once this long has passed without it. */
const HOST_AWAY_MS = 15_000

export function createTerminalLives(deps: {
  clock: Clock
  tmux: Pick<TmuxPanes, 'lastKnown' | 'whyGone'>
  hub: Pick<HostHub, 'connected'>
  onHostCame: Event<{ hostId: string; pid: number }>
  onHostWent: Event<string>
}): TerminalLives {
  const { clock, tmux, hub } = deps
  const hostPids = new Map<string, number>()
  const awaySince = new Map<string, number>()
  const startedAt = clock.monotonic()
  /** A wrapped or hosted terminal lives as long as its host's process does; the host says when the agent in it ends. */
  const hostLives = (terminal: Terminal): boolean => {
    if (terminal.hostId === null || hub.connected(terminal.hostId)) return true
    const pid = hostPids.get(terminal.hostId) ?? terminal.agentPid
    const away = clock.monotonic() - (awaySince.get(terminal.hostId) ?? startedAt)
    // Its host is only started once it is registered.
    const age = clock.now() - terminal.openedAt
    return Math.min(away, age) < HOST_AWAY_MS || (pid !== null && processLives(pid))
  }
  deps.onHostCame(({ hostId, pid }) => {
    hostPids.set(hostId, pid)
    awaySince.delete(hostId)
  })
  deps.onHostWent((hostId) => {
    awaySince.set(hostId, clock.monotonic())
  })
  return {
    isAlive: (terminal) => (terminal.pane ? tmux.lastKnown(terminal.pane) !== 'gone' : hostLives(terminal)),
    whyGone: async (terminal) =>
      terminal.pane ? tmux.whyGone(terminal.pane) : hostLives(terminal) ? null : 'its terminal was closed',
  }
}

/** True if a process exists, also one of another user. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCodeOf(error) === 'EPERM'
  }
}
