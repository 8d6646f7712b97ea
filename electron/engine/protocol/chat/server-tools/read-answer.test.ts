import { describe, expect, it } from 'vitest'
import { chat } from '../../../../../e2e/support/mock-upstream/chat.ts'
import type { AnswerPlan } from '../../../../../e2e/support/mock-upstream/types.ts'
import type { RoundSaid } from '../../server-tools/types.ts'
import type { JsonObject } from '../../values.ts'
import { chunk, sse } from '../convert/testing/exchange.ts'
import { readAnswer } from './read-answer.ts'
import { chatSays } from './filter.ts'

const names = new Set(['clock'])
const context = { n: 1, model: 'm', request: { stream: true, reasoning_effort: 'low' }, nowMs: 0 }
const ofStream = (stream: string): RoundSaid =>
  readAnswer({ contentType: 'text/event-stream', body: Buffer.from(stream) }, names)
const ofBody = (json: string): RoundSaid =>
  readAnswer({ contentType: 'application/json', body: Buffer.from(json) }, names)
const ofDeltas = (...deltas: JsonObject[]): RoundSaid => ofStream(sse(...deltas.map((delta) => chunk(delta)), '[DONE]'))
const itemOf = ({ items }: RoundSaid): unknown => JSON.parse(items.join(','))
const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } })

describe('a Chat answer', () => {
  const plan: AnswerPlan = {
    kind: 'answer',
    text: 'Look, 世界 👋',
    thinking: 'Hm.',
    piece: 3,
    toolCalls: [
      { name: 'read', id: 'a', input: { p: '“clock”' } },
      { name: 'clock', id: 'b', input: { at: 1 } },
      { name: 'clock', id: 'c', input: {} },
      { name: 'write', id: 'd', input: {} },
      { name: 'clock', id: 'e', input: {} },
    ],
  }
  const expected = {
    text: 'Look, 世界 👋',
    calls: ['a', 'd'],
    hidden: [
      {
        call: { id: 'b', name: 'clock', arguments: '{"at":1}' },
        json: JSON.stringify(call('b', 'clock', '{"at":1}')),
        callsBefore: 1,
      },
      {
        call: { id: 'c', name: 'clock', arguments: '{}' },
        json: JSON.stringify(call('c', 'clock', '{}')),
        callsBefore: 1,
      },
      {
        call: { id: 'e', name: 'clock', arguments: '{}' },
        json: JSON.stringify(call('e', 'clock', '{}')),
        callsBefore: 2,
      },
    ],
  }
  it.each([
    ['streamed', ofStream(chat.events(plan, context).join(''))],
    ['whole', ofBody(JSON.stringify(chat.json(plan, context)))],
  ])('is read with all of its calls and its thinking: %s', (_how, said) => {
    expect(said).toMatchObject(expected)
    expect(itemOf(said)).toEqual({
      role: 'assistant',
      content: 'Look, 世界 👋',
      reasoning_content: 'Hm.',
      tool_calls: [
        call('a', 'read', '{"p":"“clock”"}'),
        call('b', 'clock', '{"at":1}'),
        call('c', 'clock', '{}'),
        call('d', 'write', '{}'),
        call('e', 'clock', '{}'),
      ],
    })
  })

  it.each<[string, JsonObject[], unknown[]]>([
    [
      'pieces without an index',
      [
        { tool_calls: [{ id: 'a', function: { name: 'clock', arguments: '{"a"' } }] },
        { tool_calls: [{ function: { arguments: ':1}' } }] },
        { tool_calls: [{ id: 'b', function: { name: 'read', arguments: '{}' } }] },
      ],
      [call('a', 'clock', '{"a":1}'), call('b', 'read', '{}')],
    ],
    [
      'the same index for every call',
      [
        { tool_calls: [{ index: 0, ...call('a', 'clock', '{}') }] },
        { tool_calls: [{ index: 0, ...call('b', 'clock', '{}') }] },
      ],
      [call('a', 'clock', '{}'), call('b', 'clock', '{}')],
    ],
    [
      'names and ids that are repeated',
      [
        { tool_calls: [{ index: 0, ...call('a', 'clock', '{') }] },
        { tool_calls: [{ index: 0, ...call('a', 'clock', '}') }] },
      ],
      [call('a', 'clock', '{}')],
    ],
    [
      'arguments as an object, and no id',
      [{ tool_calls: [{ index: 0, function: { name: 'clock', arguments: { a: 1 } } }] }],
      [call('call_0', 'clock', '{"a":1}')],
    ],
    [
      'a call without a name',
      [
        {
          tool_calls: [
            { index: 0, id: 'x', function: { arguments: '{}' } },
            { index: 1, ...call('a', 'clock', '{}') },
          ],
        },
      ],
      [call('a', 'clock', '{}')],
    ],
    [
      'a signature on the call',
      [
        {
          tool_calls: [
            { index: 0, ...call('a', 'clock', '{}'), extra_content: { google: { thought_signature: 's' } } },
          ],
        },
      ],
      [{ ...call('a', 'clock', '{}'), extra_content: { google: { thought_signature: 's' } } }],
    ],
    [
      'a custom tool',
      [
        { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'clock', input: 'x' } }] },
        { tool_calls: [{ index: 0, custom: { input: 'y' } }] },
      ],
      [{ id: 'a', type: 'custom', custom: { name: 'clock', input: 'xy' } }],
    ],
  ])('of an odd server is read: %s', (_what, deltas, calls) => {
    const said = ofDeltas({ role: 'assistant', content: null }, ...deltas)
    expect(itemOf(said)).toEqual({ role: 'assistant', content: null, tool_calls: calls })
    expect(said.hidden.length + said.calls.length).toBe(calls.length)
  })

  it('keeps signed thinking in front of a call', () => {
    const detail = (more: object) => ({ type: 'reasoning.text', index: 0, ...more })
    expect(
      itemOf(
        ofDeltas(
          { reasoning: 'H', reasoning_details: [detail({ text: 'H' })] },
          { reasoning: 'm', reasoning_details: [detail({ text: 'm' })] },
          { reasoning_details: [detail({ signature: 'sig' })] },
          { tool_calls: [{ index: 0, ...call('a', 'clock', '{}') }] },
        ),
      ),
    ).toEqual({
      role: 'assistant',
      reasoning: 'Hm',
      reasoning_details: [detail({ text: 'Hm', signature: 'sig' })],
      tool_calls: [call('a', 'clock', '{}')],
    })
  })

  it.each([
    '',
    'nonsense',
    '{"choices":',
    '{"choices":[{"message":null}]}',
    '{"choices":[{"message":{"tool_calls":"odd"}}]}',
    '{"choices":[{"message":{"tool_calls":[null,1,{}]}}]}',
    '[]',
  ])('that is malformed gives what can be read: %s', (json) => {
    expect(ofBody(json)).toEqual({ items: [], text: '', hidden: [], calls: [] })
    expect(ofStream(`data: ${json}\n\n`)).toEqual({ items: [], text: '', hidden: [], calls: [] })
  })

  it('is read as far as it came', () => {
    expect(ofDeltas({ content: 'A' }, { tool_calls: [{ index: 0, ...call('a', 'clock', '{"a') }] })).toMatchObject({
      text: 'A',
      hidden: [{ call: { arguments: '{"a' } }],
    })
  })
})

describe('an answer of the model’s', () => {
  it.each([
    { content: 'x' },
    { content: ' a' },
    { content: '\n\\n' },
    { reasoning_content: 'x' },
    { reasoning: 'x' },
    { refusal: 'x' },
    { tool_calls: [{ index: 0, id: 'c' }] },
    { reasoning_details: [{ data: 'x' }] },
    { content: [{ type: 'text', text: 'x' }] },
    { function_call: { name: 'x' } },
  ])('says something: %j', (delta) => {
    expect(chatSays(Buffer.from(sse(chunk(delta))))).toBe(true)
  })
  it.each([
    sse(chunk({ role: 'assistant', content: '', refusal: null, tool_calls: [], reasoning_content: '' })),
    sse(chunk({ content: ' \n', reasoning_content: '\t' })),
    sse(chunk({}, 'stop')),
    sse('[DONE]'),
    ': x\n\n',
    sse({ choices: [], usage: { completion_tokens_details: { reasoning_tokens: 0 } } }),
    sse({ error: { message: '"content":"x"' } }),
  ])('says nothing: %s', (event) => {
    expect(chatSays(Buffer.from(event))).toBe(false)
  })
})
