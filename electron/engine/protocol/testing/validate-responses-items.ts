/** Items and responses as OpenAI's API reference documents them, strict. */
import {
  anyObject,
  between,
  by,
  count,
  either,
  flag,
  isText,
  listOf,
  mapOf,
  matching,
  name,
  object,
  orNull,
  text,
  words,
  type Shape,
} from './validate-chat-shapes.ts'

const anything: Shape = () => undefined
export const toolName = matching(/^[a-zA-Z0-9_-]{1,128}$/)
export const callId = matching(/^[\s\S]{1,64}$/)
const logprobs = listOf(anyObject)
/** ResponseOutputText.URLCitation, the only kind in a converted answer */
export const annotation = object({
  type: words('url_citation'),
  url: name,
  title: text,
  start_index: count,
  end_index: count,
})
export const outputPart = by('type', {
  output_text: object({ type: words('output_text'), text, annotations: listOf(annotation) }, { logprobs }),
  refusal: object({ type: words('refusal'), refusal: text }),
})
export const summaryPart = object({ type: words('summary_text'), text })
const reasoningPart = object({ type: words('reasoning_text'), text })

/** Output items by type; `status` of an item that is in progress or done. */
export const outputItem = (status: Shape): Shape =>
  by('type', {
    message: object(
      { id: matching(/^msg_./), type: words('message'), role: words('assistant'), status, content: listOf(outputPart) },
      { phase: orNull(words('commentary', 'final_answer')) },
    ),
    reasoning: object(
      { id: matching(/^rs_./), type: words('reasoning'), summary: listOf(summaryPart) },
      { content: listOf(reasoningPart), encrypted_content: orNull(name), status },
    ),
    function_call: object(
      { id: matching(/^fc_./), type: words('function_call'), status, call_id: name, name, arguments: text },
      { namespace: name },
    ),
    web_search_call: object({
      id: matching(/^ws_./),
      type: words('web_search_call'),
      status: words('in_progress', 'completed', 'failed'),
      action: object(
        { type: words('search'), query: text, queries: listOf(text) },
        { sources: listOf(object({ type: words('url'), url: name })) },
      ),
    }),
    custom_tool_call: object(
      { id: matching(/^ctc_./), type: words('custom_tool_call'), status, call_id: name, name, input: text },
      { namespace: name },
    ),
  })

const schema = anyObject
const functionTool = object(
  { type: words('function'), name: toolName, parameters: orNull(schema), strict: orNull(flag) },
  {
    description: orNull(text),
    defer_loading: flag,
    output_schema: orNull(schema),
    allowed_callers: orNull(listOf(words('direct', 'programmatic'))),
  },
)
const customFormat = by('type', {
  text: object({ type: words('text') }),
  grammar: object({ type: words('grammar'), definition: text, syntax: words('lark', 'regex') }),
})
const customTool = object(
  { type: words('custom'), name: toolName },
  {
    description: text,
    format: customFormat,
    defer_loading: flag,
    allowed_callers: orNull(listOf(words('direct', 'programmatic'))),
  },
)
/** Tools of the vendor's own: their settings are not checked. */
const native = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'file_search',
  'computer',
  'computer_use_preview',
  'mcp',
  'code_interpreter',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
  'tool_search',
  'programmatic_tool_calling',
]
const inNamespace = by('type', { function: functionTool, custom: customTool })
export const tool = by('type', {
  function: functionTool,
  custom: customTool,
  namespace: object({ type: words('namespace'), name: toolName, description: text, tools: listOf(inNamespace, 1) }),
  ...Object.fromEntries(native.map((type) => [type, anyObject])),
})
const named = by('type', {
  function: object({ type: words('function'), name: toolName }),
  custom: object({ type: words('custom'), name: toolName }),
  mcp: anyObject,
})
const nativeChoice = Object.fromEntries(
  [
    ...native.slice(0, 7),
    'code_interpreter',
    'image_generation',
    'shell',
    'apply_patch',
    'programmatic_tool_calling',
  ].map((type) => [type, object({ type: words(type) })]),
)
export const toolChoice = either(
  isText,
  words('none', 'auto', 'required'),
  by('type', {
    function: named,
    custom: named,
    mcp: anyObject,
    ...nativeChoice,
    allowed_tools: object({ type: words('allowed_tools'), mode: words('auto', 'required'), tools: listOf(named, 1) }),
  }),
)
const format = by('type', {
  text: object({ type: words('text') }),
  json_object: object({ type: words('json_object') }),
  json_schema: object(
    { type: words('json_schema'), name: matching(/^[a-zA-Z0-9_-]{1,64}$/), schema },
    { description: text, strict: orNull(flag) },
  ),
})
export const textOptions = object({}, { format, verbosity: orNull(words('low', 'medium', 'high')) })
export const reasoningOptions = object(
  {},
  {
    effort: orNull(words('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
    summary: orNull(words('auto', 'concise', 'detailed')),
    generate_summary: orNull(words('auto', 'concise', 'detailed')),
    context: orNull(words('auto', 'current_turn', 'all_turns')),
    mode: text,
  },
)
export const shortText = matching(/^[\s\S]{0,64}$/)
export const metadata = mapOf(matching(/^[\s\S]{0,512}$/))
export const tier = words('auto', 'default', 'flex', 'scale', 'priority')

export const usage = object({
  input_tokens: count,
  input_tokens_details: object({ cached_tokens: count }, { cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: object({ reasoning_tokens: count }),
  total_tokens: count,
})
const status = words('in_progress', 'completed', 'incomplete')
const error = object({ code: name, message: text })

/** A response of any status, with every member the SDK's type requires. */
export const response = object(
  {
    id: matching(/^resp_./),
    object: words('response'),
    created_at: count,
    status: words('completed', 'failed', 'in_progress', 'incomplete', 'queued', 'cancelled'),
    error: orNull(error),
    incomplete_details: orNull(object({ reason: words('max_output_tokens', 'content_filter') })),
    instructions: orNull(either(isText, text, listOf(anyObject))),
    metadata: orNull(metadata),
    model: name,
    output: listOf(outputItem(status)),
    parallel_tool_calls: flag,
    temperature: orNull(between(0, 2)),
    tool_choice: toolChoice,
    tools: listOf(tool),
    top_p: orNull(between(0, 1)),
  },
  {
    background: orNull(flag),
    completed_at: orNull(count),
    max_output_tokens: orNull(count),
    previous_response_id: orNull(text),
    prompt_cache_key: orNull(text),
    prompt_cache_retention: orNull(text),
    reasoning: orNull(reasoningOptions),
    safety_identifier: orNull(text),
    service_tier: orNull(tier),
    store: orNull(flag),
    text: textOptions,
    top_logprobs: orNull(between(0, 20)),
    truncation: orNull(words('auto', 'disabled')),
    usage: orNull(usage),
    user: orNull(text),
    conversation: orNull(anyObject),
    prompt: orNull(anyObject),
    moderation: anything,
    prompt_cache_options: anything,
  },
)
