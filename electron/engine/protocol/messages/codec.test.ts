import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FinishKind } from '../../../../shared/events.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { sseEvent } from '../sse/write.ts'
import { observing } from '../testing/observing.ts'
import { cut, cuts, watch } from '../testing/summaries.ts'
import { messagesCodec } from './codec.ts'

const event = (type: string, more: object = {}) => sseEvent({ type, ...more }, type)
const start = event('message_start', {
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, cache_creation_input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 1 },
  },
})
const ping = event('ping')
const block = (content_block: object, index = 0) => event('content_block_start', { index, content_block })
const text = block({ type: 'text', text: '' })
const say = (...texts: string[]) =>
  texts.map((t) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: t } })).join('')
const end = (stop_reason: string | null) =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } })
const stop = event('message_stop')
const tool =
  block({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }, 1) +
  event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{"text":"x"}' } }) +
  event('content_block_stop', { index: 1 })
const hi = start + ping + text + say('hi')
const usage = { input_tokens: 10, cache_creation_input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 20 }
const whole = (stop_reason: string | null, content: object[], more: object = {}) =>
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content,
    stop_reason,
    usage,
    ...more,
  })

const endings: [string, string, FinishKind][] = [
  ['end_turn', hi + end('end_turn') + stop, 'stop'],
  ['stop_sequence', hi + end('stop_sequence') + stop, 'stop'],
  ['tool_use', hi + tool + end('tool_use') + stop, 'tool-calls'],
  ['a tool call that ends with end_turn', hi + tool + end('end_turn') + stop, 'tool-calls'],
  [
    'a tool of the provider',
    hi + block({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, 1) + end('end_turn') + stop,
    'stop',
  ],
  ['max_tokens', hi + end('max_tokens') + stop, 'length'],
  ['a full context', hi + end('model_context_window_exceeded') + stop, 'length'],
  ['pause_turn', hi + end('pause_turn') + stop, 'pause-turn'],
  ['refusal', hi + end('refusal') + stop, 'refusal'],
  ['an unknown reason', hi + end('whatever') + stop, 'incomplete'],
  ['no reason', hi + end(null) + stop, 'incomplete'],
  ['a reason and no message_stop', hi + end('end_turn'), 'broken-off'],
  ['no ending', hi, 'broken-off'],
  ['an error event', hi + event('error', { error: { type: 'overloaded_error', message: 'busy' } }), 'error'],
  ['JSON: end_turn', whole('end_turn', [{ type: 'text', text: 'hi' }]), 'stop'],
  ['JSON: tool_use', whole('tool_use', [{ type: 'tool_use', name: 'Bash', input: {} }]), 'tool-calls'],
  ['JSON: refusal', whole('refusal', []), 'refusal'],
  ['JSON: an error', '{"type":"error","error":{"type":"api_error","message":"no"}}', 'error'],
  ['JSON: a token count', '{"input_tokens":5}', 'incomplete'],
]

describe('how a Messages answer ends', () => {
  it.each(endings)('%s', (_, answer, finish) => {
    expect(watch(messagesCodec, answer).finish).toBe(finish)
  })
  it('is known at message_stop and not before', () => {
    const observer = observing(messagesCodec, 'text/event-stream', 200)
    observer.push(Buffer.from(hi + end('end_turn')))
    expect(observer.ended).toBe(false)
    observer.push(Buffer.from(stop.slice(0, -1)))
    expect(observer.ended).toBe(false)
    observer.push(Buffer.from('\n'))
    expect(observer.ended).toBe(true)
  })
  it('says what a provider said of its failure', () => {
    expect(
      watch(messagesCodec, hi + event('error', { error: { type: 'overloaded_error', message: 'busy' } })),
    ).toMatchObject({ complete: false, error: { code: 'overloaded_error', message: 'busy' }, text: 'hi' })
  })
})

describe('what is read of a Messages answer', () => {
  const thinking =
    block({ type: 'thinking', thinking: '' }) +
    event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'secret' } }) +
    event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 's' } })
  const cited = event('content_block_delta', {
    index: 0,
    delta: { type: 'citations_delta', citation: { cited_text: 'c', text: 'no' } },
  })
  const stream =
    start +
    ping +
    thinking +
    text +
    say('Hel', 'lo "q"\\ 中') +
    cited +
    event('content_block_stop', { index: 0 }) +
    tool +
    tool +
    text +
    say('bye 😀') +
    end('tool_use') +
    stop
  const facts = {
    complete: true,
    finish: 'tool-calls',
    responseId: 'msg_1',
    model: 'claude',
    toolNames: ['Bash'],
    text: 'Hello "q"\\ 中\n\nbye 😀',
    error: null,
    usage: { input: 100, cachedInput: 60, cacheWrite: 30, output: 20, reasoning: 0 },
  }

  it('is the same for a stream, however its bytes are cut', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        expect(watch(messagesCodec, stream, { chunks: cut(Buffer.from(stream), places) })).toEqual(facts)
      }),
      runs(200),
    )
  })
  it('is the same for every way to end every fixture', () => {
    fc.assert(
      fc.property(fc.constantFrom(...endings), cuts, fc.boolean(), ([, answer], places, brokenOff) => {
        expect(watch(messagesCodec, answer, { brokenOff, chunks: cut(Buffer.from(answer), places) })).toEqual(
          watch(messagesCodec, answer, { brokenOff }),
        )
      }),
      runs(500),
    )
  })
  it('is read of a JSON answer too', () => {
    const content = [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', name: 'Bash', input: {} },
      { type: 'text', text: 'bye' },
    ]
    expect(watch(messagesCodec, whole('tool_use', content))).toEqual({ ...facts, text: 'Hello\n\nbye' })
  })
  it('keeps what was written for an hour where the end counts no input', () => {
    const written = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 }
    const began = event('message_start', {
      message: { ...JSON.parse(whole(null, [])), usage: { ...usage, output_tokens: 1, cache_creation: written } },
    })
    const none = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }
    const later = (more: object) => event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: more })
    const counted = { input: 100, cachedInput: 60, cacheWrite: 30, cacheWriteHour: 20, output: 5, reasoning: 0 }
    for (const more of [{}, { input_tokens: 0, cache_creation: none }, { ...usage, cache_creation: null }])
      expect(watch(messagesCodec, began + text + later({ ...more, output_tokens: 5 }) + stop).usage).toEqual(counted)
  })
  it('takes newer counts where they come', () => {
    const later = event('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 12, cache_read_input_tokens: null, output_tokens: 5 },
    })
    expect(watch(messagesCodec, hi + later + stop).usage).toEqual({
      input: 102,
      cachedInput: 60,
      cacheWrite: 30,
      output: 5,
      reasoning: 0,
    })
  })
})

describe('text that looks like protocol', () => {
  const tricky = [
    'message_stop',
    '{"type":"message_stop"}',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    '"text":"x"',
    '"text_delta"',
    'a "text',
    '"stop_reason":"max_tokens"',
  ]
  it.each(tricky)('%s changes nothing', (t) => {
    expect(watch(messagesCodec, hi + say(t))).toMatchObject({ finish: 'broken-off', complete: false, text: `hi${t}` })
    expect(watch(messagesCodec, hi + say(t) + end('end_turn') + stop)).toMatchObject({ finish: 'stop', text: `hi${t}` })
  })
  it('also not in the arguments of a tool', () => {
    const args = tricky
      .map((t) => event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: t } }))
      .join('')
    expect(watch(messagesCodec, hi + args)).toMatchObject({ finish: 'broken-off', text: 'hi', toolNames: [] })
  })
})
