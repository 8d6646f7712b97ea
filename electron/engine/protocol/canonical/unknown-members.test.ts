/** An unknown member, wherever it stands in an answer: carried, or recorded by its name. */
import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import { stray, withStray } from '../testing/with-stray.ts'
import type { JsonObject } from '../values.ts'
import { convertToBody } from './testing/convert-bytes.ts'
import type { AnswerConversion } from './convert-answer.ts'
import { wireProtocols, type WireProtocol } from './request.ts'

const usage = {
  chat: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  responses: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  messages: { input_tokens: 3, output_tokens: 2 },
  gemini: { promptTokenCount: 3, candidatesTokenCount: 2 },
}

const url = { url: 'https://a.example/', title: 'A', start_index: 0, end_index: 2 }
const chunk = (delta: object, rest: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
})
const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
const items = {
  reasoning: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [
      { type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation', ...url }], logprobs: [] },
      { type: 'refusal', refusal: 'No.' },
    ],
  },
  call: { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'c1', name: 'look', arguments: '{}' },
  custom: { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'c2', name: 'run', input: 'ls' },
}
const webCitation = {
  type: 'web_search_result_location',
  cited_text: 'x',
  url: url.url,
  title: 'A',
  encrypted_index: 'E',
}
const blockEvent = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const deltaEvent = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
const stopEvent = (index: number) => ({ type: 'content_block_stop', index })
const candidate = {
  index: 0,
  content: {
    role: 'model',
    parts: [
      { text: 'Hm.', thought: true },
      { text: 'Hi', thoughtSignature: 'AA==' },
      { functionCall: { id: 'c1', name: 'look', args: {} } },
    ],
  },
  finishReason: 'STOP',
  groundingMetadata: {
    groundingChunks: [{ web: { uri: url.url, title: 'A' } }],
    groundingSupports: [{ segment: { startIndex: 0, endIndex: 2, text: 'Hi' }, groundingChunkIndices: [0] }],
  },
  citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 2, uri: 'https://b.example/' }] },
  urlContextMetadata: {
    urlMetadata: [{ retrievedUrl: 'https://c.example/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
  },
}

/** Answers with something of every kind that is read; a stream as its events' JSON. */
const answers: Record<WireProtocol, { body: JsonObject; stream: readonly JsonObject[]; skip(path: string): boolean }> =
  {
    chat: {
      body: {
        id: 'c1',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        citations: ['https://b.example/'],
        search_results: [{ title: 'B', url: 'https://b.example/', snippet: 'b' }],
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
                { type: 'text', text: 'Hi' },
              ],
              annotations: [{ type: 'url_citation', url_citation: url }],
              tool_calls: [
                { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } },
                { id: 'c2', type: 'custom', custom: { name: 'run', input: 'ls' } },
              ],
            },
          },
        ],
        usage: usage.chat,
      },
      stream: [
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }),
        chunk({ content: 'Hi' }),
        chunk({ content: '!', annotations: [{ type: 'url_citation', url_citation: url }] }),
        chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        chunk({}, { finish_reason: 'tool_calls' }),
        { ...chunk({}), choices: [], usage: usage.chat },
      ],
      skip: (path) => path.endsWith('usage'),
    },
    responses: {
      body: { ...response, status: 'completed', output: Object.values(items), usage: usage.responses },
      stream: [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.done', output_index: 0, item: items.reasoning },
        { type: 'response.output_item.added', output_index: 1, item: { ...items.message, content: [] } },
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, item_id: 'msg_1', delta: 'Hi' },
        {
          type: 'response.output_text.annotation.added',
          output_index: 1,
          content_index: 0,
          annotation_index: 0,
          annotation: { type: 'url_citation', ...url },
        },
        { type: 'response.output_item.done', output_index: 1, item: items.message },
        { type: 'response.output_item.added', output_index: 2, item: { ...items.call, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: 2, item_id: 'fc_1', delta: '{}' },
        { type: 'response.output_item.done', output_index: 2, item: items.call },
        { type: 'response.output_item.done', output_index: 3, item: items.custom },
        {
          type: 'response.completed',
          response: { ...response, status: 'completed', output: [], usage: usage.responses },
        },
      ],
      // An annotation in its item says again what its event said.
      skip: (path) => path.endsWith('usage') || path === 'item.content[].annotations[]',
    },
    messages: {
      body: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'S' },
          { type: 'redacted_thinking', data: 'R' },
          { type: 'text', text: 'Hi', citations: [webCitation] },
          { type: 'tool_use', id: 'c1', name: 'look', input: {} },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: usage.messages,
      },
      stream: [
        { type: 'message_start', message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] } },
        blockEvent(0, { type: 'thinking', thinking: '' }),
        deltaEvent(0, { type: 'thinking_delta', thinking: 'Hm.' }),
        deltaEvent(0, { type: 'signature_delta', signature: 'S' }),
        stopEvent(0),
        blockEvent(1, { type: 'text', text: '' }),
        deltaEvent(1, { type: 'text_delta', text: 'Hi' }),
        deltaEvent(1, { type: 'citations_delta', citation: webCitation }),
        stopEvent(1),
        blockEvent(2, { type: 'tool_use', id: 'c1', name: 'look', input: {} }),
        deltaEvent(2, { type: 'input_json_delta', partial_json: '{}' }),
        stopEvent(2),
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: usage.messages,
        },
        { type: 'message_stop' },
      ],
      // An input that comes in pieces has an empty one before them.
      skip: (path) => path.endsWith('usage') || path === 'content_block.input',
    },
    gemini: {
      body: { candidates: [candidate], usageMetadata: usage.gemini, modelVersion: 'm', responseId: 'r1' },
      stream: [
        { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'He' }] } }], modelVersion: 'm' },
        {
          candidates: [
            {
              index: 0,
              content: {
                parts: [
                  {
                    functionCall: {
                      name: 'look',
                      willContinue: true,
                      partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }],
                    },
                  },
                  { functionCall: {} },
                ],
              },
            },
          ],
        },
        { candidates: [candidate], usageMetadata: usage.gemini },
        { promptFeedback: { blockReason: 'SAFETY' }, candidates: [] },
      ],
      skip: (path) => path.endsWith('usageMetadata'),
    },
  }

function converted(from: WireProtocol, given: { body: unknown } | { events: readonly unknown[] }) {
  const dropped: string[] = []
  const conversion: AnswerConversion = {
    from: conversionOf[from],
    to: conversionOf[from],
    restore: (emit) => emit,
    context: {
      model: 'm',
      request: conversionOf.chat.readRequest({ model: 'm', messages: [] }, { path: '/v1/chat/completions' }),
      nowMs: 0,
      newId: (prefix) => `${prefix}1`,
      dropped: (name) => void dropped.push(name),
    },
  }
  const converter = convertToBody(conversion)
  if ('body' in given) return { answer: converter.whole(Buffer.from(JSON.stringify(given.body))), dropped }
  for (const event of given.events) converter.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  if (from === 'chat') converter.push(Buffer.from('data: [DONE]\n\n'))
  return { answer: converter.end(), dropped }
}

/** Chat carries OpenRouter's details whole, in the seal of its thinking. */
const isCarried = (answer: unknown): boolean => JSON.stringify(answer).includes(stray)

describe.each(wireProtocols)('an unknown member of an answer of %s', (protocol) => {
  const { body, stream, skip } = answers[protocol]

  it('is nowhere in the answers it is put into', () => {
    expect(converted(protocol, { body }).answer.kind).toBe('body')
    expect(converted(protocol, { events: stream }).answer.kind).toBe('body')
    expect(converted(protocol, { body }).dropped.filter((name) => name.includes(stray))).toEqual([])
  })

  it.each(withStray(body, skip))('is recorded in a body, at “$path”', ({ value }) => {
    const { answer, dropped } = converted(protocol, { body: value })
    expect(answer.kind).toBe('body')
    expect(isCarriedOrNamed(answer, dropped)).toBe(true)
  })

  it.each(
    stream.flatMap((event, i) => withStray(event, skip).map((one) => ({ ...one, i, type: event['type'] ?? 'chunk' }))),
  )('is recorded in a stream, at “$path” of event $i, $type', ({ value, i }) => {
    const events = stream.map((event, n) => (n === i ? value : event))
    const { answer, dropped } = converted(protocol, { events })
    expect(answer.kind).toBe('body')
    expect(isCarriedOrNamed(answer, dropped)).toBe(true)
  })
})

function isCarriedOrNamed(answer: { kind: string; body?: Buffer }, dropped: readonly string[]): boolean {
  const text = answer.body?.toString() ?? ''
  const sealed = [...text.matchAll(/onward\.1\.([\w-]+)/g)].map(([, data = '']) => Buffer.from(data, 'base64url'))
  return dropped.some((name) => name.endsWith(stray)) || isCarried(text) || sealed.some((seal) => seal.includes(stray))
}
