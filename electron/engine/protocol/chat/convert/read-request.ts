import type { CanonicalRequest } from '../../canonical/request.ts'
import { asList, asName, asNumber, asObject, type JsonObject } from '../../values.ts'
import { badRequest, isSaid, type Unread } from './members.ts'
import { readMessages } from './read-messages.ts'
import { asBoolean, readFormat, readMetadata, readReasoning, readStop, readUser } from './read-settings.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** Members that this reader looks at; every other one that says something is noted as unread. */
const known = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'functions',
  'web_search_options',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'logprobs',
  'top_logprobs',
  'stop',
  'response_format',
  'verbosity',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'user',
  'safety_identifier',
  'metadata',
  'prompt_cache_key',
  'service_tier',
  'store',
])

/** True if an unknown member says no more than its default does. */
function isDefault(name: string, value: unknown): boolean {
  switch (name) {
    case 'n':
      return value === 1
    case 'modalities':
      return asList(value).every((entry) => entry === 'text')
    case 'logit_bias':
      return Object.keys(asObject(value) ?? {}).length === 0
    default:
      return false
  }
}

export function readRequest(body: JsonObject): CanonicalRequest {
  const unread: Unread = new Set()
  for (const name in body) if (!known.has(name) && isSaid(body[name]) && !isDefault(name, body[name])) unread.add(name)
  const model = asName(body['model'])
  if (model === null) throw badRequest('model', 'is missing')
  const options = asObject(body['stream_options'])
  for (const name in options ?? {})
    if (name !== 'include_usage' && isSaid(options?.[name])) unread.add(`stream_options.${name}`)
  return {
    model,
    stream: body['stream'] === true,
    ...readMessages(body['messages'], unread),
    tools: readTools(body, unread),
    toolChoice: readToolChoice(body, unread),
    parallelTools: asBoolean(body['parallel_tool_calls']),
    maxTokens: asNumber(body['max_completion_tokens']) ?? asNumber(body['max_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    topK: asNumber(body['top_k']),
    frequencyPenalty: asNumber(body['frequency_penalty']),
    presencePenalty: asNumber(body['presence_penalty']),
    seed: asNumber(body['seed']),
    logprobs: body['logprobs'] === true ? (asNumber(body['top_logprobs']) ?? 0) : null,
    stop: readStop(body['stop']),
    format: readFormat(body['response_format'], unread),
    verbosity: asName(body['verbosity']),
    reasoning: readReasoning(body, unread),
    user: readUser(body, unread),
    metadata: readMetadata(body['metadata'], unread),
    cacheKey: asName(body['prompt_cache_key']),
    serviceTier: asName(body['service_tier']),
    store: asBoolean(body['store']),
    includeUsage: options?.['include_usage'] === true,
    unread: [...unread],
  }
}
