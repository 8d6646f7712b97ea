import type { ConfigHandle } from '../config/types.ts'
import type { Turn, TurnEnd } from '../pipeline/turn.ts'
import type { StopMessage } from '../servertools/stop-message/stop-message.ts'
import type { TerminalRoom } from './terminal-room.ts'
import type { Working } from './working.ts'

/** What looks at a turn once its answer is with the client. */
export function createAfterTurn(deps: { config: ConfigHandle; automation: StopMessage; room: TerminalRoom; working: Working }): (turn: Turn, end: TurnEnd) => void {
  const { automation, room, working } = deps
  return (turn, end) => {
    const { identity, call } = turn
    const { terminalId, sessionId, kind } = identity
    if (terminalId !== null && kind === 'turn') {
      // The agent runs tools now: that is when dialogs open.
      if (end.summary.finish === 'tool-calls') room.needs.begin(terminalId)
      else room.needs.end(terminalId)
    }
    // Without a session there is nobody whose timeline a decision could stand in.
    if (turn.reentered || sessionId === null) return
    void automation.turnEnded(identity.scope, {
      requestId: call.requestId,
      sessionId,
      kind,
      reentered: false,
      finish: end.summary.finish,
      clientLeft: end.clientLeft,
      registeredClientOnly: identity.registeredClientOnly,
      notFinished: working.subagents(sessionId) ? 'background-agents' : null,
    })
  }
}
