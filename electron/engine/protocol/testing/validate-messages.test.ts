import { describe, expect, it } from 'vitest'
import { typedEvent, type TypedEvent } from '../sse/write.ts'
import { validateMessagesBody, validateMessagesRequest, validateMessagesStream } from './validate-messages.ts'

const usage = { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
}
const start: TypedEvent = { type: 'message_start', message }
const block = (index: number, content_block: object): TypedEvent => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, change: object): TypedEvent => ({ type: 'content_block_delta', index, delta: change })
const stop = (index: number): TypedEvent => ({ type: 'content_block_stop', index })
const ending = (stop_reason: string, stop_sequence: string | null = null): TypedEvent => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence },
  usage,
})
const over: TypedEvent = { type: 'message_stop' }
const thinking = [
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'hm' }),
  delta(0, { type: 'signature_delta', signature: 's' }),
  stop(0),
]
const text = (index: number) => [
  block(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text: 'hi' }),
  stop(index),
]
const call = (index: number, json = '{"a":1}', id = `toolu_${index}`) => [
  block(index, { type: 'tool_use', id, name: 'run', input: {} }),
  delta(index, { type: 'input_json_delta', partial_json: json }),
  stop(index),
]
const stream = (...events: TypedEvent[]): string => events.map(typedEvent).join('')

describe('a stream of Messages', () => {
  it.each<[string, string]>([
    [
      'thinking, text and calls',
      stream(start, { type: 'ping' }, ...thinking, ...text(1), ...call(2), ...call(3), ending('tool_use'), over),
    ],
    ['no content', stream(start, ending('end_turn'), over)],
    [
      'an error in the middle of a block',
      stream(start, ...text(0).slice(0, 2), { type: 'error', error: { type: 'api_error', message: 'gone' } }),
    ],
    ['a call cut off by the limit', stream(start, ...call(0, '{"a"'), ending('max_tokens'), over)],
    [
      'redacted thinking',
      stream(
        start,
        block(0, { type: 'redacted_thinking', data: 'x' }),
        stop(0),
        ...text(1),
        ending('stop_sequence', 'END'),
        over,
      ),
    ],
  ])('is right with %s', (_name, said) => expect(validateMessagesStream(said)).toEqual([]))

  it.each<[string, string, RegExp]>([
    ['no beginning', stream(...text(0), ending('end_turn'), over), /out of place/],
    ['two beginnings', stream(start, start, ending('end_turn'), over), /second beginning/],
    [
      'content at the beginning',
      stream({ ...start, message: { ...message, content: [{ type: 'text', text: 'x' }] } }, ending('end_turn'), over),
      /content: not empty/,
    ],
    [
      'a beginning without usage',
      stream({ ...start, message: { ...message, usage: null } }, ending('end_turn'), over),
      /no usage/,
    ],
    ['an index left out', stream(start, ...text(1), ending('end_turn'), over), /instead of 0/],
    [
      'two open blocks',
      stream(start, block(0, { type: 'text', text: '' }), ...text(1), ending('end_turn'), over),
      /still open/,
    ],
    [
      'a delta for a closed block',
      stream(start, ...text(0), delta(0, { type: 'text_delta', text: 'x' }), ending('end_turn'), over),
      /no block 0/,
    ],
    [
      'a delta of another kind',
      stream(
        start,
        block(0, { type: 'text', text: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'x' }),
        stop(0),
        ending('end_turn'),
        over,
      ),
      /thinking_delta in a block of text/,
    ],
    [
      'thinking without a signature',
      stream(start, ...thinking.filter((_, i) => i !== 2), ending('end_turn'), over),
      /without a signature/,
    ],
    [
      'thinking behind its signature',
      stream(
        start,
        ...thinking.slice(0, 3),
        delta(0, { type: 'thinking_delta', thinking: 'x' }),
        stop(0),
        ending('end_turn'),
        over,
      ),
      /behind the signature/,
    ],
    [
      'doubled input',
      stream(
        start,
        block(0, { type: 'tool_use', id: 't', name: 'run', input: { a: 1 } }),
        stop(0),
        ending('tool_use'),
        over,
      ),
      /said twice/,
    ],
    ['arguments that are no JSON', stream(start, ...call(0, '{"a"'), ending('tool_use'), over), /no JSON object/],
    [
      'the same call twice',
      stream(start, ...call(0, '{}', 't'), ...call(1, '{}', 't'), ending('tool_use'), over),
      /id t again/,
    ],
    [
      'an empty text',
      stream(start, block(0, { type: 'text', text: '' }), stop(0), ending('end_turn'), over),
      /empty text/,
    ],
    ['calls that end the turn', stream(start, ...call(0), ending('end_turn'), over), /end_turn though/],
    [
      'a stop sequence out of nowhere',
      stream(start, ...text(0), ending('end_turn', 'END'), over),
      /said with end_turn/,
    ],
    ['an unknown reason', stream(start, ...text(0), ending('stop'), over), /stop is none/],
    ['an open block at the end', stream(start, ...text(0).slice(0, 2), ending('end_turn'), over), /still open/],
    ['an end without a reason', stream(start, ...text(0), over), /without message_delta/],
    ['no end', stream(start, ...text(0), ending('end_turn')), /no end/],
    ['something behind the end', stream(start, ending('end_turn'), over, { type: 'ping' }), /behind the end/],
    ['an end like Chat', `${stream(start, ending('end_turn'), over)}data: [DONE]\n\n`, /not one event line/],
    [
      'a name that is not the type',
      stream(start, ending('end_turn')) + 'event: message_stop\ndata: {"type":"ping"}\n\n',
      /but of type ping/,
    ],
    ['half an event at the end', `${stream(start, ending('end_turn'), over)}event: ping`, /whole event/],
  ])('is wrong with %s', (_name, said, problem) => expect(validateMessagesStream(said).join('\n')).toMatch(problem))
})

describe('a whole answer', () => {
  const whole = { ...message, content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' }
  it('is right', () => expect(validateMessagesBody(whole)).toEqual([]))
  it.each<[string, object, RegExp]>([
    ['an empty text', { content: [{ type: 'text', text: '' }] }, /text: no text/],
    ['no reason', { stop_reason: null }, /stop_reason/],
    [
      'a call without an id',
      { content: [{ type: 'tool_use', name: 'run', input: {} }], stop_reason: 'tool_use' },
      /id: no id/,
    ],
    [
      'arguments as a text',
      { content: [{ type: 'tool_use', id: 't', name: 'run', input: '{}' }], stop_reason: 'tool_use' },
      /input: no object/,
    ],
    ['thinking without a signature', { content: [{ type: 'thinking', thinking: 'x', signature: '' }] }, /signature/],
  ])('is wrong with %s', (_name, change, problem) =>
    expect(validateMessagesBody({ ...whole, ...change }).join('\n')).toMatch(problem),
  )
})

describe('a request', () => {
  const user = { role: 'user', content: 'hi' }
  const request = { model: 'm', max_tokens: 2000, messages: [user] }
  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'run', input: {} }] }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'done' }
  it('is right', () =>
    expect(
      validateMessagesRequest({
        ...request,
        messages: [user, called, { role: 'user', content: [result] }],
        thinking: { type: 'enabled', budget_tokens: 1024 },
      }),
    ).toEqual([]))
  it.each<[string, object, RegExp]>([
    ['no limit', { max_tokens: undefined }, /max_tokens/],
    ['a member of another protocol', { max_completion_tokens: 3 }, /no member/],
    ['a temperature above 1', { temperature: 1.5 }, /temperature/],
    ['a temperature beside thinking', { temperature: 0.5, thinking: { type: 'adaptive' } }, /not with thinking/],
    ['more to think than to say', { thinking: { type: 'enabled', budget_tokens: 2000 } }, /budget_tokens/],
    [
      'a forced tool beside thinking',
      {
        tools: [{ name: 'a', input_schema: { type: 'object' } }],
        tool_choice: { type: 'any' },
        thinking: { type: 'adaptive' },
      },
      /forced/,
    ],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, /without tools/],
    ['a schema that is no object', { tools: [{ name: 'a', input_schema: {} }] }, /input_schema/],
    ['the assistant first', { messages: [called] }, /user begins/],
    ['the user twice', { messages: [user, user] }, /twice in a row/],
    ['no result', { messages: [user, called, user] }, /no result of t1/],
    [
      'a result behind a text',
      { messages: [user, called, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }] },
      /not in front/,
    ],
    ['a result of nothing', { messages: [{ role: 'user', content: [result] }] }, /no call/],
    ['an empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }, /no text/],
    [
      'a strange image',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AA' } }],
          },
        ],
      },
      /media_type/,
    ],
    ['a json mode', { output_config: { format: { type: 'json_object' } } }, /no schema/],
  ])('is wrong with %s', (_name, change, problem) =>
    expect(validateMessagesRequest({ ...request, ...change }).join('\n')).toMatch(problem),
  )
})
