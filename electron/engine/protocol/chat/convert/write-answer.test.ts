import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { validateChatBody, validateChatStream } from '../../testing/validate-chat.ts'
import { asked, folded, heard, heardBody, said, saidBody } from './testing/exchange.ts'

const usage = { input: 50, cachedInput: 40, cacheWrite: 5, output: 9, reasoning: 4 }
const start: AnswerEvent = { type: 'start', model: null, usage: null }
const finish = (reason: Extract<AnswerEvent, { type: 'finish' }>['reason']): AnswerEvent => ({
  type: 'finish',
  reason,
  stopSequence: null,
  usage,
})
/** Thinking, text, two calls of which one is sealed, one freeform. */
const rich: AnswerEvent[] = [
  start,
  { type: 'begin', block: 0, part: { kind: 'thinking' } },
  { type: 'delta', block: 0, text: 'Let me see.' },
  { type: 'seal', block: 0, seal: { of: 'messages', data: 'sig/1' } },
  { type: 'end', block: 0 },
  { type: 'begin', block: 1, part: { kind: 'thinking' } },
  { type: 'seal', block: 1, seal: { of: 'messages', data: 'secret', redacted: true } },
  { type: 'end', block: 1 },
  { type: 'begin', block: 2, part: { kind: 'text' } },
  { type: 'delta', block: 2, text: 'I “look” \u{1F600}.' },
  { type: 'end', block: 2 },
  { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'call_a', name: 'read', custom: false } },
  { type: 'seal', block: 3, seal: { of: 'gemini', data: 'c2ln' } },
  { type: 'begin', block: 4, part: { kind: 'tool-call', id: 'call_b', name: 'sh', custom: true } },
  { type: 'delta', block: 4, text: 'ls' },
  { type: 'delta', block: 3, text: '{"a":1}' },
  { type: 'end', block: 3 },
  { type: 'end', block: 4 },
  finish('tool-calls'),
]

describe('a stream', () => {
  it('is chunks from the role to [DONE], usage last', () => {
    const { stream } = said(
      [
        start,
        { type: 'begin', block: 0, part: { kind: 'text' } },
        { type: 'delta', block: 0, text: 'Hi' },
        { type: 'end', block: 0 },
        finish('stop'),
      ],
      asked({ model: 'm', includeUsage: true }),
    )
    const head = '"id":"chatcmpl-own0","object":"chat.completion.chunk","created":1764000000,"model":"m"'
    expect(stream.split('\n\n')).toEqual([
      `data: {${head},"choices":[{"index":0,"delta":{"role":"assistant",` +
        '"content":"","refusal":null},"finish_reason":null}],"usage":null}',
      `data: {${head},"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}],"usage":null}`,
      `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
      `data: {${head},"choices":[],"usage":{"prompt_tokens":50,"completion_tokens":9,` +
        '"total_tokens":59,"prompt_tokens_details":{"cached_tokens":40,' +
        '"cache_write_tokens":5},"completion_tokens_details":{"reasoning_tokens":4}}}',
      'data: [DONE]',
      '',
    ])
  })

  it('says the same when it is read again', () => {
    const { stream, dropped } = said(rich)
    expect(validateChatStream(stream, { usage: true })).toEqual([])
    expect(dropped).toEqual([])
    expect(folded(heard(stream).events)).toMatchObject({
      text: 'I “look” \u{1F600}.',
      thinking: 'Let me see.',
      end: { reason: 'tool-calls', usage },
      problems: [],
      calls: [
        { id: 'call_a', name: 'read', custom: false, text: '{"a":1}' },
        { id: 'call_b', name: 'sh', custom: true, text: 'ls' },
      ],
    })
  })

  it('reports usage only to who asked for it', () => {
    expect(validateChatStream(said(rich, asked()).stream, { usage: false })).toEqual([])
  })

  it('gives a call its seal in its first chunk, where clients look for it', () => {
    const first = said(rich)
      .stream.split('\n\n')
      .find((event) => event.includes('"call_a"'))
    expect(first).toContain('"extra_content":{"google":{"thought_signature":"onward.1.')
  })

  it('ends in an error event when the answer does', () => {
    const { stream } = said([
      ...rich.slice(0, 12),
      { type: 'error', code: 'upstream-broke-off', message: 'It broke off.' },
    ])
    expect(validateChatStream(stream)).toEqual([])
    expect(stream).not.toContain('[DONE]')
    expect(folded(heard(stream).events).end).toEqual({ code: 'upstream-broke-off' })
  })

  it.each([
    ['stop-sequence', 'stop', ['stop_sequence']],
    ['length', 'length', []],
    ['content-filter', 'content_filter', []],
    ['refusal', 'content_filter', []],
    ['pause-turn', 'length', ['pause_turn']],
  ] as const)('says %s as %s', (reason, expected, lost) => {
    const events: AnswerEvent[] = [
      start,
      { type: 'finish', reason, stopSequence: reason === 'stop-sequence' ? 'END' : null, usage: null },
    ]
    const { stream, dropped } = said(events)
    expect(validateChatStream(stream)).toEqual([])
    expect(stream).toContain(`"finish_reason":"${expected}"`)
    expect(dropped).toEqual(lost)
    const whole = saidBody(events)
    expect(validateChatBody(whole.body)).toEqual([])
    expect(whole.body).toMatchObject({ choices: [{ finish_reason: expected, message: { content: '' } }] })
    expect(whole.dropped).toEqual(lost)
  })

  it('ends a refusal with stop, as OpenAI does', () => {
    const { stream } = said([
      start,
      { type: 'begin', block: 0, part: { kind: 'refusal' } },
      { type: 'delta', block: 0, text: 'No' },
      { type: 'end', block: 0 },
      finish('refusal'),
    ])
    expect(stream).toContain('"finish_reason":"stop"')
    expect(folded(heard(stream).events)).toMatchObject({ refusal: 'No', end: { reason: 'refusal' } })
  })
})

describe('a whole answer', () => {
  it('is one object that says the same', () => {
    const { body } = saidBody(rich)
    expect(validateChatBody(body)).toEqual([])
    expect(body).toMatchObject({
      id: 'chatcmpl-own0',
      object: 'chat.completion',
      created: 1_764_000_000,
      model: 'gpt-5',
      choices: [{ finish_reason: 'tool_calls', message: { reasoning_content: 'Let me see.' } }],
    })
    const { seals: _, ...again } = folded(heardBody(body).events)
    const { seals: __, ...streamed } = folded(heard(said(rich).stream).events)
    expect(again).toEqual(streamed)
  })

  it('has no content when there are only calls', () => {
    const { body } = saidBody([start, ...rich.slice(10)])
    expect(body).toMatchObject({ choices: [{ message: { content: null, refusal: null } }] })
    expect(validateChatBody(body)).toEqual([])
  })
})
