import { OnwardError } from '../../../base/errors.ts'
import {
  efforts,
  type CanonicalRequest,
  type Effort,
  type Reasoning,
  type ResponseFormat,
  type Tool,
} from '../../canonical/request.ts'
import { asList, asName, asNumber, asObject, type JsonObject, asText } from '../../values.ts'
import { noteOthers, type Unread } from '../block-kinds.ts'
import { readMessages, readSystem, marked } from './read-messages.ts'
import { readSearch } from './web-search.ts'

const members = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'service_tier',
  'speed',
])
const thinkingMembers = new Set(['type', 'budget_tokens', 'display'])
const outputMembers = new Set(['effort', 'format'])
const formatMembers = new Set(['type', 'schema'])
const metadataMembers = new Set(['user_id'])

/** A request body of `POST /v1/messages`, the beta members included. */
export function readMessagesRequest(body: JsonObject): CanonicalRequest {
  const model = asName(body['model'])
  if (model === null) throw new OnwardError('bad-request', 'model: name the model that is to answer.', { status: 400 })
  const unread: Unread = new Set()
  noteOthers(body, members, '', unread)
  if (body['speed'] === 'fast') unread.add('speed')
  const output = asObject(body['output_config']) ?? {}
  noteOthers(output, outputMembers, 'output_config', unread)
  const metadata = asObject(body['metadata']) ?? {}
  noteOthers(metadata, metadataMembers, 'metadata', unread)
  const system = readSystem(body['system'], 'system[]', unread)
  const conversation = readMessages(body['messages'], unread)
  const tools = readTools(body['tools'], unread)
  const reasoning = readReasoning(asObject(body['thinking']), output, unread)
  const format = readFormat(output['format'] ?? body['output_format'], unread)
  return {
    model,
    stream: body['stream'] === true,
    system: conversation.system.length === 0 ? system : [...system, ...conversation.system],
    messages: conversation.messages,
    tools,
    ...readToolChoice(body['tool_choice'], tools, unread),
    maxTokens: asNumber(body['max_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    topK: asNumber(body['top_k']),
    frequencyPenalty: null,
    presencePenalty: null,
    seed: null,
    logprobs: null,
    stop: asList(body['stop_sequences']).filter((stop) => typeof stop === 'string'),
    format,
    verbosity: null,
    reasoning,
    user: asName(metadata['user_id']),
    metadata: null,
    cacheKey: null,
    // OpenAI's APIs call the tier that is never a paid-for one `default`.
    serviceTier: body['service_tier'] === 'standard_only' ? 'default' : asName(body['service_tier']),
    store: null,
    includeUsage: true,
    unread: [...unread],
  }
}

const isEffort = (value: unknown): value is Effort => efforts.some((effort) => effort === value)

function readReasoning(thinking: JsonObject | null, output: JsonObject, unread: Unread): Reasoning | null {
  const effort = isEffort(output['effort']) ? output['effort'] : null
  if (effort === null && asName(output['effort']) !== null) unread.add('output_config.effort')
  if (!thinking) return effort === null ? null : { effort, budget: null, summary: null }
  noteOthers(thinking, thinkingMembers, 'thinking', unread)
  const summary = summaryOf[String(thinking['display'])] ?? null
  switch (thinking['type']) {
    // An effort beside it is for the answer itself: kept, with no tokens to think.
    case 'disabled':
      return { effort: effort ?? 'none', budget: effort === null ? null : 0, summary }
    case 'enabled':
      return { effort, budget: asNumber(thinking['budget_tokens']), summary }
    case 'adaptive':
      return { effort, budget: null, summary }
    default:
      unread.add('thinking.type')
      return { effort, budget: null, summary }
  }
}

const summaryOf: Partial<Record<string, Reasoning['summary']>> = {
  summarized: 'auto',
  updates: 'auto',
  omitted: 'none',
}

function readFormat(value: unknown, unread: Unread): ResponseFormat | null {
  const format = asObject(value)
  if (!format) return null
  const schema = asObject(format['schema'])
  if (format['type'] !== 'json_schema' || !schema) {
    unread.add('output_config.format')
    return null
  }
  noteOthers(format, formatMembers, 'output_config.format', unread)
  return { type: 'schema', name: null, description: null, schema, strict: null, strictIfPossible: true }
}

const toolMembers = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])
const choiceMembers = new Set(['type', 'name', 'disable_parallel_tool_use'])

const readTools = (value: unknown, unread: Unread): Tool[] =>
  asList(value).map((entry, i): Tool => {
    const tool = asObject(entry)
    const kind = asName(tool?.['type'])
    if (tool && kind !== null && kind !== 'custom') {
      return { type: 'native', of: 'messages', kind, raw: tool, search: readSearch(tool, kind, unread) }
    }
    const name = asName(tool?.['name'])
    if (!tool || name === null)
      throw new OnwardError('bad-request', `tools[${i}].name: a tool needs a name.`, { status: 400 })
    noteOthers(tool, toolMembers, 'tools[]', unread)
    const strict = tool['strict']
    return {
      type: 'function',
      name,
      description: asText(tool['description']),
      parameters: asObject(tool['input_schema']),
      strict: typeof strict === 'boolean' ? strict : null,
      ...(strict === true ? { strictIfPossible: true } : {}),
      ...marked(tool),
    }
  })

function readToolChoice(
  value: unknown,
  tools: readonly Tool[],
  unread: Unread,
): Pick<CanonicalRequest, 'toolChoice' | 'parallelTools'> {
  const choice = asObject(value)
  if (!choice) return { toolChoice: null, parallelTools: null }
  noteOthers(choice, choiceMembers, 'tool_choice', unread)
  const disabled = choice['disable_parallel_tool_use']
  const parallelTools = typeof disabled === 'boolean' ? !disabled : null
  const type = choice['type'],
    name = asName(choice['name'])
  if (type === 'auto' || type === 'any' || type === 'none') return { toolChoice: { type }, parallelTools }
  if (type === 'tool' && tools.some((tool) => tool.type === 'native' && tool.search && tool.raw['name'] === name))
    return { toolChoice: { type: 'search' }, parallelTools }
  if (type === 'tool' && name !== null) return { toolChoice: { type, name }, parallelTools }
  throw new OnwardError('bad-request', 'tool_choice.type: must be auto, any, none, or tool with a name.', {
    status: 400,
  })
}
