import type { AnswerUsage } from '../../canonical/answer.ts'

export { usageOfMessage as readUsage } from '../usage-dialects.ts'

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
