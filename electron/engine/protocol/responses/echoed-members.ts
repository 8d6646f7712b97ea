/**
 * The members of its request that a response repeats: those that both `Response` and `ResponseCreateParams` of the
 * `openai` package have. A conversation and a safety identifier are repeated as well, but with more in them than the
 * request had.
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
