/** Requests of OpenAI's Responses, by its API reference. */
import { asList, asObject, type JsonObject } from '../values.ts'
import {
  anyObject,
  between,
  by,
  either,
  flag,
  isObject,
  isText,
  listOf,
  matching,
  name,
  object,
  orNull,
  problemsOf,
  text,
  words,
  type Shape,
} from './validate-chat-shapes.ts'
import {
  callId,
  metadata,
  outputPart,
  reasoningOptions,
  shortText,
  summaryPart,
  textOptions,
  tier,
  tool,
  toolChoice,
  toolName,
} from './validate-responses-items.ts'

const mark = { prompt_cache_breakpoint: object({ mode: words('explicit') }) }
const dataUrl = /^data:[a-z0-9.+-]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=_-]*$/i
const inputPart = by('type', {
  input_text: object({ type: words('input_text'), text }, mark),
  input_image: either(
    (value) => isObject(value) && 'file_id' in value,
    object({ type: words('input_image'), detail: words('low', 'high', 'auto', 'original'), file_id: name }, mark),
    object(
      {
        type: words('input_image'),
        detail: words('low', 'high', 'auto', 'original'),
        image_url: matching(/^(?:https?|data):/),
      },
      mark,
    ),
  ),
  input_file: either(
    (value) => isObject(value) && 'file_data' in value,
    object({ type: words('input_file'), filename: name, file_data: matching(dataUrl) }, mark),
    either(
      (value) => isObject(value) && 'file_url' in value,
      object({ type: words('input_file'), file_url: matching(/^https?:/) }, { filename: name, ...mark }),
      object({ type: words('input_file'), file_id: name }, { filename: name, ...mark }),
    ),
  ),
})
const content = either(isText, text, listOf(inputPart, 1))
const status = words('in_progress', 'completed', 'incomplete')
const id = matching(/^[a-z]+_[\s\S]{0,60}$/)
const easyMessage = object(
  { role: words('user', 'assistant', 'system', 'developer'), content },
  { type: words('message'), status, phase: orNull(words('commentary', 'final_answer')) },
)
const outputMessage = object(
  { id: matching(/^msg_/), type: words('message'), role: words('assistant'), status, content: listOf(outputPart, 1) },
  { phase: orNull(words('commentary', 'final_answer')) },
)
const hasId = (value: unknown): boolean => isObject(value) && 'id' in value
const output = either(isText, text, listOf(inputPart))

const item = by('type', {
  message: either(hasId, outputMessage, easyMessage),
  // Codex sends its reasoning back without an id, though the reference requires one.
  reasoning: object(
    { type: words('reasoning'), summary: listOf(summaryPart) },
    { id: matching(/^rs_/), encrypted_content: orNull(name), content: listOf(anyObject), status },
  ),
  function_call: object(
    { type: words('function_call'), call_id: callId, name: toolName, arguments: jsonText() },
    { id, namespace: toolName, status },
  ),
  function_call_output: object(
    { type: words('function_call_output'), call_id: callId, output },
    { id: orNull(id), status: orNull(status) },
  ),
  custom_tool_call: object(
    { type: words('custom_tool_call'), call_id: callId, name: toolName, input: text },
    { id, namespace: toolName },
  ),
  custom_tool_call_output: object({ type: words('custom_tool_call_output'), call_id: callId, output }, { id }),
  ...Object.fromEntries(
    [
      'web_search_call',
      'file_search_call',
      'computer_call',
      'computer_call_output',
      'code_interpreter_call',
      'image_generation_call',
      'local_shell_call',
      'local_shell_call_output',
      'shell_call',
      'shell_call_output',
      'apply_patch_call',
      'apply_patch_call_output',
      'mcp_list_tools',
      'mcp_approval_request',
      'mcp_approval_response',
      'mcp_call',
      'item_reference',
      'compaction',
      'tool_search_call',
      'tool_search_output',
      'additional_tools',
    ].map((type) => [type, anyObject]),
  ),
})

/** A call's arguments are JSON when they are sent back. */
function jsonText(): Shape {
  return (value, path, report) => {
    text(value, path, report)
    try {
      JSON.parse(String(value))
    } catch {
      report(`${path} is no JSON: ${String(value).slice(0, 40)}`)
    }
  }
}

const includable = words(
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
)
const request = object(
  { model: name },
  {
    input: either(isText, text, listOf(item)),
    instructions: orNull(text),
    stream: orNull(flag),
    store: orNull(flag),
    background: orNull(flag),
    include: orNull(listOf(includable)),
    tools: listOf(tool),
    tool_choice: toolChoice,
    parallel_tool_calls: orNull(flag),
    max_output_tokens: orNull(between(16, Number.MAX_SAFE_INTEGER)),
    max_tool_calls: orNull(between(1, Number.MAX_SAFE_INTEGER)),
    temperature: orNull(between(0, 2)),
    top_p: orNull(between(0, 1)),
    top_logprobs: orNull(between(0, 20)),
    text: textOptions,
    reasoning: orNull(reasoningOptions),
    user: shortText,
    safety_identifier: orNull(shortText),
    metadata: orNull(metadata),
    prompt_cache_key: orNull(shortText),
    prompt_cache_retention: orNull(words('in_memory', '24h')),
    service_tier: orNull(tier),
    truncation: orNull(words('auto', 'disabled')),
    previous_response_id: orNull(name),
    conversation: orNull(either(isText, name, object({ id: name }))),
    prompt: orNull(anyObject),
    prompt_cache_options: anyObject,
    context_management: orNull(listOf(anyObject)),
    moderation: orNull(anyObject),
    stream_options: orNull(object({}, { include_obfuscation: flag })),
  },
)

/** Returns the problems of a request body; empty if there are none. */
export function validateResponsesRequest(body: JsonObject): string[] {
  const typed = Array.isArray(body['input']) ? { ...body, input: asList(body['input']).map(withType) } : body
  return [...problemsOf(request, typed, 'request'), ...loose(asList(body['input'])), ...choiceProblems(body)]
}

/** A message may leave out its type. */
const withType = (value: unknown): unknown =>
  isObject(value) && !('type' in value) && 'role' in value ? { type: 'message', ...value } : value

/** "No tool call found for function call output with call_id …", and each call has an id of its own. */
function loose(input: readonly unknown[]): string[] {
  const problems: string[] = []
  const calls = new Set<unknown>()
  for (const entry of input) {
    const value = asObject(entry)
    const type = String(value?.['type'])
    if (type.endsWith('_call') && calls.has(value?.['call_id']))
      problems.push(`two calls are called ${String(value?.['call_id'])}`)
    if (type.endsWith('_call')) calls.add(value?.['call_id'])
    if (type.endsWith('_call_output') && !calls.has(value?.['call_id']))
      problems.push(`no call found for the output of ${String(value?.['call_id'])}`)
  }
  return problems
}

function choiceProblems(body: JsonObject): string[] {
  const choice = body['tool_choice']
  return choice !== undefined && choice !== 'auto' && choice !== 'none' && asList(body['tools']).length === 0
    ? ['tool_choice without tools']
    : []
}
