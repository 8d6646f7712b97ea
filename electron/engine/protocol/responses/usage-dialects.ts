import type { AnswerUsage } from '../canonical/answer.ts'
import { usageIn } from '../chat/usage-dialects.ts'
import { summedUp } from '../usage-sums.ts'
import { asCount, asObject, type JsonObject } from '../values.ts'

/**
 * Usage of a response (https://platform.openai.com/docs/api-reference/responses/object). Input includes the cache,
 * output the reasoning; OpenRouter names what was written to a cache, and gateways in front of Gemini count reasoning
 * beside the output (https://github.com/router-for-me/CLIProxyAPI/pull/5746): the total shows it. Servers that only
 * changed the shape of a Chat answer write Chat's names.
 */
export function usageOfResponse(usage: JsonObject | null): AnswerUsage | null {
  const input = asCount(usage?.['input_tokens'])
  const output = asCount(usage?.['output_tokens'])
  if (!usage || (input === null && output === null)) return usageIn(usage)
  const read = asObject(usage['input_tokens_details'])
  return summedUp({
    input: input ?? 0,
    cachedInput: asCount(read?.['cached_tokens']) ?? 0,
    cacheWrite: asCount(read?.['cache_write_tokens']) ?? 0,
    output: output ?? 0,
    reasoning: asCount(asObject(usage['output_tokens_details'])?.['reasoning_tokens']) ?? 0,
    total: asCount(usage['total_tokens']),
  })
}
