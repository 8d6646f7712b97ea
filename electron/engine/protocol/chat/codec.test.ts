import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FinishKind } from '../../../../shared/events.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { observing } from '../testing/observing.ts'
import { cut, cuts, watch } from '../testing/summaries.ts'
import { chatCodec } from './codec.ts'

const chunk = (choices: unknown, more: object = {}) =>
  'data: ' +
  `${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices, ...more })}` +
  '\n\n'
const delta = (d: object, finish: string | null = null, index = 0) =>
  chunk([{ index, delta: d, logprobs: null, finish_reason: finish }])
const start = delta({ role: 'assistant', content: '' })
const done = 'data: [DONE]\n\n'
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 7 },
}
const callStart = (name: string, index = 0) =>
  delta({ tool_calls: [{ index, id: `call${index}`, type: 'function', function: { name, arguments: '' } }] })
const callMore = (args: string, index = 0) => delta({ tool_calls: [{ index, function: { arguments: args } }] })
const say = (...texts: string[]) => texts.map((content) => delta({ content })).join('')
const whole = (choices: unknown[], more: object = {}) =>
  JSON.stringify({ id: 'c1', object: 'chat.completion', model: 'gpt', choices, usage, ...more })
const message = (content: string | null, finish: string | null, more: object = {}, index = 0) => ({
  index,
  message: { role: 'assistant', content, ...more },
  finish_reason: finish,
})
const call = { id: 'x', type: 'function', function: { name: 'shell', arguments: '{}' } }

const counted = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } })}\n\n`

const endings: [string, string, FinishKind][] = [
  ['stop', start + say('hi') + delta({}, 'stop') + done, 'stop'],
  ['stop together with the last text', start + delta({ content: 'hi' }, 'stop') + done, 'stop'],
  [
    'stop in every choice',
    start + delta({ content: 'a' }, null, 1) + delta({}, 'stop', 1) + delta({}, 'stop') + done,
    'stop',
  ],
  ['length', start + say('hi') + delta({}, 'length') + done, 'length'],
  ['content_filter', start + delta({}, 'content_filter') + done, 'content-filter'],
  ['tool_calls', start + callStart('shell') + callMore('{}') + delta({}, 'tool_calls') + done, 'tool-calls'],
  [
    'a tool call that is no list (TGI)',
    start +
      delta({ tool_calls: { index: 0, function: { name: 'shell', arguments: '{}' } } }) +
      delta({}, 'stop') +
      done,
    'tool-calls',
  ],
  [
    'a tool call that ends with stop',
    start + callStart('shell') + callMore('{}') + delta({}, 'stop') + done,
    'tool-calls',
  ],
  [
    'an old function call',
    start + delta({ function_call: { name: 'f', arguments: '' } }) + delta({}, 'function_call') + done,
    'tool-calls',
  ],
  [
    'length in another choice',
    start + delta({ content: 'b' }, null, 1) + delta({}, 'stop') + delta({}, 'length', 1) + done,
    'length',
  ],
  ['an unknown reason', start + delta({}, 'strange') + done, 'incomplete'],
  ['a reason of another vendor', start + say('hi') + delta({}, 'eos') + done, 'stop'],
  ['[DONE] without a reason', start + say('hi') + done, 'incomplete'],
  ['[DONE] without a reason, behind a whole text and its usage', start + say('hi') + counted + done, 'stop'],
  ['[DONE] without a reason, nothing said', start + counted + done, 'incomplete'],
  ['usage without a reason or [DONE]', start + say('hi') + counted, 'broken-off'],
  ['[DONE] without a reason, behind calls', start + callStart('shell') + callMore('{}') + counted + done, 'tool-calls'],
  ['a reason that is empty while text comes', start + delta({ content: 'a' }, '') + say('b'), 'broken-off'],
  ['a reason that is "null" while text comes', start + delta({ content: 'a' }, 'null') + say('b'), 'broken-off'],
  ['length with a call', start + callStart('shell') + callMore('{}') + delta({}, 'length') + done, 'length'],
  ['a failure of the provider', start + say('hi') + delta({}, 'network_error') + done, 'error'],
  ['a reason and no [DONE]', start + say('hi') + delta({}, 'stop'), 'stop'],
  ['no ending', start + say('hi'), 'broken-off'],
  ['one choice of two without an ending', start + delta({ content: 'b' }, null, 1) + delta({}, 'stop'), 'broken-off'],
  ['an error in the middle', start + say('hi') + 'data: {"error":{"message":"overloaded","code":503}}\n\n', 'error'],
  [
    'an error behind the reason (OpenRouter)',
    start + say('hi') + delta({}, 'length') + 'data: {"error":{"message":"limit","code":400}}\n\n' + done,
    'length',
  ],
  [
    'an error without “error” in the middle (older vLLM)',
    `${start}${say('hi')}data: {"object":"error","message":"too long","code":400}\n\n`,
    'error',
  ],
  ['a status in the middle (MiniMax)', start + say('hi') + chunk([], { base_resp: { status_code: 1002 } }), 'error'],
  ['JSON: a status (MiniMax)', '{"id":"x","choices":null,"base_resp":{"status_code":1008,"status_msg":"no"}}', 'error'],
  ['JSON: stop', whole([message('hi', 'stop')]), 'stop'],
  ['JSON: stop with a tool call', whole([message('hi', 'stop', { tool_calls: [call] })]), 'tool-calls'],
  ['JSON: tool_calls', whole([message(null, 'tool_calls', { tool_calls: [call] })]), 'tool-calls'],
  ['JSON: length', whole([message('hi', 'length')]), 'length'],
  [
    'JSON: two choices, one filtered',
    whole([message('a', 'stop'), message('b', 'content_filter', {}, 1)]),
    'content-filter',
  ],
  ['JSON: no reason, nothing said', whole([message(null, null)]), 'incomplete'],
  ['JSON: no reason, a text and its usage', whole([message('a', null)]), 'stop'],
  ['JSON: no choices', whole([]), 'incomplete'],
  ['JSON: an error with status 200', '{"error":{"message":"no","type":"invalid_request_error"}}', 'error'],
  ['JSON: cut', whole([message('hi', 'stop')]).slice(0, -1), 'error'],
]

describe('how a Chat answer ends', () => {
  it.each(endings)('%s', (_, answer, finish) => {
    expect(watch(chatCodec, answer).finish).toBe(finish)
  })
  it('is never a stop when it broke off before', () => {
    expect(watch(chatCodec, start + say('hi'), { brokenOff: true })).toMatchObject({
      finish: 'broken-off',
      complete: false,
      text: 'hi',
      error: null,
    })
    expect(watch(chatCodec, whole([message('hi', 'stop')]).slice(0, -1), { brokenOff: true })).toMatchObject({
      finish: 'broken-off',
      complete: false,
    })
  })
  it('does not change when the connection breaks behind the end', () => {
    expect(watch(chatCodec, start + delta({}, 'stop') + done, { brokenOff: true })).toMatchObject({
      finish: 'stop',
      complete: true,
    })
  })
  it('is known as soon as its terminal event went by', () => {
    const observer = observing(chatCodec, 'text/event-stream', 200)
    for (const [part, ended] of [
      [start, false],
      [say('hi'), false],
      [delta({}, 'stop'), true],
      [done, true],
    ] as const) {
      observer.push(Buffer.from(part))
      expect(observer.ended).toBe(ended)
    }
  })
})

describe('what is read of a Chat answer', () => {
  const stream =
    start +
    say('Hel', 'lo ', '中😀') +
    callStart('shell') +
    callMore('{"a":') +
    callMore('"name"}') +
    callStart('edit', 1) +
    callMore('x', 1) +
    callStart('shell', 2) +
    delta({}, 'tool_calls') +
    chunk([], { usage }) +
    done
  const facts = {
    complete: true,
    finish: 'tool-calls',
    responseId: 'c1',
    model: 'gpt',
    toolNames: ['shell', 'edit'],
    text: 'Hello 中😀',
    error: null,
    usage: { input: 100, cachedInput: 64, output: 20, reasoning: 7 },
  }

  it('is the same for a stream, however its bytes are cut', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        expect(watch(chatCodec, stream, { chunks: cut(Buffer.from(stream), places) })).toEqual(facts)
      }),
      runs(200),
    )
  })
  it('is the same with spaces in the JSON, Windows line ends and comments', () => {
    const spaced =
      ': OPENROUTER PROCESSING\r\n\r\n' +
      stream
        .replace(
          /data: (\{.*\})/g,
          (_, json: string) => `data: ${JSON.stringify(JSON.parse(json), null, 1).replaceAll('\n', ' ')}`,
        )
        .replaceAll('\n', '\r\n')
    expect(watch(chatCodec, spaced)).toEqual(facts)
  })
  it('is the same for every way to end every fixture', () => {
    fc.assert(
      fc.property(fc.constantFrom(...endings), cuts, fc.boolean(), ([, answer], places, brokenOff) => {
        expect(watch(chatCodec, answer, { brokenOff, chunks: cut(Buffer.from(answer), places) })).toEqual(
          watch(chatCodec, answer, { brokenOff }),
        )
      }),
      runs(500),
    )
  })
  it('is read of a JSON answer too', () => {
    expect(
      watch(
        chatCodec,
        whole([
          message('Hello', 'tool_calls', {
            tool_calls: [call, { type: 'custom', custom: { name: 'patch', input: '' } }],
          }),
        ]),
      ),
    ).toEqual({ ...facts, text: 'Hello', toolNames: ['shell', 'patch'] })
  })
  it('takes usage from wherever it stands', () => {
    expect(
      watch(
        chatCodec,
        start +
          chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], {
            usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 },
          }) +
          done,
      ).usage,
    ).toEqual({ input: 9, cachedInput: 4, output: 1, reasoning: 0 })
    expect(watch(chatCodec, start + delta({}, 'stop') + done).usage).toBeNull()
  })
  it('takes texts from parts, and no thinking between Google’s tags', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' you' },
    ]
    expect(watch(chatCodec, start + delta({ content: parts }) + delta({}, 'stop')).text).toBe('Hello you')
    const thought = delta({ content: '<thought>Hm', extra_content: { google: { thought: true } } })
    const stream = start + thought + say(' so', '.</thou', 'ght>Hello', ' you') + delta({}, 'stop')
    expect(watch(chatCodec, stream).text).toBe('Hello you')
  })
  it('keeps the end of a long text', () => {
    const text = Array.from({ length: 3000 }, (_, i) => `word${i} "quoted" \\ 中\n`)
    const seen = watch(chatCodec, start + say(...text) + delta({}, 'stop') + done)
    expect(seen.text).toBe(text.join('').slice(-4000))
  })
})

describe('text that looks like protocol', () => {
  const tricky = [
    '"finish_reason":"stop"',
    '{"choices":[{"finish_reason":"length"}]}',
    '[DONE]',
    'data: [DONE]\n\n',
    '"tool_calls":[{"function":{"name":"x"}}]',
    '"usage":{"prompt_tokens":1}',
    'end with "finish_reason"',
    '"error":{"message":"x"}',
    '"content":"x"',
    '\\"content\\":\\"x\\"',
    '"index":5',
  ]
  it.each(tricky)('%s in a text changes nothing', (text) => {
    expect(watch(chatCodec, start + say(text, text) + delta({}, 'stop') + done)).toMatchObject({
      finish: 'stop',
      text: text + text,
      usage: null,
      toolNames: [],
      error: null,
    })
    expect(watch(chatCodec, start + say(text))).toMatchObject({ finish: 'broken-off', text })
  })
  it('also not in the arguments of a tool', () => {
    const seen = watch(
      chatCodec,
      start + callStart('shell') + tricky.map((t) => callMore(t)).join('') + delta({}, 'tool_calls') + done,
    )
    expect(seen).toMatchObject({ finish: 'tool-calls', toolNames: ['shell'], text: '', usage: null })
  })
  it('never, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...tricky), fc.string({ unit: 'binary' })), { maxLength: 6 }),
        (texts) => {
          expect(watch(chatCodec, start + say(...texts) + delta({}, 'stop') + done)).toMatchObject({
            finish: 'stop',
            text: texts.join(''),
            toolNames: [],
            usage: null,
          })
        },
      ),
      runs(500),
    )
  })
})
