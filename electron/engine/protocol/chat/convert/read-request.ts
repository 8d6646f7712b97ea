import {
  type CanonicalRequest,
  type Tool,
  type ToolChoice,
  type WebSearch,
  efforts,
  type Effort,
  type Reasoning,
  type ResponseFormat,
} from '../../canonical/request.ts'
import { placeOf, plainSearch } from '../../canonical/web-search.ts'
import { isWebSearch } from '../../needs/parts.ts'
import { asList, asName, asNumber, asObject, type JsonObject, asText } from '../../values.ts'
import { badRequest, isSaid, type Unread, listAt, noteUnread, noteUnreadOf, objectAt } from './members.ts'
import { readMessages } from './read-messages.ts'

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

const knownTool = new Set(['type', 'function', 'custom'])
const knownFunction = new Set(['name', 'description', 'parameters', 'strict'])
const knownFormat = new Set(['type', 'grammar'])
const knownChoice = new Set(['type', 'function', 'custom', 'name', 'allowed_tools', 'mode', 'tools'])
const knownNamed = new Set(['name'])
const knownCustom = new Set(['name', 'description', 'format'])

/** `tools`, the older `functions`, and `web_search_options`, which is a tool of OpenAI's own. */
function readTools(body: JsonObject, unread: Unread): Tool[] {
  const tools = listAt(body['tools'], 'tools').map((tool, i) =>
    readTool(objectAt(tool, `tools[${i}]`), `tools[${i}]`, unread),
  )
  listAt(body['functions'], 'functions').forEach((fn, i) =>
    tools.push(readFunction(objectAt(fn, `functions[${i}]`), `functions[${i}]`, unread)),
  )
  const search = asObject(body['web_search_options'])
  if (search) {
    const asked = readSearch(search, unread)
    tools.push({ type: 'native', of: 'chat', kind: 'web_search_options', raw: search, search: asked })
  }
  return tools
}

const knownSearch = new Set(['search_context_size', 'user_location'])

function readSearch(search: JsonObject, unread: Unread): WebSearch {
  noteUnread(search, knownSearch, 'web_search_options.', unread)
  const location = asObject(search['user_location'])
  const [place, contextSize] = [asObject(location?.['approximate']), asName(search['search_context_size'])]
  return { ...plainSearch, location: placeOf(place), contextSize }
}

/** GLM's and OpenRouter's: their other members are settings of their own search engines. */
const isSearch = (type: string): boolean => isWebSearch(type.replace(/^openrouter:/, ''))

function readTool(tool: JsonObject, path: string, unread: Unread): Tool {
  const type = asName(tool['type']) ?? 'function'
  if (type === 'function') {
    noteUnread(tool, knownTool, 'tools[].', unread)
    return readFunction(objectAt(tool['function'], `${path}.function`), `${path}.function`, unread)
  }
  if (type !== 'custom')
    return { type: 'native', of: 'chat', kind: type, raw: tool, search: isSearch(type) ? plainSearch : null }
  noteUnread(tool, knownTool, 'tools[].', unread)
  const custom = objectAt(tool['custom'], `${path}.custom`)
  noteUnread(custom, knownCustom, 'tools[].custom.', unread)
  return {
    type: 'custom',
    name: nameAt(custom, `${path}.custom`),
    description: asName(custom['description']),
    format: readToolFormat(custom['format'], unread),
  }
}

/**
 * Chat wraps a grammar once more than Responses: `{type, grammar: {definition, syntax}}`; canonical is the flat form.
 */
function readToolFormat(value: unknown, unread: Unread): JsonObject | null {
  const format = asObject(value)
  const grammar = asObject(format?.['grammar'])
  if (format && grammar) noteUnread(format, knownFormat, 'tools[].custom.format.', unread)
  return format && grammar ? { type: 'grammar', ...grammar } : format
}

function readFunction(fn: JsonObject, path: string, unread: Unread): Tool {
  noteUnread(fn, knownFunction, 'tools[].function.', unread)
  return {
    type: 'function',
    name: nameAt(fn, path),
    description: asName(fn['description']),
    parameters: asObject(fn['parameters']),
    strict: typeof fn['strict'] === 'boolean' ? fn['strict'] : null,
  }
}

function nameAt(object: JsonObject, path: string): string {
  const name = asName(object['name'])
  if (name === null) throw badRequest(`${path}.name`, 'is missing')
  return name
}

function readToolChoice(body: JsonObject, unread: Unread): ToolChoice | null {
  const choice = body['tool_choice'] ?? body['function_call']
  if (choice === undefined || choice === null) return null
  const read = typeof choice === 'string' ? modes[choice] : readNamed(asObject(choice) ?? {}, unread)
  if (!read) unread.add('tool_choice')
  return read ?? null
}

// `any` is what Mistral says for `required`.
const modes: Partial<Record<string, ToolChoice>> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  required: { type: 'any' },
  any: { type: 'any' },
}

function readNamed(choice: JsonObject, unread: Unread): ToolChoice | null {
  noteChoice(choice, 'tool_choice.', unread)
  if (choice['type'] === 'allowed_tools') {
    const allowed = asObject(choice['allowed_tools']) ?? choice
    if (allowed !== choice) noteUnread(allowed, knownChoice, 'tool_choice.allowed_tools.', unread)
    for (const entry of asList(allowed['tools'])) noteChoice(asObject(entry) ?? {}, 'tool_choice.tools[].', unread)
    const names = asList(allowed['tools'])
      .map(namedIn)
      .filter((name) => name !== null)
    return { type: 'allowed', mode: allowed['mode'] === 'required' ? 'any' : 'auto', names }
  }
  const name = namedIn(choice)
  return name === null ? null : { type: 'tool', name }
}

function noteChoice(choice: JsonObject, path: string, unread: Unread): void {
  noteUnread(choice, knownChoice, path, unread)
  noteUnreadOf(choice['function'], knownNamed, `${path}function.`, unread)
  noteUnreadOf(choice['custom'], knownNamed, `${path}custom.`, unread)
}

function namedIn(value: unknown): string | null {
  const entry = asObject(value)
  return asName(asObject(entry?.['function'] ?? entry?.['custom'])?.['name']) ?? asName(entry?.['name'])
}

const knownReasoning = new Set(['effort', 'max_tokens', 'enabled', 'exclude'])
const knownThinking = new Set(['type', 'budget_tokens'])
const formatKeys = new Set(['type', 'json_schema'])
const knownSchema = new Set(['name', 'description', 'schema', 'strict'])

export const asBoolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

/**
 * `reasoning_effort`, or what other vendors say for it: `reasoning` (OpenRouter), `thinking` (DeepSeek, GLM, Kimi),
 * `enable_thinking` (Qwen).
 */
function readReasoning(body: JsonObject, unread: Unread): Reasoning | null {
  const reasoning = asObject(body['reasoning'])
  const thinking = asObject(body['thinking'])
  if (reasoning) noteUnread(reasoning, knownReasoning, 'reasoning.', unread)
  if (thinking) noteUnread(thinking, knownThinking, 'thinking.', unread)
  const said = asName(body['reasoning_effort']) ?? asName(reasoning?.['effort'])
  const given = efforts.find((effort) => effort === said) ?? null
  if (said !== null && given === null) unread.add('reasoning_effort')
  const isOff =
    reasoning?.['enabled'] === false || thinking?.['type'] === 'disabled' || body['enable_thinking'] === false
  const effort: Effort | null = given ?? (isOff ? 'none' : null)
  const budget =
    asNumber(reasoning?.['max_tokens']) ?? asNumber(thinking?.['budget_tokens']) ?? asNumber(body['thinking_budget'])
  const summary = reasoning?.['exclude'] === true ? 'none' : null
  const isOn =
    reasoning?.['enabled'] === true || asName(thinking?.['type']) !== null || body['enable_thinking'] === true
  return effort !== null || budget !== null || summary !== null || isOn ? { effort, budget, summary } : null
}

function readFormat(value: unknown, unread: Unread): ResponseFormat | null {
  const format = asObject(value)
  if (format) noteUnread(format, formatKeys, 'response_format.', unread)
  noteUnreadOf(format?.['json_schema'], knownSchema, 'response_format.json_schema.', unread)
  switch (format?.['type']) {
    case undefined:
    case 'text':
      return null
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const given = asObject(format['json_schema'])
      const schema = asObject(given?.['schema'])
      if (given && schema)
        return {
          type: 'schema',
          name: asName(given['name']),
          description: asName(given['description']),
          schema,
          strict: asBoolean(given['strict']),
        }
      // a named format without a schema asks for JSON of any shape
      unread.add('response_format.json_schema')
      return { type: 'json' }
    }
    default:
      unread.add('response_format')
      return null
  }
}

function readStop(value: unknown): string[] {
  const one = asName(value)
  if (one !== null) return [one]
  return Array.isArray(value) ? value.filter((stop): stop is string => typeof stop === 'string' && stop !== '') : []
}

function readMetadata(value: unknown, unread: Unread): Record<string, string> | null {
  const given = asObject(value)
  if (!given) return null
  const metadata: Record<string, string> = {}
  for (const name in given) {
    const text = asText(given[name])
    if (text === null) unread.add(`metadata.${name}`)
    else metadata[name] = text
  }
  return Object.keys(metadata).length > 0 ? metadata : null
}

/** `safety_identifier` is the newer name of the same member. */
export function readUser(body: JsonObject, unread: Unread): string | null {
  const user = asName(body['user'])
  const identifier = asName(body['safety_identifier'])
  if (user !== null && identifier !== null && user !== identifier) unread.add('safety_identifier')
  return user ?? identifier
}
