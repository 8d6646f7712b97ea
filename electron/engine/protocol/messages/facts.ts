/**
 * Readers for one message of a Messages answer: an event, or a whole body, which is like the message in
 * `message_start`. All code that understands answers uses them, and each reads only what it is asked for.
 */
import type { AnswerUsage, AnswerFinish } from '../canonical/answer.ts'
import { type ReadContext, noteMembers } from '../canonical/codec.ts'
import { usageIn } from '../chat/facts.ts'
import { finishName, endOf, type AnswerEnd, finishWords } from '../finish-names.ts'
import { describe, errorIn, type ProviderError } from '../observe/peek.ts'
import { asObject, asObjects, asText, hasValue, type JsonObject, asCount, asName } from '../values.ts'

/** The message that an event begins, with all of it that is known so far. */
export const start = (event: JsonObject | null): JsonObject => asObject(event?.['message']) ?? {}

/** The block that an event begins. */
export const block = (event: JsonObject | null): JsonObject => asObject(event?.['content_block']) ?? {}

export const blocks = (message: JsonObject): JsonObject[] => asObjects(message['content'])

/** The words of a text block, or those that a delta adds to it; thinking is none. */
export const text = (part: JsonObject | null): string =>
  part?.['type'] === 'text' || part?.['type'] === 'text_delta' ? (asText(part['text']) ?? '') : ''

export const isThinking = (part: JsonObject | null): boolean =>
  part?.['type'] === 'thinking' || part?.['type'] === 'redacted_thinking'

/**
 * A call of a tool that is declared in the request. `server_tool_use` and `mcp_tool_use` run at the vendor; one of zero
 * values, of which gateways make such a block, is none.
 */
export const isCall = (part: JsonObject | null): boolean =>
  part?.['type'] === 'tool_use' && ['id', 'name', 'input'].some((name) => hasValue(part[name]))

/** Counts so far, as the vendor names them. */
export const usage = (value: JsonObject | null): JsonObject | null =>
  asObject(value?.['usage']) ?? asObject(start(value)['usage'])

/** The word that a message ends with, or the event that says so. */
export const finish = (value: JsonObject | null): string | null =>
  finishName((asObject(value?.['delta']) ?? value)?.['stop_reason'])

/** The error of an error event. */
export const error = (event: JsonObject | null): ProviderError => errorIn(event ?? {}) ?? describe({})

/**
 * Counts come in `message_start` and again, newer, in `message_delta`; a count that is missing keeps its older value.
 * Some compatible endpoints count the input only at the start, and say 0 for all of it at the end.
 */
export function mergeCounts(older: JsonObject, newer: JsonObject | null): JsonObject {
  const merged: Record<string, unknown> = { ...older }
  const keepsInput = inputs.every((name) => (asCount(newer?.[name]) ?? 0) === 0) && lifetimesOf(newer).sum === 0
  for (const [name, value] of Object.entries(newer ?? {}))
    if (value !== null && !(keepsInput && (inputs.includes(name) || name === lifetimes) && name in merged))
      merged[name] = value
  return merged
}

const lifetimes = 'cache_creation'
const inputs: readonly string[] = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

/**
 * Usage of a message (https://platform.claude.com/docs/en/api/messages, Usage). Anthropic counts what was read from a
 * cache and written to it beside `input_tokens`; here `input` counts all of it, as with the other protocols. What was
 * written stands in one number, by lifetime in `cache_creation`, or both. Gateways that only changed the shape of a
 * Chat answer write Chat's names.
 */
export function usageOfMessage(counts: JsonObject): AnswerUsage | null {
  const count = (name: string) => asCount(counts[name])
  const input = count('input_tokens')
  const output = count('output_tokens')
  if (input === null && output === null) return usageIn(counts)
  const cachedInput = count('cache_read_input_tokens') ?? 0
  const written = lifetimesOf(counts)
  const cacheWrite = Math.max(count('cache_creation_input_tokens') ?? 0, written.sum)
  const details = asObject(counts['output_tokens_details'])
  return {
    input: (input ?? 0) + cachedInput + cacheWrite,
    cachedInput,
    cacheWrite,
    ...(written.hour > 0 ? { cacheWriteHour: written.hour } : {}),
    output: output ?? 0,
    reasoning: asCount(details?.['thinking_tokens']) ?? asCount(details?.['reasoning_tokens']) ?? 0,
  }
}

/** `ephemeral_5m_input_tokens` and `ephemeral_1h_input_tokens`: what is kept for longer costs more. */
function lifetimesOf(counts: JsonObject | null): { sum: number; hour: number } {
  const written = asObject(counts?.[lifetimes]) ?? {}
  let sum = 0
  for (const value of Object.values(written)) sum += asCount(value) ?? 0
  return { sum, hour: asCount(written['ephemeral_1h_input_tokens']) ?? 0 }
}

/** Anthropic counts cached input beside `input_tokens`. */
export function writeUsage(usage: AnswerUsage | null): Record<string, unknown> {
  const { input, cachedInput, cacheWrite, cacheWriteHour = 0, output, reasoning } = usage ?? noUsage
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    ...(cacheWriteHour > 0
      ? {
          cache_creation: {
            ephemeral_5m_input_tokens: Math.max(0, cacheWrite - cacheWriteHour),
            ephemeral_1h_input_tokens: cacheWriteHour,
          },
        }
      : {}),
    output_tokens: output,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
  }
}

const noUsage: AnswerUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

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
