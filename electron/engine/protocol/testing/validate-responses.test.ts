import { describe, expect, it } from 'vitest'
import { responsesAnswer } from '../responses/answer.ts'
import type { JsonObject } from '../values.ts'
import { validateResponsesBody, validateResponsesRequest, validateResponsesStream } from './validate-responses.ts'

const head = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
}
const usage = {
  input_tokens: 2,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 5,
}
const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'e',
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'ab', annotations: [] }],
}
const call = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'c', name: 'f', arguments: '{}' }
const thinking = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
const text = { item_id: 'msg_1', output_index: 1, content_index: 0 }
const args = { item_id: 'fc_1', output_index: 2 }

/** A stream as the reference shows them, one event each line. */
const events: readonly JsonObject[] = [
  { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
  { type: 'response.in_progress', response: { ...head, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [], encrypted_content: null } },
  { type: 'response.reasoning_summary_part.added', ...thinking, part: { type: 'summary_text', text: '' } },
  { type: 'response.reasoning_summary_text.delta', ...thinking, delta: 'hm' },
  { type: 'response.reasoning_summary_text.done', ...thinking, text: 'hm' },
  { type: 'response.reasoning_summary_part.done', ...thinking, part: { type: 'summary_text', text: 'hm' } },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...text, part: { type: 'output_text', text: '', annotations: [] } },
  { type: 'response.output_text.delta', ...text, delta: 'a', logprobs: [] },
  { type: 'response.output_text.delta', ...text, delta: 'b', logprobs: [] },
  { type: 'response.output_text.done', ...text, text: 'ab', logprobs: [] },
  { type: 'response.content_part.done', ...text, part: { type: 'output_text', text: 'ab', annotations: [] } },
  { type: 'response.output_item.done', output_index: 1, item: message },
  { type: 'response.output_item.added', output_index: 2, item: { ...call, status: 'in_progress', arguments: '' } },
  { type: 'response.function_call_arguments.delta', ...args, delta: '{}' },
  { type: 'response.function_call_arguments.done', ...args, name: 'f', arguments: '{}' },
  { type: 'response.output_item.done', output_index: 2, item: call },
  { type: 'response.completed', response: { ...head, status: 'completed', output: [reasoning, message, call], usage } },
]
const wire = (list: readonly JsonObject[]): string =>
  list
    .map((event, i) => `event: ${String(event['type'])}\ndata: ${JSON.stringify({ sequence_number: i, ...event })}\n\n`)
    .join('')
const without = (...places: number[]): string => wire(events.filter((_, i) => !places.includes(i)))
const changed = (place: number, members: JsonObject): string =>
  wire(events.map((event, i) => (i === place ? { ...event, ...members } : event)))
const inserted = (place: number, event: JsonObject): string => wire(events.toSpliced(place, 0, event))
const swapped = (a: number, b: number): string =>
  wire(events.map((event, i) => (i === a ? (events[b] ?? event) : i === b ? (events[a] ?? event) : event)))

describe('a stream', () => {
  it('as documented is valid', () => expect(validateResponsesStream(wire(events))).toEqual([]))
  it('of our own simulator is valid', () => {
    expect(
      validateResponsesStream(
        responsesAnswer({ id: '1', model: 'm', text: 'hi', stream: true, nowMs: 0 }).body.toString(),
      ),
    ).toEqual([])
  })
  it('may end in an error, and then in a failed response', () => {
    const failing = [...events.slice(0, 11), { type: 'error', code: 'c', message: 'm', param: null }]
    expect(validateResponsesStream(wire(failing))).toEqual(['no terminal event'])
    const created = events[0]?.['response'] as JsonObject
    const failed = { ...created, status: 'failed', error: { code: 'c', message: 'm' } }
    expect(validateResponsesStream(wire([...failing, { type: 'response.failed', response: failed }]))).toEqual([])
    expect(validateResponsesStream(wire([...failing, ...events.slice(11, 12)]))[0]).toContain('comes behind an error')
  })

  it.each([
    ['begins with another event', without(0), 'comes first'],
    ['is created twice', inserted(1, events[0] ?? {}), 'comes again'],
    ['has no end', without(19), 'no terminal event'],
    ['goes on behind its end', inserted(20, events[1] ?? {}), 'comes behind response.completed'],
    ['ends like Chat', `${wire(events)}data: [DONE]\n\n`, 'no named event'],
    ['breaks off inside an event', wire(events).slice(0, -3), 'does not end behind an event'],
    [
      'names an event otherwise',
      wire(events).replace('event: response.in_progress', 'event: response.queued'),
      'is named response.queued',
    ],
    ['has an unknown event', inserted(2, { type: 'ping' }), 'ping is unknown'],
    ['does not rise in its numbers', changed(5, { sequence_number: 3 }), 'does not rise'],
    ['has no number', changed(5, { sequence_number: undefined }), 'sequence_number is missing'],
    ['skips an index', changed(8, { output_index: 5 }), 'output_index 5, expected 1'],
    [
      'gives two items one id',
      changed(15, { item: { ...call, id: 'rs_1', status: 'in_progress', arguments: '' } }),
      'comes again',
    ],
    [
      'begins an item with its text',
      changed(15, { item: { ...call, status: 'in_progress' } }),
      'begins with its content',
    ],
    ['sends text for no item', changed(10, { item_id: 'msg_9' }), 'names no item'],
    ['sends text before its part', without(9), 'has not begun'],
    [
      'sends text of another kind',
      changed(10, { type: 'response.refusal.delta', logprobs: undefined }),
      'in a part of type output_text',
    ],
    ['sends text behind its end', swapped(11, 12), "behind the text's end"],
    ['lets the end say other words', changed(12, { text: 'abc' }), 'another text than was streamed'],
    ['leaves a part open', without(13), 'before its parts'],
    ['leaves out that the text is done', without(12), 'before its text is done'],
    ['leaves an item open', without(18), 'is not done'],
    [
      'ends an item with other words',
      changed(14, { item: { ...message, content: [{ type: 'output_text', text: 'x', annotations: [] }] } }),
      'other content than was streamed',
    ],
    ['ends an item twice', inserted(19, events[18] ?? {}), 'done twice'],
    ['changes a name', changed(17, { name: 'g' }), 'another name'],
    ['leaves out a delta', without(16), 'another text than was streamed'],
    [
      'forgets an item in the end',
      changed(19, { response: { ...head, status: 'completed', output: [message, call], usage } }),
      'not what was streamed',
    ],
    [
      'adds up wrongly',
      changed(19, {
        response: {
          ...head,
          status: 'completed',
          output: [reasoning, message, call],
          usage: { ...usage, total_tokens: 9 },
        },
      }),
      'total_tokens',
    ],
    [
      'ends under another status',
      changed(19, {
        response: {
          ...head,
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [reasoning, message, call],
          usage,
        },
      }),
      'has status incomplete',
    ],
    [
      'changes the id of the response',
      changed(19, {
        response: { ...head, id: 'resp_2', status: 'completed', output: [reasoning, message, call], usage },
      }),
      'changes its id',
    ],
    [
      'leaves out what the SDK demands',
      changed(19, {
        response: { ...head, tools: undefined, status: 'completed', output: [reasoning, message, call], usage },
      }),
      'tools is missing',
    ],
    ['has members nobody knows', changed(10, { text: 'a' }), 'is not documented'],
    ['forgets what was said in a keep-alive', inserted(16, events[1] ?? {}), 'has an output of 0 items'],
  ])('that %s is not', (_name, broken, problem) => {
    expect(validateResponsesStream(broken).join('\n')).toContain(problem)
  })
})

describe('a body', () => {
  const body = { ...head, status: 'completed', output: [reasoning, message, call], usage }
  it('as documented is valid', () => expect(validateResponsesBody(body)).toEqual([]))
  it.each([
    [{ status: 'in_progress' }, 'is no end'],
    [{ status: 'incomplete' }, 'incomplete_details'],
    [{ status: 'failed' }, 'error does not fit'],
    [{ output: [message, message] }, 'one id'],
    [{ output: [{ ...message, status: 'in_progress' }] }, 'status'],
    [{ id: 'chatcmpl-1' }, 'response.id'],
    [{ usage: { ...usage, input_tokens_details: undefined } }, 'input_tokens_details'],
  ])('with %j is not', (members, problem) =>
    expect(validateResponsesBody({ ...body, ...members }).join('\n')).toContain(problem),
  )
})

describe('a request', () => {
  const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }
  it.each([
    [{ input: 'x' }],
    [
      {
        input: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y' },
        ],
      },
    ],
    [
      {
        input: [
          user,
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: [] },
        ],
      },
    ],
    [
      {
        input: [user],
        tools: [{ type: 'function', name: 'f', parameters: {}, strict: false }],
        tool_choice: { type: 'function', name: 'f' },
        include: ['reasoning.encrypted_content'],
      },
    ],
  ])('%j is valid', (body) => expect(validateResponsesRequest({ model: 'm', ...body })).toEqual([]))
  it.each([
    [{ input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, 'must be one of input_text'],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, 'no call found'],
    [{ input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{' }] }, 'no JSON'],
    [
      {
        input: [
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        ],
      },
      'two calls',
    ],
    [{ input: [{ role: 'tool', content: 'x' }] }, 'role'],
    [{ input: [{ type: 'reasoning', id: 'rs_1' }] }, 'summary is missing'],
    [{ max_tokens: 5 }, 'max_tokens is not documented'],
    [{ max_output_tokens: 5 }, 'a number from 16'],
    [{ stop: ['x'] }, 'stop is not documented'],
    [{ tools: [{ type: 'function', function: { name: 'f' } }] }, 'name is missing'],
    [{ tool_choice: 'required' }, 'tool_choice without tools'],
    [{ tools: [{ type: 'function', name: 'a b', parameters: {}, strict: null }] }, 'name must be'],
    [{ user: 'x'.repeat(65) }, 'user must be'],
    [{ reasoning: { effort: 'much' } }, 'effort'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'data:a/b;base64,AA==' }] }] },
      'filename is missing',
    ],
  ])('%j is not', (body, problem) =>
    expect(validateResponsesRequest({ model: 'm', ...body }).join('\n')).toContain(problem),
  )
})
