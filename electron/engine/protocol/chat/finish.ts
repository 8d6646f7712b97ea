import type { FinishKind, Usage } from '../../../../shared/events.ts'
import { asNumber, asObject, type JsonObject } from '../values.ts'

/** A plain stop is `stop` in every choice and no tool call; what is not known is never a stop. */
export function finishOfChoices(reasons: readonly (string | null)[], hasTools: boolean): FinishKind {
  const kinds = reasons.map((reason) => kindOf[reason ?? ''] ?? 'incomplete')
  if (hasTools || kinds.includes('tool-calls')) return 'tool-calls'
  return kinds.find((kind) => kind !== 'stop') ?? (kinds.length > 0 ? 'stop' : 'incomplete')
}

export const kindOf: Partial<Record<string, FinishKind>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

/** `input` counts all input tokens, `cachedInput` those of them that came from a cache. */
export function usageOfChat(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const input = asNumber(usage['prompt_tokens'])
  const output = asNumber(usage['completion_tokens'])
  if (input === null && output === null) return null
  return {
    input: input ?? 0,
    // DeepSeek names it beside the details
    cachedInput:
      detail(usage, 'prompt_tokens_details', 'cached_tokens') ?? asNumber(usage['prompt_cache_hit_tokens']) ?? 0,
    output: output ?? 0,
    reasoning: detail(usage, 'completion_tokens_details', 'reasoning_tokens') ?? 0,
  }
}

const detail = (usage: JsonObject, group: string, name: string): number | null =>
  asNumber(asObject(usage[group])?.[name])
