import type { AnswerUsage } from '../../canonical/answer.ts'
import { asNumber, asObject, type JsonObject } from '../../values.ts'
import { usageOfMessage } from '../finish.ts'

/** The counts of a message; null where it says none. */
export function readUsage(counts: JsonObject): AnswerUsage | null {
  const usage = usageOfMessage(counts)
  if (!usage) return null
  const reasoning = asNumber(asObject(counts['output_tokens_details'])?.['thinking_tokens']) ?? 0
  return {
    input: usage.input,
    cachedInput: usage.cachedInput,
    cacheWrite: asNumber(counts['cache_creation_input_tokens']) ?? 0,
    output: usage.output,
    reasoning,
  }
}

/** Anthropic counts cached input beside `input_tokens`. */
export function writeUsage(usage: AnswerUsage | null): Record<string, unknown> {
  const { input, cachedInput, cacheWrite, output, reasoning } = usage ?? noUsage
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    output_tokens: output,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
  }
}

const noUsage: AnswerUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
