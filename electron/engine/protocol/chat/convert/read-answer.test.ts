import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import type { JsonObject } from '../../values.ts'
import { chatConversion } from './index.ts'
import { chunk, folded, heard, heardBody, sse } from './testing/exchange.ts'

const counts = {
  prompt_tokens: 50,
  completion_tokens: 9,
  total_tokens: 59,
  prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 4 },
}
const usage = { input: 50, cachedInput: 40, cacheWrite: 5, output: 9, reasoning: 4 }
const role = chunk({ role: 'assistant', content: '' })
const call = (members: JsonObject): JsonObject => chunk({ tool_calls: [members] })
const usageChunk = { ...chunk({}), choices: [], usage: counts }
const foldedStream = (...chunks: (JsonObject | string)[]) => folded(heard(sse(...chunks)).events)

describe('a stream', () => {
  it('becomes events as they come: thinking, text, calls, the finish with its usage', () => {
    const { events, dropped } = heard(
      sse(
        role,
        chunk({ reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'see.' }),
        chunk({ content: 'I ' }),
        chunk({ content: 'look.' }),
        call({ index: 0, id: 'call_a', type: 'function', function: { name: 'read', arguments: '' } }),
        call({ index: 0, function: { arguments: '{"p":' } }),
        call({ index: 1, id: 'call_b', type: 'custom', custom: { name: 'sh', input: 'l' } }),
        call({ index: 0, function: { arguments: '1}' } }),
        call({ index: 1, custom: { input: 's' } }),
        chunk({}, 'tool_calls'),
        usageChunk,
        '[DONE]',
      ),
    )
    expect(events).toEqual<AnswerEvent[]>([
      { type: 'start', model: 'glm-5', usage: null },
      { type: 'begin', block: 0, part: { kind: 'thinking' } },
      { type: 'delta', block: 0, text: 'Let me ' },
      { type: 'delta', block: 0, text: 'see.' },
      { type: 'seal', block: 0, seal: { of: 'chat', data: 'reasoning_content' } },
      { type: 'end', block: 0 },
      { type: 'begin', block: 1, part: { kind: 'text' } },
      { type: 'delta', block: 1, text: 'I ' },
      { type: 'delta', block: 1, text: 'look.' },
      { type: 'end', block: 1 },
      { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'call_a', name: 'read', custom: false } },
      { type: 'delta', block: 2, text: '{"p":' },
      { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'call_b', name: 'sh', custom: true } },
      { type: 'delta', block: 3, text: 'l' },
      { type: 'delta', block: 2, text: '1}' },
      { type: 'delta', block: 3, text: 's' },
      { type: 'end', block: 2 },
      { type: 'end', block: 3 },
      { type: 'finish', reason: 'tool-calls', stopSequence: null, usage },
    ])
    expect(dropped).toEqual([])
  })

  it.each<[string, (JsonObject | string)[], JsonObject]>([
    [
      'usage in the finish chunk',
      [role, chunk({ content: 'Hi' }), chunk({}, 'stop', { usage: counts }), '[DONE]'],
      { text: 'Hi', end: { reason: 'stop', usage } },
    ],
    [
      'usage of a choice (Moonshot)',
      [role, { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: counts }] }],
      { end: { reason: 'stop', usage } },
    ],
    [
      'no usage at all',
      [role, chunk({ content: 'Hi' }, 'stop'), '[DONE]'],
      { text: 'Hi', end: { reason: 'stop', usage: null } },
    ],
    [
      'no [DONE]',
      [role, chunk({ content: 'Hi' }), chunk({}, 'length')],
      { text: 'Hi', end: { reason: 'length', usage: null } },
    ],
    [
      'a chunk of Azure before the answer',
      [
        { id: '', model: '', choices: [], prompt_filter_results: [] },
        role,
        chunk({ content: 'Hi' }),
        chunk({}, 'stop'),
        '[DONE]',
      ],
      { text: 'Hi', end: { reason: 'stop', usage: null } },
    ],
    [
      'nulls and empty deltas',
      [
        chunk({ role: 'assistant', content: null, tool_calls: null, reasoning_content: null }),
        chunk({ content: '' }),
        chunk({ content: 'Hi', tool_calls: [] }),
        chunk({}, 'stop'),
        '[DONE]',
      ],
      { text: 'Hi', thinking: '', end: { reason: 'stop', usage: null } },
    ],
    [
      'reasoning (OpenRouter)',
      [role, chunk({ reasoning: 'Hm' }), chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]'],
      { thinking: 'Hm', text: 'Hi', seals: [{ of: 'chat', data: 'reasoning' }] },
    ],
    [
      'thinking parts (Mistral)',
      [
        role,
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hi' }] }),
        chunk({}, 'stop'),
      ],
      { thinking: 'Hm', text: 'Hi', seals: [{ of: 'chat', data: 'content' }] },
    ],
    [
      'reasoning parts (Databricks)',
      [
        role,
        chunk({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm', signature: '' }] }] }),
        chunk({ content: 'Hi' }),
        chunk({}, 'stop'),
      ],
      { thinking: 'Hm', text: 'Hi', seals: [] },
    ],
    [
      'thoughts between tags (Google)',
      [
        role,
        chunk({ content: '<thought>Hm', extra_content: { google: { thought: true } } }),
        chunk({ content: '</thought>Hi' }),
        chunk({}, 'stop'),
      ],
      { thinking: 'Hm', text: 'Hi', seals: [] },
    ],
    [
      'reasoning_text (GitHub Copilot)',
      [role, chunk({ reasoning_text: 'Hm', content: null }), chunk({ content: 'Hi' }), chunk({}, 'stop')],
      { thinking: 'Hm', text: 'Hi', seals: [{ of: 'chat', data: 'reasoning_text' }] },
    ],
    [
      'a refusal',
      [role, chunk({ refusal: 'No ' }), chunk({ refusal: 'way' }), chunk({}, 'stop'), '[DONE]'],
      { refusal: 'No way', end: { reason: 'refusal', usage: null } },
    ],
    [
      'stop with a call',
      [role, call({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }), chunk({}, 'stop'), '[DONE]'],
      { end: { reason: 'tool-calls', usage: null } },
    ],
    [
      'calls and [DONE] without a finish',
      [role, call({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }), '[DONE]'],
      { end: { reason: 'tool-calls', usage: null } },
    ],
    [
      'a stop sequence (vLLM)',
      [
        role,
        { ...chunk({}), choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop', stop_reason: 'END' }] },
        '[DONE]',
      ],
      { end: { reason: 'stop-sequence', usage: null } },
    ],
    [
      'a stop sequence (SGLang)',
      [role, { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop', matched_stop: 'END' }] }],
      { end: { reason: 'stop-sequence', usage: null } },
    ],
    [
      'a token that stopped it (SGLang)',
      [role, { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop', matched_stop: 163586 }] }],
      { end: { reason: 'stop', usage: null } },
    ],
    [
      'a legacy function call',
      [
        role,
        chunk({ function_call: { name: 'f', arguments: '{"a"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
        chunk({}, 'function_call'),
        '[DONE]',
      ],
      {
        calls: [{ id: 'call_new0', name: 'f', custom: false, text: '{"a":1}', seal: null }],
        end: { reason: 'tool-calls', usage: null },
      },
    ],
    [
      'text behind calls',
      [
        role,
        call({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }),
        chunk({ content: 'Done' }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ],
      { text: 'Done', calls: [{ id: 'c', name: 'f', custom: false, text: '{}', seal: null }] },
    ],
  ])('is understood with %s', (_, chunks, expected) => {
    const out = foldedStream(...chunks)
    expect(out).toMatchObject(expected)
    expect(out.problems).toEqual([])
  })

  it.each<[string, JsonObject[], [string, string, string][]]>([
    [
      'neither id nor index',
      [
        call({ function: { name: 'a', arguments: '{"x"' } }),
        call({ function: { arguments: ':1}' } }),
        call({ function: { name: 'b', arguments: '{}' } }),
      ],
      [
        ['call_new0', 'a', '{"x":1}'],
        ['call_new1', 'b', '{}'],
      ],
    ],
    [
      'ids without index',
      [
        call({ id: 'c1', function: { name: 'a', arguments: '{' } }),
        call({ id: 'c1', function: { arguments: '}' } }),
        call({ id: 'c2', function: { name: 'a', arguments: '{}' } }),
      ],
      [
        ['c1', 'a', '{}'],
        ['c2', 'a', '{}'],
      ],
    ],
    [
      'one index for all',
      [
        call({ index: 0, id: 'c1', function: { name: 'a', arguments: '{}' } }),
        call({ index: 0, id: 'c2', function: { name: 'b', arguments: '{}' } }),
      ],
      [
        ['c1', 'a', '{}'],
        ['c2', 'b', '{}'],
      ],
    ],
    [
      'one index for all, and no ids',
      [
        call({ index: 0, function: { name: 'a', arguments: '{"x":1}' } }),
        call({ index: 0, function: { name: 'a', arguments: '{"y"' } }),
        call({ index: 0, function: { name: 'a', arguments: ':2}' } }),
        call({ index: 0, function: { name: 'a', arguments: '' } }),
        call({ index: 0, function: { name: 'b', arguments: '' } }),
        call({ index: 0, function: { arguments: '{}' } }),
      ],
      [
        ['call_new0', 'a', '{"x":1}'],
        ['call_new1', 'a', '{"y":2}'],
        ['call_new2', 'b', '{}'],
      ],
    ],
    [
      'one index for all, and an id of the first alone',
      [
        call({ index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } }),
        call({ index: 0, function: { name: 'b', arguments: '{"y":2}' } }),
      ],
      [
        ['c1', 'a', '{"x":1}'],
        ['call_new0', 'b', '{"y":2}'],
      ],
    ],
    [
      'the id and name in every piece',
      [
        call({ index: 0, id: 'c1', function: { name: 'a', arguments: '{' } }),
        call({ index: 0, id: 'c1', function: { name: 'a', arguments: '}' } }),
      ],
      [['c1', 'a', '{}']],
    ],
    [
      'the name after the first piece',
      [
        call({ index: 0, id: 'c1' }),
        call({ index: 0, function: { arguments: '{' } }),
        call({ index: 0, function: { name: 'a', arguments: '}' } }),
      ],
      [['c1', 'a', '{}']],
    ],
    [
      'one entry instead of a list (TGI)',
      [
        chunk({ tool_calls: { index: 0, id: '0', type: 'function', function: { name: 'a', arguments: '{"x"' } } }),
        chunk({ tool_calls: { index: 0, id: '0', type: 'function', function: { name: null, arguments: ':1}' } } }),
      ],
      [['0', 'a', '{"x":1}']],
    ],
    [
      'an object as arguments',
      [call({ index: 0, id: 'c1', function: { name: 'a', arguments: { x: 1 } } })],
      [['c1', 'a', '{"x":1}']],
    ],
  ])('tells calls apart that come with %s', (_, chunks, expected) => {
    const out = foldedStream(role, ...chunks, chunk({}, 'tool_calls'), '[DONE]')
    expect(out.calls.map(({ id, name, text }) => [id, name, text])).toEqual(expected)
    expect(out.problems).toEqual([])
  })

  it.each<[string, (JsonObject | string)[], string]>([
    ['ends in the middle', [role, chunk({ content: 'Hi' })], 'upstream-broke-off'],
    ['says [DONE] without a reason', [role, chunk({ content: 'Hi' }), '[DONE]'], 'upstream-broke-off'],
    ['is empty', [], 'upstream-broke-off'],
    ['reports an error', [role, { error: { message: 'Too busy', code: 503 } }], '503'],
    [
      'reports an error in its choice',
      [
        role,
        {
          ...chunk({}),
          choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message: 'x', code: 'gone' } }],
        },
      ],
      'gone',
    ],
    [
      'reports an error without “error” (older vLLM)',
      [role, { object: 'error', message: 'Too long', type: 'BadRequestError', code: 400 }, '[DONE]'],
      '400',
    ],
    [
      'reports a status (MiniMax)',
      [role, { ...chunk({}), choices: [], base_resp: { status_code: 1008, status_msg: 'No balance' } }],
      '1008',
    ],
    ['ends with “error”', [role, chunk({}, 'network_error'), '[DONE]'], 'provider-error'],
    ['holds no JSON', [role, '<html>'], 'bad-answer'],
  ])('is an error when it %s', (_, chunks, code) => {
    const out = foldedStream(...chunks)
    expect(out.end).toEqual({ code })
    expect(out.problems).toEqual([])
  })

  it('is an error when an event is named so', () => {
    const out = folded(
      heard(`${sse(role)}event: error\ndata: {"code":"overloaded","message":"Come back later."}\n\n`).events,
    )
    expect(out.end).toEqual({ code: 'overloaded' })
  })

  it('records what it has no place for', () => {
    const { dropped } = heard(
      sse(
        { ...role, service_tier: 'flex', system_fingerprint: 'fp' },
        { ...chunk({}), choices: [{ index: 1, delta: { content: 'B' }, finish_reason: null }] },
        {
          ...chunk({ content: 'A' }),
          choices: [
            {
              index: 0,
              delta: { content: 'A', annotations: [{ type: 'file', file: {} }] },
              logprobs: { content: [] },
              finish_reason: null,
            },
          ],
        },
        chunk({}, 'strange'),
        '[DONE]',
      ),
    )
    expect([...new Set(dropped)].sort()).toEqual([
      'choices[1..]',
      'choices[].message.annotations[].file',
      'finish_reason',
      'logprobs',
      'service_tier',
      'system_fingerprint',
    ])
  })

  it('records a signature that stands on the message, and no mark of a thought', () => {
    const marked = (google: JsonObject) => chunk({ content: '<thought>Hm</thought>Hi', extra_content: { google } })
    expect(heard(sse(marked({ thought: true }), chunk({}, 'stop'))).dropped).toEqual([])
    const { dropped } = heard(sse(marked({ thought: true, thought_signature: 's' }), chunk({}, 'stop')))
    expect(dropped).toEqual(['choices[].message.extra_content'])
  })

  it('takes an error behind the reason for no failure, and records it', () => {
    const { events, dropped } = heard(
      sse(role, chunk({ content: 'Hi' }, 'length'), { ...chunk({}), error: { code: 400, message: 'Limit' } }, '[DONE]'),
    )
    expect(folded(events)).toMatchObject({ text: 'Hi', end: { reason: 'length' }, problems: [] })
    expect(dropped).toEqual(['error'])
  })

  describe('closed by [DONE] without a reason', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
    const counted = { id: 'a', choices: [], usage }
    const calling = (args: string) =>
      chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: args } }] })
    const broken = { code: 'upstream-broke-off' }
    it.each<[string, Parameters<typeof foldedStream>, object]>([
      ['a whole text and its usage is a stop', [role, chunk({ content: 'A' }), counted, '[DONE]'], { reason: 'stop' }],
      ['a whole call is one', [role, calling('{"a":1}'), '[DONE]'], { reason: 'tool-calls' }],
      ['half a call broke off', [role, calling('{"a":'), counted, '[DONE]'], broken],
      ['half a call behind a text too', [chunk({ content: 'A' }), calling('{"a":'), counted, '[DONE]'], broken],
      ['a text without usage broke off', [role, chunk({ content: 'A' }), '[DONE]'], broken],
      ['nothing said is no answer', [role, counted, '[DONE]'], broken],
      ['thoughts alone are none either', [role, chunk({ reasoning_content: 'A' }), counted, '[DONE]'], broken],
      ['without [DONE] a text and its usage broke off', [role, chunk({ content: 'A' }), counted], broken],
    ])('%s', (_, said, end) => {
      expect(foldedStream(...said).end).toMatchObject(end)
    })
  })

  it('takes an unknown reason for no stop', () => {
    expect(foldedStream(role, chunk({ content: 'A' }), chunk({}, 'strange'), '[DONE]').end).toEqual({
      reason: 'incomplete',
      usage: null,
    })
  })
})

describe('one answer in several choices (GitHub Copilot)', () => {
  const tool_calls = [{ id: 'c1', function: { name: 'a', arguments: '{}' } }]
  const other = { index: 0, delta: { content: null, tool_calls }, finish_reason: 'tool_calls' }

  it('is read together in a chunk', () => {
    const out = foldedStream(
      role,
      { ...chunk({}), choices: [{ index: 0, delta: { content: 'I look.' } }, other] },
      '[DONE]',
    )
    expect(out).toMatchObject({ text: 'I look.', end: { reason: 'tool-calls' }, problems: [] })
    expect(out.calls.map(({ id, text }) => [id, text])).toEqual([['c1', '{}']])
  })

  it('is read together in a body without indices', () => {
    const first = { message: { role: 'assistant', content: 'I look.' }, finish_reason: 'tool_calls' }
    const { events, dropped } = heardBody({
      id: 'x',
      choices: [first, { message: { role: 'assistant', tool_calls }, finish_reason: 'tool_calls' }],
    })
    const out = folded(events)
    expect(out).toMatchObject({ text: 'I look.', end: { reason: 'tool-calls' }, problems: [] })
    expect(out.calls.map(({ id, name }) => [id, name])).toEqual([['c1', 'a']])
    expect(dropped).toEqual([])
  })

  it('is not what two texts are', () => {
    const says = (content: string) => ({ message: { role: 'assistant', content }, finish_reason: 'stop' })
    const { events, dropped } = heardBody({ id: 'x', choices: [says('Heads'), says('Tails')] })
    expect(folded(events)).toMatchObject({ text: 'Heads', end: { reason: 'stop' } })
    expect(dropped).toEqual(['choices[1..]'])
  })
})

describe('a whole answer', () => {
  const answer = (message: JsonObject, finish: string | null = 'stop'): JsonObject => ({
    id: 'c7',
    object: 'chat.completion',
    model: 'glm-5',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: counts,
  })

  it('is the same events', () => {
    const { events } = heardBody(
      answer(
        {
          content: 'Hi',
          reasoning: 'Hm',
          tool_calls: [{ function: { name: 'a', arguments: '{}' } }, { function: { name: 'a', arguments: '{"b":2}' } }],
        },
        'tool_calls',
      ),
    )
    const out = folded(events)
    expect(out).toMatchObject({ text: 'Hi', thinking: 'Hm', end: { reason: 'tool-calls', usage }, problems: [] })
    expect(out.calls.map(({ id, text }) => [id, text])).toEqual([
      ['call_new0', '{}'],
      ['call_new1', '{"b":2}'],
    ])
  })

  it.each<[string, JsonObject, string]>([
    ['an error', { error: { message: 'no', code: 'quota' } }, 'quota'],
    ['a status', { id: 'x', choices: null, base_resp: { status_code: 1004, status_msg: 'Wrong key' } }, '1004'],
    ['no choice', { id: 'x', choices: [] }, 'bad-answer'],
    ['no reason and no text', answer({ content: '' }, null), 'upstream-broke-off'],
  ])('with %s is an error', (_, body, code) => {
    expect(folded(heardBody(body).events).end).toEqual({ code })
  })
})

describe('readError', () => {
  it.each<[JsonObject, string | null, string | null]>([
    [
      { error: { message: 'Wrong key', type: 'invalid_request_error', param: null, code: 'invalid_api_key' } },
      'invalid_api_key',
      'Wrong key',
    ],
    [{ error: 'model not found' }, 'provider-error', 'model not found'],
    [{ object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }, '400', 'too long'],
    [{ detail: 'Not Found' }, null, 'Not Found'],
    [{}, null, null],
  ])('reads %j', (body, code, message) => {
    expect(chatConversion.readError(body)).toEqual({ code, message })
  })
})
