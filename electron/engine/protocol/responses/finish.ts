import type { FinishKind, Usage } from '../../../../shared/events.ts'
import { asNumber, asObject, asText, type JsonObject } from '../values.ts'

/** Items that ask for something before the turn can go on: any tool call, or a person's approval. */
export const isToolItem = (type: string): boolean => type.endsWith('_call') || type === 'mcp_approval_request'

/** A plain stop is `completed` without a tool call among the output and without a required action. */
export function finishOfResponse(status: string | null, response: JsonObject, hasTools: boolean): FinishKind {
  switch (status) {
    case 'completed':
      return hasTools || asObject(response['required_action']) ? 'tool-calls' : 'stop'
    case 'failed':
      return 'error'
    default:
      return whyIncomplete(asText(asObject(response['incomplete_details'])?.['reason']))
  }
}

function whyIncomplete(reason: string | null): FinishKind {
  if (reason === 'max_output_tokens') return 'length'
  return reason === 'content_filter' ? 'content-filter' : 'incomplete'
}

/** `input` counts all input tokens, `cachedInput` those of them that came from a cache. */
export function usageOfResponse(value: unknown): Usage | null {
  const usage = asObject(value)
  const input = asNumber(usage?.['input_tokens'])
  const output = asNumber(usage?.['output_tokens'])
  if (!usage || (input === null && output === null)) return null
  return {
    input: input ?? 0,
    cachedInput: asNumber(asObject(usage['input_tokens_details'])?.['cached_tokens']) ?? 0,
    output: output ?? 0,
    reasoning: asNumber(asObject(usage['output_tokens_details'])?.['reasoning_tokens']) ?? 0,
  }
}
