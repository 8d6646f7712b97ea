import { createHash } from 'node:crypto'
import type { Scope } from '../../../../shared/words.ts'
import type { PaneRef } from './terminal.ts'

/**
 * Returns the scope of a new terminal, for the life of its registration. A tmux session's first agent has the bare
 * name; while that is taken, by another agent or by state that still waits to be taken over, the pane id is added.
 */
export function assignScope(
  terminal: { terminalId: string; pane: PaneRef | null },
  taken: (scope: Scope) => boolean,
): Scope {
  if (!terminal.pane) return `pty:${terminal.terminalId}`
  const { tmuxSession, paneId, socket } = terminal.pane
  const bare: Scope = `tmux:${tmuxSession}`
  if (!taken(bare)) return bare
  const exact: Scope = `${bare}:${paneId}`
  if (!taken(exact)) return exact
  // the same name and pane id on another tmux server
  const server: Scope = `${exact}@${createHash('sha256').update(socket).digest('hex').slice(0, 8)}`
  for (let n = 2, scope = server; ; n++) {
    if (!taken(scope)) return scope
    scope = `${server}#${n}`
  }
}
