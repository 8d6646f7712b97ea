import type { FailReason } from '../../../../shared/events.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { TmuxPanes } from '../../terminals/tmux/index.ts'

export interface TerminalEndedDeps {
  registry: TerminalsRegistry
  outboxes: Outboxes
  tmux: TmuxPanes
  log: Log
}

/**
 * Handles the end of a terminal's registration. Texts on their way there fail, whether the sweep, the launcher or the
 * outbox itself noticed the end first. If none was on its way, the state waits for a terminal that takes it over.
 */
export function createTerminalEnded({
  registry,
  outboxes,
  tmux,
  log,
}: TerminalEndedDeps): (terminal: Terminal, why: string) => void {
  const over = async (terminal: Terminal, why: string): Promise<void> => {
    const outbox = outboxes.peek(terminal.scope)
    if (!outbox) return
    const now = registry.byScope(terminal.scope)
    // Another agent has the pane, and with it the scope and the texts that wait there.
    if (now && now.terminalId !== terminal.terminalId && registry.alive(now)) return
    await outbox.gone(await reasonOf(terminal, why))
  }
  /**
   * A launcher that gets a hang-up reports that its agent ended, even if the pane went with it. So the pane is checked.
   */
  const reasonOf = async ({ pane, exitCode }: Terminal, why: string): Promise<FailReason> => {
    if (!pane) return exitCode === null ? { code: 'terminal-gone', why } : { code: 'agent-gone' }
    const gone = await tmux.whyGone(pane)
    return gone === null ? { code: 'agent-gone' } : { code: 'terminal-gone', why: gone }
  }
  return (terminal, why) => {
    over(terminal, why).catch((error: unknown) =>
      log.error(
        { terminalId: terminal.terminalId, error: messageOf(error) },
        'what waited for an ended terminal could not be settled',
      ),
    )
  }
}
