import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { codecOf } from '../../index.ts'
import { heardOf } from '../../testing/heard-of.ts'
import { observing } from '../../testing/observing.ts'
import type { JsonObject } from '../../values.ts'
import { wireProtocols, type WireProtocol } from '../request.ts'
import { converted } from '../testing/converted.ts'
import { callObject, type ObjectState } from './half-calls.ts'

const line = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`
const named = (type: string, data: JsonObject): string => `event: ${type}\n${line({ type, ...data })}`

/** An answer of a text and one call with these arguments, as its provider streams it. Gemini can't say half a call. */
const streams: Readonly<Record<Exclude<WireProtocol, 'gemini'>, (args: string, length: boolean) => string>> = {
  chat(args, length) {
    const chunk = (delta: JsonObject, finish_reason: string | null) =>
      line({
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'up',
        choices: [{ index: 0, delta, finish_reason }],
      })
    return (
      chunk({ role: 'assistant', content: 'I write.' }, null) +
      chunk(
        { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: args } }] },
        null,
      ) +
      chunk({}, length ? 'length' : 'tool_calls') +
      'data: [DONE]\n\n'
    )
  },
  responses(args, length) {
    const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'write', arguments: args }
    const status = length ? 'incomplete' : 'completed'
    const frame = { id: 'resp_1', object: 'response', created_at: 1, model: 'up' }
    return (
      named('response.created', { response: { ...frame, status: 'in_progress', output: [] } }) +
      named('response.output_item.added', {
        output_index: 0,
        item: { ...call, arguments: '', status: 'in_progress' },
      }) +
      named('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: args }) +
      named('response.output_item.done', { output_index: 0, item: { ...call, status } }) +
      named(`response.${status}`, {
        response: {
          ...frame,
          status,
          incomplete_details: length ? { reason: 'max_output_tokens' } : null,
          output: [{ ...call, status }],
        },
      })
    )
  },
  messages: (args, length) =>
    named('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'up',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }) +
    named('content_block_start', {
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} },
    }) +
    named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: args } }) +
    named('content_block_stop', { index: 0 }) +
    named('message_delta', {
      delta: { stop_reason: length ? 'max_tokens' : 'tool_use' },
      usage: { output_tokens: 9 },
    }) +
    named('message_stop', {}),
}

const providers = ['chat', 'responses', 'messages'] as const
const pairs = providers.flatMap((from) => wireProtocols.flatMap((to) => (to === from ? [] : [[from, to] as const])))
const whole = JSON.stringify({ path: 'a "b".ts', lines: ['{', ']'], deep: { x: [1] } })
const cutPlaces = fc.integer({ min: 1, max: whole.length - 1 })
const cuts = fc.array(fc.nat(), { maxLength: 5 })
const end: Readonly<Record<WireProtocol, RegExp>> = {
  chat: /"finish_reason":"(?:tool_calls|stop)"|\[DONE\]/,
  responses: /response\.function_call_arguments\.done|response\.completed|"status":"completed","call_id"/,
  messages: /message_stop|"stop_reason":"(?:tool_use|end_turn)"/,
  gemini: /functionCall|"finishReason":"STOP"/,
}

describe.each(pairs)('a call of a provider of %s, for a client of %s', (from, to) => {
  it('whose arguments end in the middle is an error, never half a call or a whole answer', () => {
    fc.assert(
      fc.property(cutPlaces, cuts, (at, places) => {
        const bytes = streams[from](whole.slice(0, at), false)
        const stream = converted(from, to, bytes, { as: 'stream', wants: 'stream', cuts: places })
        expect(stream.error).not.toBeNull()
        expect(stream.error).not.toMatch(end[to])
        const seen = observing(codecOf(to), 'text/event-stream', 200)
        seen.push(Buffer.from(stream.text))
        expect(seen.finish(false)).toMatchObject({ finish: 'error', complete: to === 'responses' })
        expect(stream.error).toContain('"upstream-half-call"')
        expect(converted(from, to, bytes, { as: 'stream', wants: 'body', cuts: places })).toMatchObject({
          text: '',
          error: 'upstream-half-call',
        })
      }),
      runs(100),
    )
  })

  it('that the limit cut off ends as the limit’s, and is whole nowhere', () => {
    fc.assert(
      fc.property(cutPlaces, cuts, (at, places) => {
        const bytes = streams[from](whole.slice(0, at), true)
        for (const wants of ['stream', 'body'] as const) {
          const { text, error } = converted(from, to, bytes, { as: 'stream', wants, cuts: places })
          expect(error).toBeNull()
          expect(text).not.toMatch(/"status":"completed","call_id"/)
          const heard = heardOf(to, text, wants === 'stream')
          expect(heard.end).toMatchObject({ reason: 'length' })
          for (const call of heard.calls) expect(() => JSON.parse(call.text) as unknown).toThrow(SyntaxError)
        }
      }),
      runs(100),
    )
  })

  it('with whole arguments, or none, is what it was', () => {
    for (const args of [whole, '{}', ''])
      for (const wants of ['stream', 'body'] as const) {
        const { text, error } = converted(from, to, streams[from](args, false), { as: 'stream', wants })
        expect(error).toBeNull()
        expect(heardOf(to, text, wants === 'stream').calls).toMatchObject([{ name: 'write' }])
      }
  })
})

const bodies: Readonly<Record<'chat' | 'responses', (args: string) => string>> = {
  chat: (args) =>
    JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'up',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'write', arguments: args } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  responses: (args) =>
    JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'up',
      output: [
        { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'write', arguments: args, status: 'completed' },
      ],
    }),
}

it.each(
  (['chat', 'responses'] as const).flatMap((from) =>
    wireProtocols.flatMap((to) => (to === from ? [] : [[from, to] as const])),
  ),
)('half a call in a body of %s is an error for a client of %s', (from, to) => {
  for (const wants of ['stream', 'body'] as const)
    expect(converted(from, to, bodies[from](whole.slice(0, 20)), { as: 'body', wants }).error).toContain(
      'upstream-half-call',
    )
})

/** A call that came without its name, as its provider says it whole. */
const nameless: Readonly<Record<WireProtocol, string>> = {
  messages: JSON.stringify({
    type: 'message',
    content: [{ type: 'tool_use', id: 'toolu_1', input: { a: 1 } }],
    stop_reason: 'tool_use',
  }),
  responses: JSON.stringify({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'up',
    output: [{ id: 'fc_1', type: 'function_call', call_id: 'call_1', arguments: '{}', status: 'completed' }],
  }),
  chat: JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'up',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  gemini: JSON.stringify({
    candidates: [
      { content: { role: 'model', parts: [{ functionCall: { args: { a: 1 } } }] }, finishReason: 'STOP', index: 0 },
    ],
  }),
}

it.each(wireProtocols.flatMap((from) => wireProtocols.flatMap((to) => (to === from ? [] : [[from, to] as const]))))(
  'a call without a name in an answer of %s is an error for a client of %s',
  (from, to) => {
    for (const wants of ['stream', 'body'] as const)
      expect(converted(from, to, nameless[from], { as: 'body', wants }).error).toContain('upstream-half-call')
  },
)

const stateOf = (pieces: readonly string[]): ObjectState => {
  const read = callObject()
  for (const piece of pieces) read.push(piece)
  return read.state
}
const cut = (text: string, places: readonly number[]): string[] => {
  const marks = [0, ...places.map((n) => n % (text.length + 1)).sort((a, b) => a - b), text.length]
  return marks.slice(1).map((to, i) => text.slice(marks[i], to))
}
const places = fc.array(fc.nat(), { maxLength: 6 })
const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
const texts = fc
  .tuple(objects, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify(value, null, space))

it('a whole object is whole under any cut, and its beginning is open', () => {
  fc.assert(
    fc.property(texts, places, fc.nat(), (text, at, length) => {
      expect(stateOf(cut(text, at))).toBe('whole')
      expect(stateOf(cut(text.slice(0, length % text.length), at))).toMatch(/open|empty/)
    }),
    runs(300),
  )
})

/** An object with one character put in, taken out or changed: mostly no JSON any more. */
const damaged = fc
  .tuple(texts, fc.nat(), fc.constantFrom('', '}', '{', '"', ',', ':', '0', 'x', '\\', '\n', ' ', ']'), fc.nat(1))
  .map(([text, at, char, taken]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + char + text.slice(place + taken)
  })

it('agrees with JSON.parse on what is an object and what is none', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json(), fc.string()), places, (text, at) => {
      let isObject = false
      try {
        const value: unknown = JSON.parse(text)
        isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
      expect(stateOf(cut(text, at)) === 'whole').toBe(isObject)
    }),
    runs(1000),
  )
})

it.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['null', 'bad'],
  ['[1]', 'bad'],
  ['"{}"', 'bad'],
  ['{"a":1}}', 'bad'],
  ['{"a":1}{"b":2}', 'bad'],
  ['{"a":1} ', 'whole'],
  ['{"a":"\n"}', 'bad'],
  ['{"a":tru', 'open'],
  ['{"a":trux,', 'bad'],
  ['{"a":tru}', 'bad'],
  ['{"a":01}', 'bad'],
  ['{"a":1,}', 'bad'],
  [String.raw`{"a":"\u12"}`, 'bad'],
] as const)('%j is %s', (text, state) => expect(stateOf([text])).toBe(state))
