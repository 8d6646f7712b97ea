import {
  efforts,
  type CanonicalRequest,
  type Effort,
  type Reasoning,
  type ResponseFormat,
  type TextPart,
  type Tool,
} from '../../canonical/request.ts'
import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { badInput, readInput } from './read-input.ts'
import { contentParts } from './read-parts.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { noteUnread, noteUnreadOf, isSaid, type Unread } from '../../chat/convert/members.ts'
import { asBoolean, readUser } from '../../chat/convert/read-request.ts'

const known = new Set([
  'model',
  'stream',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'text',
  'reasoning',
  'user',
  'safety_identifier',
  'metadata',
  'prompt_cache_key',
  'service_tier',
  'store',
  'include',
  'background',
  'truncation',
])
const includes = { reasoning: 'reasoning.encrypted_content', logprobs: 'message.output_text.logprobs' }
/** Search results are returned anyway, as far as they are known. */
const searchIncludes: readonly unknown[] = ['web_search_call.action.sources', 'web_search_call.results']

export function readRequest(body: JsonObject): CanonicalRequest {
  const model = asName(body['model'])
  if (model === null) throw badInput('model', 'is missing')
  const unread: Unread = new Set()
  noteUnread(body, known, '', unread)
  if (body['background'] === true) unread.add('background')
  if (isSaid(body['truncation']) && body['truncation'] !== 'disabled') unread.add('truncation')
  const { system, messages, tools } = readInput(body['input'], instructionTexts(body['instructions'], unread), unread)
  const text = asObject(body['text'])
  if (text) noteUnread(text, textMembers, 'text.', unread)
  return {
    model,
    stream: body['stream'] === true,
    system,
    messages,
    tools: withMaxUses(
      [...readTools(body['tools'], 'tools', unread), ...readTools(tools, 'input[].tools', unread)],
      asNumber(body['max_tool_calls']),
      unread,
    ),
    toolChoice: readToolChoice(body['tool_choice'], unread),
    parallelTools: asBoolean(body['parallel_tool_calls']),
    maxTokens: asNumber(body['max_output_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    topK: null,
    frequencyPenalty: null,
    presencePenalty: null,
    seed: null,
    stop: [],
    logprobs: readLogprobs(body, unread),
    format: readFormat(asObject(text?.['format']), unread),
    verbosity: asName(text?.['verbosity']),
    reasoning: readReasoningOptions(asObject(body['reasoning']), unread),
    user: readUser(body, unread),
    metadata: readMetadata(asObject(body['metadata']), unread),
    cacheKey: asName(body['prompt_cache_key']),
    serviceTier: asName(body['service_tier']),
    store: asBoolean(body['store']),
    includeUsage: true,
    unread: [...unread],
  }
}

/** `max_tool_calls` counts the calls of all tools that the vendor runs: other vendors only limit their search. */
function withMaxUses(tools: readonly Tool[], maxUses: number | null, unread: Unread): readonly Tool[] {
  if (maxUses === null) return tools
  if (!tools.some((tool) => tool.type === 'native' && tool.search)) unread.add('max_tool_calls')
  return tools.map((tool) =>
    tool.type === 'native' && tool.search ? { ...tool, search: { ...tool.search, maxUses } } : tool,
  )
}

const instructionMembers = new Set(['type', 'id', 'role', 'status', 'content'])

/** Reads a text; a response echoes a list of messages here, and some clients send that back. */
function instructionTexts(value: unknown, unread: Unread): TextPart[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  return asList(value).flatMap((item) => {
    noteUnreadOf(item, instructionMembers, 'instructions[].', unread)
    const parts = contentParts(asObject(item)?.['content'], 'instructions[].content', unread)
    return parts.filter((part) => part.type === 'text')
  })
}

/** `include` names additions to an answer; encrypted reasoning is always included. */
function readLogprobs(body: JsonObject, unread: Unread): number | null {
  let wanted = asNumber(body['top_logprobs'])
  for (const value of asList(body['include'])) {
    if (value === includes.logprobs) wanted ??= 0
    else if (value !== includes.reasoning && !searchIncludes.includes(value)) unread.add(`include[].${String(value)}`)
  }
  return wanted
}

const textMembers = new Set(['format', 'verbosity'])
const formatMembers = new Set(['type', 'name', 'description', 'schema', 'strict'])

function readFormat(format: JsonObject | null, unread: Unread): ResponseFormat | null {
  if (!format || format['type'] === 'text') return null
  if (format['type'] === 'json_object') return { type: 'json' }
  const schema = asObject(format['schema'])
  if (format['type'] !== 'json_schema' || !schema) {
    unread.add('text.format')
    return null
  }
  noteUnread(format, formatMembers, 'text.format.', unread)
  return {
    type: 'schema',
    name: asName(format['name']),
    description: asName(format['description']),
    schema,
    strict: asBoolean(format['strict']),
  }
}

const reasoningMembers = new Set(['effort', 'summary', 'generate_summary'])
const summaries = ['auto', 'concise', 'detailed', 'none'] as const

function readReasoningOptions(value: JsonObject | null, unread: Unread): Reasoning | null {
  if (!value) return null
  noteUnread(value, reasoningMembers, 'reasoning.', unread)
  const effort = efforts.find((name): name is Effort => name === value['effort']) ?? null
  if (effort === null && isSaid(value['effort'])) unread.add('reasoning.effort')
  const wanted = value['summary'] ?? value['generate_summary']
  const summary = summaries.find((name) => name === wanted) ?? null
  if (summary === null && isSaid(wanted)) unread.add('reasoning.summary')
  return { effort, budget: null, summary }
}

function readMetadata(value: JsonObject | null, unread: Unread): Record<string, string> | null {
  if (!value) return null
  const metadata: Record<string, string> = {}
  for (const [name, entry] of Object.entries(value)) {
    const text = asText(entry)
    if (text !== null) metadata[name] = text
    else if (isSaid(entry)) unread.add(`metadata.${name}`)
  }
  return Object.keys(metadata).length === 0 ? null : metadata
}
