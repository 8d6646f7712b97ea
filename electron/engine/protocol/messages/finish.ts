import type { FinishKind, Usage } from '../../../../shared/events.ts'
import { asNumber, type JsonObject } from '../values.ts'

/**
 * A `tool_use` block is a tool call whatever the reason says: Claude Code executes it even with `end_turn`.
 */
export function finishOfMessage(reason: string | null, hasToolUse: boolean): FinishKind {
  const kind = kindOf[reason ?? ''] ?? 'incomplete'
  return kind === 'stop' && hasToolUse ? 'tool-calls' : kind
}

const kindOf: Partial<Record<string, FinishKind>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  pause_turn: 'pause-turn',
  refusal: 'refusal',
}

/**
 * Counts come in `message_start` and again, newer, in `message_delta`; a count that is missing keeps its older value.
 */
export function mergeCounts(older: JsonObject, newer: JsonObject | null): JsonObject {
  const merged: Record<string, unknown> = { ...older }
  for (const [name, value] of Object.entries(newer ?? {})) if (value !== null) merged[name] = value
  return merged
}

/** Anthropic counts cached input beside `input_tokens`; here `input` counts all of it, as with the other protocols. */
export function usageOfMessage(counts: JsonObject): Usage | null {
  const count = (name: string) => asNumber(counts[name])
  const input = count('input_tokens')
  const output = count('output_tokens')
  if (input === null && output === null) return null
  const cachedInput = count('cache_read_input_tokens') ?? 0
  return {
    input: (input ?? 0) + cachedInput + (count('cache_creation_input_tokens') ?? 0),
    cachedInput,
    output: output ?? 0,
    reasoning: 0,
  }
}
