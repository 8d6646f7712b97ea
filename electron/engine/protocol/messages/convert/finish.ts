import type { AnswerFinish } from '../../canonical/answer.ts'
import { finishOfMessage } from '../finish.ts'

/** A reason nobody knows is no break-off: the message ended as it should. */
export function readFinish(reason: string | null, hasToolUse: boolean): AnswerFinish {
  const kind = finishOfMessage(reason, hasToolUse)
  switch (kind) {
    case 'stop':
      return reason === 'stop_sequence' ? 'stop-sequence' : 'stop'
    case 'tool-calls':
    case 'length':
    case 'refusal':
    case 'pause-turn':
      return kind
    default:
      return hasToolUse ? 'tool-calls' : 'stop'
  }
}

export const isKnownReason = (reason: string): boolean => finishOfMessage(reason, false) !== 'incomplete'

/**
 * `shown`: what the answer held. Clients run tools for `tool_use` only, and a refusal is a reason here, not a kind of
 * text.
 */
export function writeFinish(reason: AnswerFinish, shown: { calls: boolean; refusal: boolean }): string {
  switch (reason) {
    case 'stop':
      return shown.calls ? 'tool_use' : shown.refusal ? 'refusal' : 'end_turn'
    case 'stop-sequence':
      return 'stop_sequence'
    case 'tool-calls':
      return shown.calls ? 'tool_use' : 'end_turn'
    case 'length':
      return 'max_tokens'
    case 'content-filter':
    case 'refusal':
      return 'refusal'
    case 'pause-turn':
      return 'pause_turn'
  }
}
