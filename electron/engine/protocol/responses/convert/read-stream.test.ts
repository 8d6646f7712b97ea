import { describe, expect, it } from 'vitest'
import { framesIn } from '../../answer/sse-frames.ts'
import type { JsonObject } from '../../values.ts'
import { responsesConversion } from './index.ts'
import { readWhole, readWire, wireOf } from './testing/answers.ts'

const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-x', status: 'in_progress', output: [] },
}
const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 15,
}
const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], usage } }
const added = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.done', output_index, item })
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'one' },
    { type: 'summary_text', text: 'two' },
  ],
  encrypted_content: 'enc',
}
const message = (...content: JsonObject[]) => ({ type: 'message', id: 'msg_1', role: 'assistant', content })
const said = (text: string) => ({ type: 'output_text', text, annotations: [] })
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read',
  namespace: 'fs',
  arguments: '{"a":1}',
}
const patch = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'apply_patch', input: '*** x' }

const whole = [
  created,
  { ...created, type: 'response.in_progress' },
  added(0, { ...reasoning, summary: [], encrypted_content: '' }),
  {
    type: 'response.reasoning_summary_part.added',
    output_index: 0,
    item_id: 'rs_1',
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, item_id: 'rs_1', summary_index: 0, delta: 'one' },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, item_id: 'rs_1', summary_index: 1, delta: 'two' },
  done(0, reasoning),
  added(1, message()),
  { type: 'response.content_part.added', output_index: 1, item_id: 'msg_1', content_index: 0, part: said('') },
  { type: 'response.output_text.delta', output_index: 1, item_id: 'msg_1', content_index: 0, delta: 'Hel' },
  { type: 'response.output_text.delta', output_index: 1, item_id: 'msg_1', content_index: 0, delta: '' },
  { type: 'response.output_text.delta', output_index: 1, item_id: 'msg_1', content_index: 0, delta: 'lo' },
  done(1, message(said('Hello'))),
  added(2, { ...call, arguments: '' }),
  added(3, { ...patch, input: '' }),
  { type: 'response.function_call_arguments.delta', output_index: 2, item_id: 'fc_1', delta: '{"a"' },
  { type: 'response.custom_tool_call_input.delta', output_index: 3, item_id: 'ctc_1', delta: '*** x' },
  { type: 'response.function_call_arguments.delta', output_index: 2, item_id: 'fc_1', delta: ':1}' },
  done(2, call),
  done(3, patch),
  completed,
]
const blocks = [
  {
    part: { kind: 'thinking' },
    text: 'one\n\ntwo',
    seal: { of: 'responses', data: 'enc', id: 'rs_1', text: 'one\n\ntwo' },
  },
  { part: { kind: 'text' }, text: 'Hello', seal: null },
  {
    part: { kind: 'tool-call', id: 'call_1', name: 'read', namespace: 'fs', custom: false },
    text: '{"a":1}',
    seal: null,
  },
  { part: { kind: 'tool-call', id: 'call_2', name: 'apply_patch', custom: true }, text: '*** x', seal: null },
]
const counted = { input: 10, cachedInput: 4, cacheWrite: 2, output: 5, reasoning: 3 }

describe('a stream', () => {
  it('becomes blocks with their seals, one call after the other', () => {
    expect(readWire(wireOf(whole)).folded).toEqual({
      blocks,
      reason: 'tool-calls',
      usage: counted,
      error: null,
      dropped: [],
    })
  })

  it('gives each piece on at once', () => {
    const { events } = readWire(wireOf(whole))
    expect(events.filter((event) => event.type === 'delta').map((event) => event.text)).toEqual([
      'one',
      '\n\n',
      'two',
      'Hel',
      'lo',
      '{"a"',
      ':1}',
      '*** x',
    ])
  })

  it('says the same as the whole body', () => {
    const body = {
      id: 'resp_1',
      status: 'completed',
      model: 'gpt-x',
      output: [reasoning, message(said('Hello')), call, patch],
      usage,
    }
    expect(readWhole(body)).toEqual({
      blocks,
      reason: 'tool-calls',
      usage: counted,
      error: null,
      dropped: [],
    })
  })

  it.each([
    ['whole items without deltas', [created, done(0, message(said('Hi'))), done(1, call), completed]],
    [
      'items in the last event only',
      [created, { ...completed, response: { status: 'completed', output: [message(said('Hi')), call] } }],
    ],
    [
      'deltas without their items',
      [
        { type: 'response.output_text.delta', item_id: 'm', delta: 'Hi' },
        { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{' },
        { type: 'response.output_item.done', item: call },
        completed,
      ],
    ],
    [
      'less in deltas than in the end',
      [
        created,
        added(0, message()),
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'H' },
        done(0, message(said('Hi'))),
        done(1, { ...call, arguments: { a: 1 } }),
        completed,
      ],
    ],
    [
      'no end of its items',
      [
        created,
        { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
        added(1, call),
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a":1}' },
        completed,
      ],
    ],
  ])('is read leniently: %s', (_name, events) => {
    const { blocks: read, reason } = readWire(wireOf(events)).folded
    expect(read.map(({ part, text }) => [part.kind, text])).toEqual([
      ['text', 'Hi'],
      ['tool-call', '{"a":1}'],
    ])
    expect(reason).toBe('tool-calls')
  })

  it('reads the thoughts of open models, and reasoning without a word', () => {
    const open = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'thought' }] }
    const { blocks: read } = readWire(
      wireOf([
        created,
        added(0, open),
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'thou' },
        done(0, open),
        done(1, { ...reasoning, summary: [] }),
        done(2, { type: 'reasoning', summary: [] }),
        completed,
      ]),
    ).folded
    expect(read).toEqual([
      { part: { kind: 'thinking' }, text: 'thought', seal: null },
      { part: { kind: 'thinking' }, text: '', seal: { of: 'responses', data: 'enc', id: 'rs_1' } },
    ])
  })

  it('records what has no place', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const cited = {
      ...said('x'),
      annotations: [{ type: 'file_path', file_id: 'f', index: 0 }],
      logprobs: [{ token: 'x' }],
    }
    const { folded } = readWire(
      wireOf([created, added(0, search), done(0, search), done(1, message(cited)), completed]),
    )
    expect(folded).toMatchObject({
      reason: 'stop',
      dropped: ['output[].web_search_call', 'logprobs', 'output[].content[].annotations[].file_path'],
    })
  })

  it.each([
    ['stop', completed],
    [
      'length',
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    ],
    ['content-filter', { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } }],
    ['incomplete', { type: 'response.incomplete', response: {} }],
  ])('ends in %s', (reason, end) => {
    expect(readWire(wireOf([created, done(0, message(said('x'))), end])).folded.reason).toBe(reason)
  })

  it('tells a refusal', () => {
    const refused = message({ type: 'refusal', refusal: 'no' })
    const { folded } = readWire(
      wireOf([
        created,
        { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'n' },
        done(0, refused),
        completed,
      ]),
    )
    expect(folded).toMatchObject({ reason: 'refusal', blocks: [{ part: { kind: 'refusal' }, text: 'no' }] })
  })

  it.each([
    ['upstream-broke-off', wireOf([created, { type: 'response.output_text.delta', output_index: 0, delta: 'x' }])],
    ['upstream-broke-off', ''],
    [
      'context_length_exceeded',
      wireOf([
        created,
        {
          type: 'response.failed',
          response: { status: 'failed', error: { code: 'context_length_exceeded', message: 'long' } },
        },
      ]),
    ],
    ['rate_limit_exceeded', wireOf([{ type: 'error', code: 'rate_limit_exceeded', message: 'slow' }])],
    ['server_error', wireOf([created, { type: 'error', error: { type: 'server_error', message: 'x' } }, completed])],
    [
      'upstream-unreadable',
      `${wireOf([created])}event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta\n\n`,
    ],
  ])('that fails is the error %s, never a stop', (code, wire) => {
    expect(readWire(wire).folded).toMatchObject({ error: code, reason: null })
  })

  it('ignores what follows its end, and marks of other protocols', () => {
    expect(readWire(`data: [DONE]\n\n${wireOf([created, completed, created])}data: [DONE]\n\n`).folded.reason).toBe(
      'stop',
    )
  })
})

describe('a whole body', () => {
  it.each([
    ['server_error', { status: 'failed', error: { code: 'server_error', message: 'm' } }],
    ['provider-error', { status: 'cancelled' }],
    ['upstream-broke-off', { status: 'in_progress' }],
  ])('that failed is the error %s', (code, body) => expect(readWhole({ output: [], ...body }).error).toBe(code))
})

it.each([
  [{ error: { code: 'c', message: 'm', type: 't' } }, { code: 'c', message: 'm' }],
  [{ error: { code: null, message: 'm', type: 't' } }, { code: 't', message: 'm' }],
  [{ error: 'broken' }, { code: null, message: 'broken' }],
  [{ detail: 'not here' }, { code: null, message: 'not here' }],
  [
    { type: 'error', code: 429, message: 'm' },
    { code: '429', message: 'm' },
  ],
  [{}, { code: null, message: null }],
])('the error body %j', (body, expected) => expect(responsesConversion.readError(body)).toEqual(expected))

describe('pieces of arguments that can’t begin any', () => {
  const sealed = { type: 'response.function_call_arguments.delta', output_index: 0, delta: 'gAAAAABk9xQ2' }
  const begun = [added(0, { ...call, arguments: '' }), sealed, { ...sealed, delta: '{"no":' }]
  const whole = { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":1}' }
  const argumentsIn = (events: readonly JsonObject[]) => {
    const said: string[] = []
    const reader = responsesConversion.readStream({
      emit(event) {
        if (event.type === 'delta') said.push(event.text)
      },
      dropped: () => undefined,
      unshown: () => undefined,
      newId: (prefix) => prefix,
    })
    for (const frame of framesIn(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))))
      reader.event(frame)
    reader.end()
    return said
  }

  it.each([
    ['in the call’s end', [done(0, call)], ['{"a":1}']],
    ['in an event of their own', [whole], ['{"a":1}']],
    ['in both', [whole, done(0, call)], ['{"a":1}']],
    ['nowhere: half a call', [], ['{']],
  ])('wait for the arguments themselves: %s', (_, events, said) => {
    expect(argumentsIn([...begun, ...events, completed])).toEqual(said)
  })
})
