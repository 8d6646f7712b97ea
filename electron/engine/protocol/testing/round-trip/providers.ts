import type { WireProtocol } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'

/** One turn of a model as its provider sends it, and as that provider must get it back in the next request. */
export interface ModelTurn {
  shows: string
  /** the whole answer; `streamed` makes a stream of it */
  answer: JsonObject
  /** the assistant's items of the next request, member for member */
  comesBack: readonly JsonObject[]
  /** ids of the calls in order, each answered by `result of <id>` */
  calls: readonly string[]
}

const usage = { input_tokens: 20, output_tokens: 9 }
const text = 'I look into both.'
const thought = 'Two files may hold it.\nFirst the “older”.'
const later = 'The second one, then.'
const signature = (of: string): string => Buffer.from(`signature of ${of}, made up`).toString('base64')

const messages = (shows: string, content: readonly JsonObject[]): ModelTurn => ({
  shows,
  answer: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  },
  comesBack: content,
  calls: content.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id)),
})
const thinking = (said: string): JsonObject => ({ type: 'thinking', thinking: said, signature: signature(said) })
const redacted = (of: string): JsonObject => ({ type: 'redacted_thinking', data: signature(of) })
const toolUse = (id: string, path: string): JsonObject => ({ type: 'tool_use', id, name: 'read_file', input: { path } })

const responses = (shows: string, output: readonly JsonObject[]): ModelTurn => ({
  shows,
  answer: {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    model: 'gpt-x',
    output,
    usage: { ...usage, total_tokens: 29 },
  },
  comesBack: output,
  calls: output.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => String(id)),
})
const reasoning = (id: string, said: string): JsonObject => ({
  type: 'reasoning',
  id,
  summary: said === '' ? [] : [{ type: 'summary_text', text: said }],
  encrypted_content: signature(id),
})
const functionCall = (callId: string, path: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${callId}`,
  call_id: callId,
  name: 'read_file',
  arguments: JSON.stringify({ path }),
  status: 'completed',
})
const message = (id: string, phase?: string): JsonObject => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  ...(phase === undefined ? {} : { phase }),
  content: [{ type: 'output_text', text, annotations: [] }],
})

/** `comesBack`: the parts of the next request, if they differ from the model's */
const gemini = (shows: string, parts: readonly JsonObject[], comesBack = parts): ModelTurn => ({
  shows,
  answer: {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 },
    modelVersion: 'gemini-3-pro',
    responseId: 'g_1',
  },
  comesBack,
  calls: parts.flatMap(({ functionCall: call }) =>
    typeof call === 'object' && call !== null && 'id' in call ? [String(call.id)] : [],
  ),
})
const call = (id: string, path: string, signed: boolean): JsonObject => ({
  functionCall: { id, name: 'read_file', args: { path } },
  ...(signed ? { thoughtSignature: signature(id) } : {}),
})

const chat = (shows: string, said: JsonObject): ModelTurn => ({
  shows,
  answer: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'deepseek-x',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...said },
        finish_reason: said['tool_calls'] === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  },
  comesBack: [{ role: 'assistant', ...said }],
  calls: (Array.isArray(said['tool_calls']) ? said['tool_calls'] : []).map(({ id }: { id: string }) => id),
})
const toolCall = (id: string, path: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: JSON.stringify({ path }) },
  ...more,
})
const detail = {
  type: 'reasoning.text',
  text: thought,
  signature: signature('detail'),
  format: 'anthropic-claude-v1',
  index: 0,
}
const encrypted = {
  type: 'reasoning.encrypted',
  data: signature('encrypted'),
  id: 'rs_9',
  format: 'openai-responses-v1',
  index: 0,
}

/** Turns in which models of each protocol work with tools. */
export const modelTurns: Readonly<Record<WireProtocol, readonly ModelTurn[]>> = {
  messages: [
    messages('thinking and a call', [thinking(thought), toolUse('toolu_1', 'a.ts')]),
    messages('thinking, text and parallel calls', [
      thinking(thought),
      { type: 'text', text },
      toolUse('toolu_1', 'a.ts'),
      toolUse('toolu_2', 'b “b”.ts'),
    ]),
    messages('thinking between calls', [
      thinking(thought),
      toolUse('toolu_1', 'a.ts'),
      thinking(later),
      toolUse('toolu_2', 'b.ts'),
    ]),
    messages('redacted thinking and a call', [redacted('hidden'), toolUse('toolu_1', 'a.ts')]),
    messages('thinking, redacted thinking and a call', [
      thinking(thought),
      redacted('more'),
      toolUse('toolu_1', 'a.ts'),
    ]),
    messages('a call without thinking', [{ type: 'text', text }, toolUse('toolu_1', 'a.ts')]),
    messages('thinking and text', [thinking(thought), { type: 'text', text }]),
  ],
  responses: [
    responses('reasoning and a call', [reasoning('rs_1', thought), functionCall('call_1', 'a.ts')]),
    responses('reasoning without words and parallel calls', [
      reasoning('rs_1', ''),
      functionCall('call_1', 'a.ts'),
      functionCall('call_2', 'b “b”.ts'),
    ]),
    responses('reasoning, words and a call', [
      reasoning('rs_1', thought),
      message('msg_1'),
      functionCall('call_1', 'a.ts'),
    ]),
    responses('reasoning between calls', [
      reasoning('rs_1', thought),
      functionCall('call_1', 'a.ts'),
      reasoning('rs_2', later),
      functionCall('call_2', 'b.ts'),
    ]),
    responses('a commentary and a call', [
      reasoning('rs_1', thought),
      message('msg_1', 'commentary'),
      functionCall('call_1', 'a.ts'),
    ]),
    responses('a call without reasoning', [functionCall('call_1', 'a.ts')]),
    responses('a final answer', [reasoning('rs_1', thought), message('msg_1', 'final_answer')]),
    responses('reasoning and words', [reasoning('rs_1', thought), message('msg_1')]),
  ],
  gemini: [
    gemini('a thought and a signed call', [{ text: thought, thought: true }, call('g_1', 'a.ts', true)]),
    gemini('parallel calls, the first signed', [call('g_1', 'a.ts', true), call('g_2', 'b “b”.ts', false)]),
    gemini('words and a signed call', [{ text }, call('g_1', 'a.ts', true)]),
    gemini('signed words', [
      { text: thought, thought: true },
      { text, thoughtSignature: signature('words') },
    ]),
    // Gemini 3 demands one, and takes this value for a call that has none (its page on thought signatures).
    gemini(
      'a call without signature',
      [{ text }, call('g_1', 'a.ts', false)],
      [{ text }, { ...call('g_1', 'a.ts', false), thoughtSignature: 'skip_thought_signature_validator' }],
    ),
  ],
  chat: [
    chat('reasoning_content and a call', {
      content: null,
      reasoning_content: thought,
      tool_calls: [toolCall('call_1', 'a.ts')],
    }),
    chat('reasoning_content, words and parallel calls', {
      content: text,
      reasoning_content: thought,
      tool_calls: [toolCall('call_1', 'a.ts'), toolCall('call_2', 'b “b”.ts')],
    }),
    chat('reasoning_details with a signature', {
      content: text,
      reasoning: thought,
      reasoning_details: [detail],
      tool_calls: [toolCall('call_1', 'a.ts')],
    }),
    chat('encrypted reasoning_details', {
      content: text,
      reasoning_details: [encrypted],
      tool_calls: [toolCall('call_1', 'a.ts')],
    }),
    chat('a call with the thought signature of Google', {
      content: null,
      tool_calls: [
        toolCall('call_1', 'a.ts', { extra_content: { google: { thought_signature: signature('google') } } }),
      ],
    }),
    chat('a call without reasoning', { content: text, tool_calls: [toolCall('call_1', 'a.ts')] }),
    chat('reasoning_content and words', { content: text, reasoning_content: thought }),
  ],
}
