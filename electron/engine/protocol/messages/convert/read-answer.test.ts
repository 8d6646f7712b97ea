import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { typedEvent, type TypedEvent } from '../../sse/write.ts'
import { messagesConversion } from './index.ts'
import { folded, read } from './testing/asking.ts'

const counts = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 1 }
const start: TypedEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: counts,
  },
}
const block = (index: number, content_block: object): TypedEvent => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, change: object): TypedEvent => ({ type: 'content_block_delta', index, delta: change })
const stop = (index: number): TypedEvent => ({ type: 'content_block_stop', index })
const end = (stop_reason: string | null, more: object = {}): TypedEvent => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...more },
  usage: { output_tokens: 30, output_tokens_details: { thinking_tokens: 12 } },
})
const over: TypedEvent = { type: 'message_stop' }
const stream = (...events: TypedEvent[]): string => events.map(typedEvent).join('')
const text = (index: number, words: string) => [
  block(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text: words }),
  stop(index),
]
const usage = { input: 100, cachedInput: 85, cacheWrite: 5, output: 30, reasoning: 12 }
const finish = (reason: string, stopSequence: string | null = null) => ({ type: 'finish', reason, stopSequence, usage })
const call = (id: string, name = 'run') => ({ kind: 'tool-call', id, name, custom: false })

describe('a stream of Messages, read', () => {
  it('becomes events at once', () => {
    const said = stream(
      start,
      { type: 'ping' },
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      ...text(1, 'hi'),
      block(2, { type: 'tool_use', id: 'toolu_1', name: 'run', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      delta(2, { type: 'input_json_delta', partial_json: '{"a"' }),
      delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
      stop(2),
      end('tool_use'),
      over,
    )
    expect(read(said)).toEqual({
      dropped: [],
      events: [
        {
          type: 'start',
          model: 'claude-x',
          usage: { input: 100, cachedInput: 85, cacheWrite: 5, output: 1, reasoning: 0 },
        },
        { type: 'begin', block: 0, part: { kind: 'thinking' } },
        { type: 'delta', block: 0, text: 'hm' },
        { type: 'seal', block: 0, seal: { of: 'messages', data: 'sig' } },
        { type: 'end', block: 0 },
        { type: 'begin', block: 1, part: { kind: 'text' } },
        { type: 'delta', block: 1, text: 'hi' },
        { type: 'end', block: 1 },
        { type: 'begin', block: 2, part: call('toolu_1') },
        { type: 'delta', block: 2, text: '{"a"' },
        { type: 'delta', block: 2, text: ':1}' },
        { type: 'end', block: 2 },
        finish('tool-calls'),
      ] satisfies unknown[],
    })
  })

  it.each<[string, TypedEvent[], object]>([
    ['end_turn', [end('end_turn')], finish('stop')],
    [
      'end_turn behind a call',
      [block(0, { type: 'tool_use', id: 't', name: 'run', input: {} }), stop(0), end('end_turn')],
      finish('tool-calls'),
    ],
    ['a stop sequence', [end('stop_sequence', { stop_sequence: 'END' })], finish('stop-sequence', 'END')],
    ['max_tokens', [end('max_tokens')], finish('length')],
    ['a full context', [end('model_context_window_exceeded')], finish('length')],
    ['pause_turn', [end('pause_turn')], finish('pause-turn')],
    ['refusal', [end('refusal')], finish('refusal')],
    ['a reason nobody knows', [end('whatever')], finish('incomplete')],
    ['no reason', [end(null)], finish('incomplete')],
  ])('ends with %s', (_name, events, last) => expect(read(stream(start, ...events, over)).events.at(-1)).toEqual(last))

  it('has redacted thinking, and input that came whole, once', () => {
    const whole = block(1, { type: 'tool_use', id: 't', name: 'run', input: { a: 1 } })
    const redacted = [block(0, { type: 'redacted_thinking', data: 'enc' }), stop(0)]
    const expected = (json: string) => [
      { part: { kind: 'thinking' }, text: '', seal: { of: 'messages', data: 'enc', redacted: true } },
      { part: call('t'), text: json, seal: null },
      finish('tool-calls'),
    ]
    expect(folded(read(stream(start, ...redacted, whole, stop(1), end('tool_use'), over)).events).slice(1)).toEqual(
      expected('{"a":1}'),
    )
    expect(
      folded(
        read(
          stream(
            start,
            ...redacted,
            whole,
            delta(1, { type: 'input_json_delta', partial_json: '{"a":1}' }),
            stop(1),
            end('tool_use'),
            over,
          ),
        ).events,
      ).slice(1),
    ).toEqual(expected('{"a":1}'))
    expect(
      folded(
        read(
          stream(
            start,
            ...redacted,
            block(1, { type: 'tool_use', id: 't', name: 'run', input: {} }),
            stop(1),
            end('tool_use'),
            over,
          ),
        ).events,
      ).slice(1),
    ).toEqual(expected('{}'))
  })

  it('names what the vendor did itself, and goes on', () => {
    const own = [
      block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{}' }),
      stop(0),
      block(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      stop(1),
    ]
    const cited = [
      block(2, { type: 'text', text: '', citations: [] }),
      delta(2, { type: 'citations_delta', citation: {} }),
      delta(2, { type: 'text_delta', text: 'found' }),
      stop(2),
    ]
    const { events, dropped } = read(
      stream(start, ...own, ...cited, end('end_turn', { stop_details: { type: 'paused', more: 1 } }), over),
    )
    expect(folded(events).slice(1)).toEqual([{ part: { kind: 'text' }, text: 'found', seal: null }, finish('stop')])
    expect(dropped).toEqual(['web_search_tool_result', 'citations', 'server_tool_use', 'stop_details'])
  })

  it('is understood where a vendor leaves things out', () => {
    const events = [
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      block(1, { type: 'text', text: 'whole' }),
      block(2, { type: 'tool_use', name: 'run', input: null }),
      end('tool_use'),
      over,
    ]
    expect(folded(read(stream(...events)).events)).toEqual([
      { type: 'start', model: null, usage: null },
      { part: { kind: 'thinking' }, text: 'hm', seal: { of: 'messages', data: '' } },
      { part: { kind: 'text' }, text: 'whole', seal: null },
      { part: call('toolu_1'), text: '{}', seal: null },
      { ...finish('tool-calls'), usage: { input: 0, cachedInput: 0, cacheWrite: 0, output: 30, reasoning: 12 } },
    ])
    const unnamed = [start, ...text(0, 'hi'), end('end_turn'), over]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join('')
    expect(read(`${unnamed}data: [DONE]\n\n`).events).toEqual(
      read(stream(start, ...text(0, 'hi'), end('end_turn'), over)).events,
    )
  })

  it('takes input counts that come only at the end', () => {
    const late = { ...end('end_turn'), usage: { input_tokens: 40, cache_read_input_tokens: 2, output_tokens: 3 } }
    const first = { ...start, message: { id: 'm', model: 'x', usage: { input_tokens: 0, output_tokens: 0 } } }
    expect(read(stream(first, late, over)).events.at(-1)).toMatchObject({
      usage: { input: 42, cachedInput: 2, cacheWrite: 0, output: 3 },
    })
  })

  it.each<[string, string, AnswerEvent]>([
    [
      'breaks off',
      stream(start, ...text(0, 'hi')),
      { type: 'error', code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' },
    ],
    [
      'breaks off behind its reason',
      stream(start, end('end_turn')),
      { type: 'error', code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' },
    ],
    [
      'says nothing',
      '',
      { type: 'error', code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' },
    ],
    [
      'reports an error',
      stream(start, { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }, end('end_turn'), over),
      { type: 'error', code: 'overloaded_error', message: 'Busy.' },
    ],
    [
      'sends no JSON',
      `${stream(start)}event: content_block_delta\ndata: {"type":\n\n${stream(end('end_turn'), over)}`,
      { type: 'error', code: 'upstream-bad-event', message: 'The provider sent an event that is no JSON.' },
    ],
  ])('fails where it %s', (_name, said, last) => {
    const { events } = read(said)
    expect(events.at(-1)).toEqual(last)
    expect(events.filter((event) => event.type === 'finish' || event.type === 'error')).toHaveLength(1)
  })
})

describe('a whole answer, read', () => {
  const whole = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { ...counts, output_tokens: 30, output_tokens_details: { thinking_tokens: 12 } },
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'hi', citations: null },
      { type: 'tool_use', id: 't', name: 'run', input: { a: 1 } },
      { type: 'tool_use', id: 'u', name: 'run', input: {} },
    ],
  }
  it('says the same as a stream', () => {
    expect(folded(read(whole).events)).toEqual([
      { type: 'start', model: 'claude-x', usage },
      { part: { kind: 'thinking' }, text: 'hm', seal: { of: 'messages', data: 'sig' } },
      { part: { kind: 'text' }, text: 'hi', seal: null },
      { part: call('t'), text: '{"a":1}', seal: null },
      { part: call('u'), text: '{}', seal: null },
      finish('tool-calls'),
    ])
  })
  it('is an error where it is one', () => {
    expect(read({ type: 'error', error: { type: 'api_error', message: 'Broken.' } }).events).toEqual([
      { type: 'error', code: 'api_error', message: 'Broken.' },
    ])
    expect(read({ id: 'x' }).events).toMatchObject([{ type: 'error', code: 'bad-answer' }])
  })
  it.each<[object, object]>([
    [
      { type: 'error', error: { type: 'not_found_error', message: 'No such model.' } },
      { code: 'not_found_error', message: 'No such model.' },
    ],
    [{ error: 'plain' }, { code: 'provider-error', message: 'plain' }],
    [{ detail: 'other' }, { code: null, message: null }],
  ])('of an error %j says what it is', (body, error) =>
    expect(messagesConversion.readError({ ...body })).toEqual(error),
  )
})
