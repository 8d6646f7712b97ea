import { describe, expect, it } from 'vitest'
import type { FinishKind } from '../../../shared/events.ts'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { finishNames, knownMeaning, meaningOf } from './finish-names.ts'
import { codecOf } from './index.ts'
import { converted } from './testing/converted.ts'
import { observing } from './testing/observing.ts'

type Form = 'stream' | 'body'

/** A provider's answer of one text, or one call, that ends with a word. */
type Ending = (name: string, calls: boolean) => string

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, value: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`

const chatCall = { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const chatUsage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const toolUse = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
const functionCall = { type: 'function_call', id: 'f1', call_id: 'c1', name: 'look', arguments: '{}' }
const message = { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }

const responseOf: Ending = (name, calls) =>
  JSON.stringify({
    id: 'r1',
    status: 'incomplete',
    incomplete_details: { reason: name },
    output: [calls ? functionCall : message],
  })
const geminiOf: Ending = (name, calls) =>
  JSON.stringify({
    candidates: [
      {
        content: { parts: [calls ? { functionCall: { name: 'look', args: {} } } : { text: 'hi' }], role: 'model' },
        finishReason: name,
      },
    ],
  })

const endings: Record<WireProtocol, Record<Form, Ending>> = {
  chat: {
    stream: (name, calls) =>
      event({ id: 'a', choices: [{ index: 0, delta: calls ? { tool_calls: [chatCall] } : { content: 'hi' } }] }) +
      event({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: name }], usage: chatUsage }) +
      'data: [DONE]\n\n',
    body: (name, calls) =>
      JSON.stringify({
        id: 'a',
        choices: [
          {
            index: 0,
            message: calls ? { content: null, tool_calls: [chatCall] } : { content: 'hi' },
            finish_reason: name,
          },
        ],
        usage: chatUsage,
      }),
  },
  messages: {
    stream: (name, calls) =>
      named('message_start', { message: { id: 'a', content: [] } }) +
      named('content_block_start', { index: 0, content_block: calls ? toolUse : { type: 'text', text: 'hi' } }) +
      named('content_block_stop', { index: 0 }) +
      named('message_delta', { delta: { stop_reason: name }, usage: { input_tokens: 9, output_tokens: 3 } }) +
      named('message_stop', {}),
    body: (name, calls) =>
      JSON.stringify({ type: 'message', content: [calls ? toolUse : { type: 'text', text: 'hi' }], stop_reason: name }),
  },
  responses: {
    stream: (name, calls) =>
      named('response.created', { response: { id: 'r1', status: 'in_progress' } }) +
      named('response.incomplete', { response: JSON.parse(responseOf(name, calls)) }),
    body: responseOf,
  },
  gemini: { stream: (name, calls) => `data: ${geminiOf(name, calls)}\n\n`, body: geminiOf },
}

/** An end that a protocol has no word for reads as the nearest one that is no stop. */
const readAs: Record<WireProtocol, Partial<Record<FinishKind, FinishKind>>> = {
  chat: { refusal: 'content-filter', 'pause-turn': 'length', incomplete: 'length' },
  messages: { 'content-filter': 'refusal', incomplete: 'length' },
  responses: { refusal: 'content-filter', 'pause-turn': 'length', incomplete: 'length' },
  gemini: { refusal: 'content-filter', 'pause-turn': 'incomplete' },
}

const contentType: Record<Form, string> = { stream: 'text/event-stream', body: 'application/json' }

function observed(protocol: WireProtocol, bytes: string, form: Form): FinishKind {
  const observer = observing(codecOf(protocol), contentType[form], 200)
  observer.push(Buffer.from(bytes))
  return observer.finish(false).finish
}

const pairs = wireProtocols.flatMap((from) =>
  wireProtocols.flatMap((to) => (['stream', 'body'] as const).map((form) => ({ from, to, form }))),
)

describe('a word for the end of an answer', () => {
  it.each(pairs.filter(({ from, to }) => from !== to))(
    'means the same to the observer of $from and, converted, to that of $to ($form)',
    ({ from, to, form }) => {
      for (const [name, meaning] of [...finishNames, ['brand_new', 'incomplete'] as const]) {
        const bytes = endings[from][form](name, meaning === 'tool-calls')
        const own = observed(from, bytes, form)
        const theirs = observed(to, converted(from, to, bytes, form).bytes, form)
        expect([name, theirs]).toEqual([name, readAs[to][own] ?? own])
      }
    },
  )

  it.each(wireProtocols.filter((protocol) => protocol !== 'responses'))('is what the table says in %s', (protocol) => {
    for (const form of ['stream', 'body'] as const)
      for (const [name, meaning] of finishNames) {
        const own = observed(protocol, endings[protocol][form](name, meaning === 'tool-calls'), form)
        expect([name, own]).toEqual([name, meaning === 'stop-sequence' ? 'stop' : meaning])
      }
  })

  it.each(['Stop', 'END_TURN', ' eos ', 'FinishReason.STOP', 'COMPLETE'])('%s is a plain stop', (name) => {
    expect(knownMeaning(name)).toBe('stop')
  })

  it.each([
    ['tool-calls', 'tool-calls'],
    ['tool-use', 'tool-calls'],
    ['function_calls', 'tool-calls'],
    ['content-filter', 'content-filter'],
    ['max-tokens', 'length'],
    ['end-turn', 'stop'],
    ['normal', 'stop'],
    ['unknown', 'incomplete'],
  ] as const)('a gateway’s own spelling, %s, is %s', (name, meaning) => {
    expect(meaningOf(name)).toBe(meaning)
  })

  it('is known behind what Google puts before it', () => {
    expect(meaningOf('function_call_filter: MALFORMED_FUNCTION_CALL')).toBe('incomplete')
    expect(meaningOf('content_filter: PROHIBITED_CONTENT')).toBe('content-filter')
  })

  it.each(['', 'strange', 'stopped_by_quota', 'stop!', '.', 'null'])('%j is unknown, and never a stop', (name) => {
    expect(knownMeaning(name)).toBeNull()
    expect(meaningOf(name)).toBe('incomplete')
  })
})
