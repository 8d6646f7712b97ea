import { asObject, type JsonObject } from '../values.ts'
import { responseDefaults } from './answer.ts'

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

const echoed = ['conversation', 'safety_identifier', ...echoedSettings] as const

/** Returns the members of its request that a response repeats; null and missing ones are left out. */
export function echoedMembers(valueOf: (name: string) => unknown): JsonObject {
  return Object.fromEntries(
    echoed.flatMap((name) => {
      const value = valueOf(name) ?? null
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** Returns the members of a response that repeat the request, with every one that its readers expect. */
export function echoObject(asked: JsonObject): JsonObject {
  const { tools, reasoning, text, conversation, ...rest } = asked
  const { error: _error, incomplete_details: _details, ...defaults } = responseDefaults
  return {
    ...defaults,
    background: false,
    prompt_cache_key: null,
    service_tier: 'default',
    store: true,
    top_logprobs: 0,
    ...rest,
    reasoning: { ...defaults.reasoning, ...asObject(reasoning) },
    text: { ...defaults.text, ...asObject(text) },
    tools: Array.isArray(tools) ? tools.map(toolEcho) : [],
    // A request may name it by its id alone.
    ...(conversation === undefined
      ? {}
      : { conversation: typeof conversation === 'string' ? { id: conversation } : conversation }),
  }
}

/** A response names every member of a function, including those its request left out. */
function toolEcho(tool: unknown): unknown {
  const value = asObject(tool)
  return value?.['type'] === 'function' ? { parameters: null, strict: null, ...value } : tool
}
