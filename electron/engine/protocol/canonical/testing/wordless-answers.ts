import type { JsonObject } from '../../values.ts'
import type { WireProtocol } from '../request.ts'

/** An answer without a word of text, in both forms. */
export interface WordlessAnswer {
  from: WireProtocol
  holds: string
  /** the note for a client that can't be shown it; null: the provider said nothing at all */
  note: string | null
  body: string
  stream: string
}

const png = 'iVBORw0KGgoAAAANSUhEUg=='
const named = (type: string, data: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const line = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`

function responses(holds: string, note: string | null, ...items: JsonObject[]): WordlessAnswer {
  return repeating({}, holds, note, ...items)
}

/** `echo`: what it repeats of the request */
function repeating(echo: JsonObject, holds: string, note: string | null, ...items: JsonObject[]): WordlessAnswer {
  const frame = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5.5', tools: [], ...echo }
  const whole = { ...frame, status: 'completed', output: items, usage: { input_tokens: 3, output_tokens: 2 } }
  return {
    from: 'responses',
    holds,
    note,
    body: JSON.stringify(whole),
    stream: [
      named('response.created', { sequence_number: 0, response: { ...frame, status: 'in_progress', output: [] } }),
      ...items.flatMap((item, output_index) => [
        named('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } }),
        named('response.output_item.done', { output_index, item }),
      ]),
      named('response.completed', { response: whole }),
    ].join(''),
  }
}

function messages(holds: string, note: string | null, ...content: JsonObject[]): WordlessAnswer {
  const frame = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-8' }
  const usage = { input_tokens: 3, output_tokens: 2 }
  return {
    from: 'messages',
    holds,
    note,
    body: JSON.stringify({ ...frame, content, stop_reason: 'end_turn', stop_sequence: null, usage }),
    stream: [
      named('message_start', { message: { ...frame, content: [], stop_reason: null, stop_sequence: null, usage } }),
      ...content.flatMap((content_block, index) => [
        named('content_block_start', { index, content_block }),
        named('content_block_stop', { index }),
      ]),
      named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }),
      named('message_stop', {}),
    ].join(''),
  }
}

function chat(holds: string, note: string | null, message: JsonObject, beside: JsonObject = {}): WordlessAnswer {
  const frame = { id: 'gen-1', created: 1, model: 'google/gemini-3-pro-image', ...beside }
  const chunk = (delta: JsonObject, finish_reason: string | null) =>
    line({ ...frame, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  return {
    from: 'chat',
    holds,
    note,
    body: JSON.stringify({
      ...frame,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'stop' }],
      usage,
    }),
    stream:
      chunk({ role: 'assistant', content: '' }, null) +
      chunk(message, null) +
      chunk({ content: '' }, 'stop') +
      line({ ...frame, object: 'chat.completion.chunk', choices: [], usage }) +
      'data: [DONE]\n\n',
  }
}

function gemini(
  holds: string,
  note: string | null,
  parts: readonly JsonObject[],
  beside: JsonObject = {},
): WordlessAnswer {
  const frame = { modelVersion: 'gemini-3-pro-image', responseId: 'r1' }
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
  const candidate = (some: readonly JsonObject[], more: JsonObject = {}) => ({
    candidates: [{ content: { role: 'model', parts: some }, index: 0, ...more }],
    usageMetadata,
    ...frame,
  })
  return {
    from: 'gemini',
    holds,
    note,
    body: JSON.stringify(candidate(parts, { finishReason: 'STOP', ...beside })),
    stream: line(candidate(parts)) + line(candidate([{ text: '' }], { finishReason: 'STOP', ...beside })),
  }
}

/** Shapes: `ResponseOutputItem` of `openai`, `BetaContentBlock` of `@anthropic-ai/sdk`, `Part` of `@google/genai`. */
export const wordlessAnswers: readonly WordlessAnswer[] = [
  responses('nothing', null),
  responses('an empty message', null, { id: 'm', type: 'message', role: 'assistant', content: [] }),
  responses('a message with an empty text', null, {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: '', annotations: [] }],
  }),
  responses('empty reasoning', null, { id: 'rs', type: 'reasoning', summary: [] }),
  // `instructions` of `Response` are items where the request names a stored prompt.
  repeating(
    {
      instructions: [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be short.' }] }],
      tools: [{ type: 'function', name: 'f', parameters: { examples: [{ type: 'x_call', text: 'a', delta: 'b' }] } }],
    },
    'nothing, under a request that it repeats',
    null,
  ),
  responses('an image', 'image', { id: 'ig', type: 'image_generation_call', status: 'completed', result: png }),
  responses('a local shell call', 'shell call', {
    id: 'lsh',
    type: 'local_shell_call',
    call_id: 'call_1',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  }),
  responses('a shell call', 'shell call', {
    id: 'sh',
    type: 'shell_call',
    call_id: 'call_1',
    status: 'completed',
    environment: null,
    action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
  }),
  responses('a patch', 'patch', {
    id: 'apc',
    type: 'apply_patch_call',
    call_id: 'call_1',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a.ts' },
  }),
  responses('an approval request', 'approval request', {
    id: 'mcpr',
    type: 'mcp_approval_request',
    server_label: 'wiki',
    name: 'ask',
    arguments: '{}',
  }),
  responses('a computer call', 'computer call', {
    id: 'cu',
    type: 'computer_call',
    call_id: 'call_1',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'screenshot' },
  }),
  responses('a tool search of the client’s', 'tool search', {
    id: 'ts',
    type: 'tool_search_call',
    call_id: 'call_1',
    execution: 'client',
    status: 'completed',
    arguments: { query: 'mail' },
  }),
  responses('a web search', 'web search', { id: 'ws', type: 'web_search_call', status: 'completed', action: {} }),
  responses('a search of X', 'web search', {
    call_id: 'xs_call_24148162',
    input: '{"query":"onward"}',
    name: 'x_keyword_search',
    type: 'custom_tool_call',
    id: 'ctc_1',
    status: 'completed',
  }),
  responses('a run of code', 'code run', { id: 'ci', type: 'code_interpreter_call', code: '1', status: 'completed' }),
  responses('a search of files', 'file search', {
    id: 'fs',
    type: 'file_search_call',
    status: 'completed',
    queries: [],
  }),
  responses('a call of an MCP server', 'tool run', { id: 'mcp', type: 'mcp_call', name: 'ask', status: 'completed' }),
  responses('a list of MCP tools', 'tool list', { id: 'mcpl', type: 'mcp_list_tools', server_label: 'w', tools: [] }),
  responses('an item nobody knows', 'gateway datetime', { id: 'x', type: 'gateway:datetime', status: 'completed' }),
  responses('an image within a message', 'image', {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_image', image_url: 'https://e.test/i' }],
  }),
  responses('a file that its text would name', 'file', {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: '', annotations: [{ type: 'file_path', file_id: 'file_1', index: 0 }] }],
  }),
  responses('sources alone', 'sources', {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: '',
        annotations: [{ type: 'url_citation', url: 'https://e.test/a', title: 'A', start_index: 0, end_index: 0 }],
      },
    ],
  }),

  messages('nothing', null),
  messages('an empty text', null, { type: 'text', text: '' }),
  messages('a search the vendor ran', 'web search', {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: {},
  }),
  messages('results of a search', 'web search', {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [],
  }),
  messages('a run of code', 'code run', {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
  }),
  messages('a call of an MCP server', 'tool run', {
    type: 'mcp_tool_use',
    id: 'mcptoolu_1',
    name: 'ask',
    server_name: 'wiki',
    input: {},
  }),
  messages('a file', 'file', { type: 'container_upload', file_id: 'file_1' }),
  messages('a block nobody knows', 'hologram', { type: 'hologram' }),
  messages('sources alone', 'sources', {
    type: 'text',
    text: '',
    citations: [{ type: 'web_search_result_location', url: 'https://e.test/a', title: 'A', cited_text: 'a' }],
  }),

  chat('nothing', null, {}),
  chat('an empty text', null, { content: '' }),
  chat('an empty part', null, { content: [{ type: 'text', text: '' }] }),
  chat('a call of zero values', null, { function_call: { name: '', arguments: '' } }),
  chat('an empty call', null, { function_call: {} }),
  chat('no call', null, { function_call: null, tool_calls: null }),
  chat('empty entries of calls', null, { tool_calls: [{}, null] }),
  chat('an entry of zero values', null, {
    tool_calls: [{ index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }],
  }),
  chat('an image', 'image', {
    images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` }, index: 0 }],
  }),
  chat('an image among its parts', 'image', {
    content: [{ type: 'image_url', image_url: { url: 'https://e.test/i' } }],
  }),
  chat('speech', 'audio', { audio: { id: 'audio_1', data: png, transcript: '', expires_at: 1 } }),
  chat('a search the vendor ran', 'web search', {
    tool_calls: [{ index: 0, id: 'ws_1', type: 'web_search_call', function: { name: 'web_search', arguments: '{}' } }],
  }),
  chat('sources alone', 'sources', {
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://e.test/a', title: 'A' } }],
  }),
  chat('sources as GLM names them', 'sources', {}, { web_search: [{ link: 'https://e.test/a', title: 'A' }] }),
  chat('sources without an address', 'sources', {}, { search_results: [{ title: 'A' }] }),
  chat('a file as its source', 'sources', {
    annotations: [{ type: 'file_citation', file_citation: { file_id: 'file_1' } }],
  }),
  chat('tools that Groq ran', 'tool run', {
    executed_tools: [{ index: 0, type: 'search', arguments: '{}', output: 'A' }],
  }),
  chat('a part nobody knows', 'weather card', { content: [{ type: 'weather_card', card: { sky: 'blue' } }] }),
  chat('no sources', null, {}, { web_search: [] }),

  gemini('nothing', null, []),
  gemini('an empty text', null, [{ text: '' }]),
  gemini('an empty call', null, [{ functionCall: {} }]),
  gemini('empty metadata', null, [{ text: '' }], { groundingMetadata: {}, citationMetadata: {} }),
  gemini('a signature of nothing', null, [{ text: '', thoughtSignature: 'c2VhbA==' }]),
  gemini('an image', 'image', [{ inlineData: { mimeType: 'image/png', data: png } }]),
  gemini('speech', 'audio', [{ inlineData: { mimeType: 'audio/L16;rate=24000', data: png } }]),
  gemini('a file', 'file', [{ fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/a.pdf' } }]),
  gemini('code', 'code run', [{ executableCode: { language: 'PYTHON', code: 'print(1)' } }]),
  gemini('what code printed', 'code run', [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }]),
  gemini('a tool the vendor ran', 'tool run', [{ toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: {} } }]),
  gemini('a part nobody knows', 'sky map', [{ skyMap: { stars: 3 } }]),
  gemini('a page that it could not read', 'web page', [{ text: '' }], {
    urlContextMetadata: {
      urlMetadata: [{ retrievedUrl: 'https://e.test/a', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' }],
    },
  }),
  gemini('sources alone', 'sources', [{ text: '' }], {
    groundingMetadata: { groundingChunks: [{ web: { uri: 'https://e.test/a', title: 'A' } }] },
  }),
]

/** The same for thinking of which a client sees nothing: its provider thought, and wants it back. */
export const sealedAnswers: readonly Omit<WordlessAnswer, 'note'>[] = [
  responses('encrypted reasoning', null, { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'c2VhbA==' }),
  messages('thinking that is not shown', null, { type: 'thinking', thinking: '', signature: 'c2VhbA==' }),
  messages('redacted thinking', null, { type: 'redacted_thinking', data: 'c2VhbA==' }),
  chat('encrypted details', null, {
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VhbA==', id: 'r', format: 'x', index: 0 }],
  }),
  chat('opaque reasoning of Copilot', null, { reasoning_opaque: 'c2VhbA==' }),
  gemini('a sealed thought', null, [{ text: '', thought: true, thoughtSignature: 'c2VhbA==' }]),
]

/** The same for white space, which can't be seen: it is of no use to a client of any protocol. */
const blank = ' \n\n'
export const blankAnswers: readonly WordlessAnswer[] = [
  responses('white space', null, {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: blank, annotations: [] }],
  }),
  messages('white space', null, { type: 'text', text: blank }),
  chat('white space', null, { content: blank }),
  chat('a part of white space', null, { content: [{ type: 'text', text: blank }] }),
  gemini('white space', null, [{ text: blank }]),
]
