/**
 * Requests of OpenAI's Chat Completions, by its API reference; `reasoning_*` and `extra_content` as other vendors
 * document them.
 */
import type { JsonObject } from '../values.ts'
import {
  anyObject,
  between,
  by,
  count,
  either,
  flag,
  isObject,
  isText,
  listOf,
  mapOf,
  matching,
  name,
  nothing,
  object,
  orNull,
  problemsOf,
  text,
  words,
} from './validate-chat-shapes.ts'

const toolName = matching(/^[a-zA-Z0-9_-]{1,64}$/)
const cacheMark = { prompt_cache_breakpoint: object({ mode: words('explicit') }) }
const textPart = object({ type: words('text'), text }, cacheMark)
const dataUrl = /^data:[a-z0-9.+-]+\/[a-z0-9.+-]+(?:;[a-z0-9-]+=[^;,]*)*;base64,[A-Za-z0-9+/=_-]*$/i
const userPart = by('type', {
  text: textPart,
  image_url: object(
    {
      type: words('image_url'),
      image_url: object({ url: matching(/^(?:https?|data):/) }, { detail: words('auto', 'low', 'high') }),
    },
    cacheMark,
  ),
  input_audio: object(
    { type: words('input_audio'), input_audio: object({ data: name, format: words('wav', 'mp3') }) },
    cacheMark,
  ),
  file: object(
    { type: words('file'), file: object({}, { file_data: matching(dataUrl), file_id: name, filename: name }) },
    cacheMark,
  ),
})
const assistantPart = by('type', {
  text: textPart,
  refusal: object({ type: words('refusal'), refusal: text }),
  // Mistral
  thinking: object({ type: words('thinking'), thinking: listOf(object({ type: words('text'), text })) }),
})
const texts = either(isText, text, listOf(textPart, 1))
const extra = { extra_content: anyObject }
const call = by('type', {
  function: object({ id: name, type: words('function'), function: object({ name: toolName, arguments: text }) }, extra),
  custom: object({ id: name, type: words('custom'), custom: object({ name: toolName, input: text }) }, extra),
})
const message = by('role', {
  system: object({ role: words('system'), content: texts }, { name }),
  developer: object({ role: words('developer'), content: texts }, { name }),
  user: object({ role: words('user'), content: either(isText, text, listOf(userPart, 1)) }, { name }),
  assistant: object(
    { role: words('assistant') },
    {
      content: orNull(either(isText, text, listOf(assistantPart, 1))),
      refusal: orNull(text),
      name,
      tool_calls: listOf(call, 1),
      audio: orNull(object({ id: name })),
      function_call: orNull(object({ name: toolName, arguments: text })),
      reasoning_content: text,
      reasoning: text,
      reasoning_details: listOf(anyObject, 1),
    },
  ),
  tool: object({ role: words('tool'), content: texts, tool_call_id: name }),
  function: object({ role: words('function'), content: orNull(text), name: toolName }),
})

const functionShape = object({ name: toolName }, { description: text, parameters: anyObject, strict: orNull(flag) })
const format = by('type', {
  text: object({ type: words('text') }),
  grammar: object({ type: words('grammar'), grammar: object({ definition: text, syntax: words('lark', 'regex') }) }),
})
const tool = by('type', {
  function: object({ type: words('function'), function: functionShape }),
  custom: object({ type: words('custom'), custom: object({ name: toolName }, { description: text, format }) }),
})
const namedTool = by('type', {
  function: object({ type: words('function'), function: object({ name: toolName }) }),
  custom: object({ type: words('custom'), custom: object({ name: toolName }) }),
})
const toolChoice = either(
  isText,
  words('none', 'auto', 'required'),
  either(
    (value) => isObject(value) && value['type'] === 'allowed_tools',
    object({
      type: words('allowed_tools'),
      allowed_tools: object({ mode: words('auto', 'required'), tools: listOf(namedTool) }),
    }),
    namedTool,
  ),
)
const responseFormat = by('type', {
  text: object({ type: words('text') }),
  json_object: object({ type: words('json_object') }),
  json_schema: object({
    type: words('json_schema'),
    json_schema: object({ name: toolName }, { description: text, schema: anyObject, strict: orNull(flag) }),
  }),
})
const place = object({}, { city: text, country: text, region: text, timezone: text })
const webSearch = object(
  {},
  {
    search_context_size: words('low', 'medium', 'high'),
    user_location: orNull(object({ type: words('approximate'), approximate: place })),
  },
)
const limit = orNull(count)

const request = object(
  { model: name, messages: listOf(message, 1) },
  {
    audio: orNull(anyObject),
    frequency_penalty: orNull(between(-2, 2)),
    function_call: either(isText, words('none', 'auto'), object({ name: toolName })),
    functions: listOf(functionShape, 1),
    logit_bias: orNull(mapOf(between(-100, 100))),
    logprobs: orNull(flag),
    max_completion_tokens: limit,
    max_tokens: limit,
    metadata: orNull(mapOf(text)),
    modalities: orNull(listOf(words('text', 'audio'), 1)),
    moderation: orNull(anyObject),
    n: orNull(between(1, 128)),
    parallel_tool_calls: flag,
    prediction: orNull(object({ type: words('content'), content: texts })),
    presence_penalty: orNull(between(-2, 2)),
    prompt_cache_key: orNull(text),
    prompt_cache_options: object({}, { mode: words('implicit', 'explicit'), ttl: words('30m') }),
    prompt_cache_retention: orNull(words('in_memory', '24h')),
    reasoning_effort: orNull(words('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
    response_format: responseFormat,
    safety_identifier: orNull(text),
    seed: orNull(between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
    service_tier: orNull(words('auto', 'default', 'flex', 'scale', 'priority')),
    stop: either(
      isText,
      text,
      either((value) => value === null, nothing, listOf(text, 1, 4)),
    ),
    store: orNull(flag),
    stream: orNull(flag),
    stream_options: orNull(object({}, { include_usage: flag, include_obfuscation: flag })),
    temperature: orNull(between(0, 2)),
    tool_choice: toolChoice,
    tools: listOf(tool, 1),
    top_logprobs: orNull(between(0, 20)),
    top_p: orNull(between(0, 1)),
    user: text,
    verbosity: orNull(words('low', 'medium', 'high')),
    web_search_options: webSearch,
  },
)

/** Returns what OpenAI's server would refuse in this request; empty if nothing. */
export function validateChatRequest(body: JsonObject): string[] {
  return [...problemsOf(request, body, 'body'), ...contradictions(body), ...orderProblems(body['messages'])]
}

function contradictions(body: JsonObject): string[] {
  const problems: string[] = []
  const needs = (member: string, other: string, isThere: boolean) => {
    if (body[member] !== undefined && body[member] !== null && !isThere)
      problems.push(`${member} is only allowed with ${other}`)
  }
  needs('tool_choice', 'tools', body['tools'] !== undefined)
  needs('parallel_tool_calls', 'tools', body['tools'] !== undefined)
  needs('stream_options', 'stream', body['stream'] === true)
  needs('metadata', 'store', body['store'] === true)
  needs('top_logprobs', 'logprobs', body['logprobs'] === true)
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined)
    problems.push('max_tokens and max_completion_tokens are both given')
  return problems
}

/** Every call is answered by the tool messages right after it, and no tool message answers anything else. */
function orderProblems(messages: unknown): string[] {
  const problems: string[] = []
  let open = new Set<unknown>()
  const list: readonly unknown[] = Array.isArray(messages) ? messages : []
  list.forEach((entry, i) => {
    if (!isObject(entry)) return
    if (entry['role'] === 'tool') {
      if (!open.delete(entry['tool_call_id'])) problems.push(`messages[${i}] answers no call of the message before it`)
      return
    }
    if (open.size > 0) problems.push(`messages[${i}] stands before the results of ${[...open].join(', ')}`)
    const calls: readonly unknown[] = Array.isArray(entry['tool_calls']) ? entry['tool_calls'] : []
    open = new Set(calls.map((one) => (isObject(one) ? one['id'] : undefined)))
    if (open.size < calls.length) problems.push(`messages[${i}] gives two calls one id`)
    if (
      entry['role'] === 'assistant' &&
      !calls.length &&
      (entry['content'] ?? entry['refusal'] ?? entry['function_call'] ?? entry['audio']) === undefined
    )
      problems.push(`messages[${i}] has neither content nor calls`)
    if (
      entry['role'] === 'assistant' &&
      !calls.length &&
      entry['content'] === null &&
      !entry['refusal'] &&
      !entry['function_call'] &&
      !entry['audio']
    )
      problems.push(`messages[${i}] has neither content nor calls`)
  })
  return problems
}
