import type { HoldReason } from '../../../../shared/events.ts'
import type { TerminalView } from '../../../../shared/state.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'

export function terminalView(
  terminal: Terminal,
  live: { alive: boolean; hold: HoldReason | null; size: { cols: number; rows: number } },
): TerminalView {
  return {
    id: terminal.terminalId,
    scope: terminal.scope,
    kind: terminal.kind,
    home: terminal.home,
    client: terminal.client,
    name: terminal.name,
    cwd: terminal.cwd,
    command: terminal.command,
    alive: live.alive,
    openedAt: terminal.openedAt,
    sessionId: terminal.sessionId,
    hold: live.hold,
    exitCode: terminal.exitCode,
    pane: terminal.pane && { socket: terminal.pane.socket, paneId: terminal.pane.paneId },
    cols: live.size.cols,
    rows: live.size.rows,
  }
}
