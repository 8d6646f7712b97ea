import type { AnswerFinish } from '../../canonical/answer.ts'
import { type ReadContext, noteMembers } from '../../canonical/codec.ts'
import { endOf, type AnswerEnd, finishWords } from '../../finish-names.ts'
import { asName, type JsonObject } from '../../values.ts'

/** `message_stop` alone ends a message: without a stop reason it is not broken, but no stop either. */
export const endOfMessage = (reason: string | null, hasToolUse: boolean): AnswerEnd =>
  reason === null && !hasToolUse
    ? { kind: 'finish', reason: 'incomplete' }
    : endOf(reason, { calls: hasToolUse, text: false, usage: false })

/**
 * `shown`: what the answer held. Clients run tools for `tool_use` only, and a refusal is a reason here, not a kind of
 * text.
 */
export function writeFinish(reason: AnswerFinish, shown: { calls: boolean; refusal: boolean }): string {
  switch (reason) {
    case 'stop':
      return shown.calls ? 'tool_use' : shown.refusal ? 'refusal' : 'end_turn'
    case 'tool-calls':
      return shown.calls ? 'tool_use' : 'end_turn'
    default:
      return finishWords.messages[reason]
  }
}

const knownDetails = new Set(['type', 'explanation'])

/** Emits why Anthropic refused as the answer's last block (RefusalStopDetails of @anthropic-ai/sdk). */
export function sayRefusal(details: JsonObject | null, block: number, { emit, dropped }: ReadContext): void {
  if (!details) return
  if (details['type'] !== 'refusal') return dropped('stop_details')
  noteMembers(details, knownDetails, 'stop_details.', dropped)
  const text = asName(details['explanation'])
  if (text === null) return
  emit({ type: 'begin', block, part: { kind: 'refusal' } })
  emit({ type: 'delta', block, text })
  emit({ type: 'end', block })
}
