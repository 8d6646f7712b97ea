/**
 * What a response repeats of its request: members that `Response` and `ResponseCreateParams` of the `openai` package
 * have both. A conversation and a safety identifier are repeated as well, and tell more than the request did.
 */
export const echoedSettings = [
  'background',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning',
  'service_tier',
  'store',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
] as const
