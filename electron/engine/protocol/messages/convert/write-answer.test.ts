import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, AnswerFinish, AnswerUsage, BlockKind } from '../../canonical/answer.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { withServer } from '../../testing/serve-once.ts'
import { validateMessagesBody, validateMessagesStream } from '../../testing/validate-messages.ts'
import { messagesConversion } from './index.ts'
import { body, stream, writing } from './testing/asking.ts'

const usage: AnswerUsage = { input: 100, cachedInput: 85, cacheWrite: 5, output: 30, reasoning: 0 }
const start: AnswerEvent = { type: 'start', model: 'gpt-x', usage: null }
const finish = (reason: AnswerFinish = 'stop', stopSequence: string | null = null): AnswerEvent => ({
  type: 'finish',
  reason,
  stopSequence,
  usage,
})
const block = (n: number, part: BlockKind, texts: string[], seal?: Seal): AnswerEvent[] => [
  { type: 'begin', block: n, part },
  ...texts.map((text): AnswerEvent => ({ type: 'delta', block: n, text })),
  ...(seal ? [{ type: 'seal', block: n, seal } as const] : []),
  { type: 'end', block: n },
]
const text = { kind: 'text' } as const,
  thinking = { kind: 'thinking' } as const
const call = (id: string): BlockKind => ({ kind: 'tool-call', id, name: 'run', custom: false })
const empty = sealForClient({ of: 'chat', data: '' }, 'messages')

/** The data of a stream's events, which is right by the validator. */
function events(said: readonly AnswerEvent[], context = writing()): unknown[] {
  const written = stream(said, context)
  expect(validateMessagesStream(written)).toEqual([])
  return [...written.matchAll(/^data: (.*)$/gm)].map(([, json = '']): unknown => JSON.parse(json))
}
function content(said: readonly AnswerEvent[]): unknown {
  const whole = body(said)
  expect(validateMessagesBody(whole)).toEqual([])
  return whole['content']
}

describe('an answer, streamed as Messages', () => {
  it('goes out event by event', () => {
    const writer = messagesConversion.writeStream(writing())
    const said = [start, ...block(0, thinking, ['hm']), ...block(1, text, ['h', 'i']), finish()]
    expect(
      said.map((event) => (writer.write(event).match(/^event: .*$/gm) ?? []).map((name) => name.slice(7))),
    ).toEqual([
      ['message_start'],
      [],
      ['content_block_start', 'content_block_delta'],
      ['content_block_delta', 'content_block_stop'],
      [],
      ['content_block_start', 'content_block_delta'],
      ['content_block_delta'],
      ['content_block_stop'],
      ['message_delta', 'message_stop'],
    ])
  })

  it('has every member', () => {
    expect(
      events([
        start,
        ...block(0, thinking, ['h"m'], { of: 'messages', data: 'sig' }),
        ...block(1, call('c1'), ['{"a"', ':1}']),
        finish('tool-calls'),
      ]),
    ).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_new',
          type: 'message',
          role: 'assistant',
          model: 'gpt-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'h"m' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c1', name: 'run', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ':1}' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 30 },
      },
      { type: 'message_stop' },
    ])
  })

  it('says at its beginning what is known, and at its end at least that', () => {
    const known = { ...start, model: null, usage: { ...usage, output: 0, reasoning: 0 } }
    const [first, last] = events([known, { type: 'finish', reason: 'stop', stopSequence: null, usage: null }])
    const counts = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 0 }
    expect(first).toMatchObject({ message: { id: 'msg_new', model: 'asked-model', usage: counts } })
    expect(last).toMatchObject({ usage: counts })
    expect(
      events([start, { type: 'finish', reason: 'stop', stopSequence: null, usage: { ...usage, reasoning: 9 } }])[1],
    ).toMatchObject({ usage: { output_tokens_details: { thinking_tokens: 9 } } })
  })

  it('leaves out blocks without content', () => {
    expect(
      events([start, ...block(0, text, ['']), ...block(1, thinking, []), ...block(2, text, ['hi']), finish()]),
    ).toMatchObject([{}, { index: 0, content_block: { type: 'text' } }, {}, { index: 0 }, {}, {}])
  })

  it.each<[AnswerFinish, AnswerEvent[], string]>([
    ['stop', [], 'end_turn'],
    ['stop', block(0, call('c'), []), 'tool_use'],
    ['tool-calls', block(0, call('c'), ['{}']), 'tool_use'],
    ['tool-calls', [], 'end_turn'],
    ['length', block(0, call('c'), ['{"a']), 'max_tokens'],
    ['content-filter', [], 'refusal'],
    ['refusal', [], 'refusal'],
    ['stop', block(0, { kind: 'refusal' }, ['No.']), 'refusal'],
    ['pause-turn', [], 'pause_turn'],
  ])('that ends with %s', (reason, blocks, expected) => {
    expect(events([start, ...blocks, finish(reason)]).at(-2)).toMatchObject({
      delta: { stop_reason: expected, stop_sequence: null },
    })
    expect(body([start, ...blocks, finish(reason)])).toMatchObject({ stop_reason: expected, stop_sequence: null })
  })

  it.each<[string | null, string[], string | null]>([
    ['END', ['END', 'X'], 'END'],
    [null, ['END'], 'END'],
    [null, ['END', 'X'], null],
  ])('names the stop sequence %j of %j', (said, stop, expected) => {
    expect(events([start, finish('stop-sequence', said)], writing({ stop })).at(-2)).toMatchObject({
      delta: { stop_reason: 'stop_sequence', stop_sequence: expected },
    })
  })

  it('fails as Messages do, and says nothing behind it', () => {
    expect(
      events([
        start,
        ...block(0, text, ['hi']).slice(0, 2),
        { type: 'error', code: 'upstream-broke-off', message: 'Gone.' },
        finish(),
      ]).at(-1),
    ).toEqual({ type: 'error', error: { type: 'api_error', message: 'Gone.', code: 'upstream-broke-off' } })
    expect(events([{ type: 'error', code: 'overloaded_error', message: 'Busy.' }, start])).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy.', code: 'overloaded_error' } },
    ])
  })
})

it('a refusal says why in its details as well', () => {
  const said = [start, ...block(0, { kind: 'refusal' }, ['No', ', no.']), finish()]
  const details = { type: 'refusal', category: null, explanation: 'No, no.' }
  expect(body(said)).toMatchObject({ content: [{ text: 'No, no.' }], stop_reason: 'refusal', stop_details: details })
  expect(events(said).at(-2)).toMatchObject({ delta: { stop_reason: 'refusal', stop_details: details } })
  expect(body([start, ...block(0, text, ['hi']), finish()])).not.toHaveProperty('stop_details')
})

describe('seals', () => {
  const rs: Seal = { of: 'responses', data: 'enc', id: 'rs_1' },
    thought: Seal = { of: 'gemini', data: 'sig' }
  const block0 = (words: string, signature: string) => ({ type: 'thinking', thinking: words, signature })
  const carrier = (seal: Seal) => block0('', sealForClient(seal, 'messages'))
  const cases: [string, AnswerEvent[], object[]][] = [
    ['of none', block(0, thinking, ['hm']), [block0('hm', empty)]],
    ['of another vendor', block(0, thinking, ['hm'], rs), [block0('hm', sealForClient(rs, 'messages'))]],
    ['of another vendor, without words', block(0, thinking, [], rs), [carrier(rs)]],
    [
      'of its own vendor, redacted',
      block(0, thinking, [], { of: 'messages', data: 'enc', redacted: true }),
      [{ type: 'redacted_thinking', data: 'enc' }],
    ],
    ['on a text', block(0, text, ['hi'], thought), [{ type: 'text', text: 'hi' }, carrier(thought)]],
    [
      'on a call',
      [
        { type: 'begin', block: 0, part: call('c') },
        { type: 'seal', block: 0, seal: thought },
        { type: 'delta', block: 0, text: '{"a":1}' },
        { type: 'end', block: 0 },
      ],
      [carrier({ ...thought, id: 'c' }), { type: 'tool_use', id: 'c', name: 'run', input: { a: 1 } }],
    ],
  ]
  it.each(cases)('%s stand in a body', (_name, said, blocks) =>
    expect(content([start, ...said, finish()])).toEqual(blocks),
  )
  it.each(cases)('%s are streamed', (_name, said, blocks) => {
    const starts = events([start, ...said, finish()]).filter(
      (event) => JSON.stringify(event).includes('content_block"') || JSON.stringify(event).includes('signature_delta'),
    )
    expect(
      starts
        .map((event) => JSON.stringify(event).match(/"signature_delta","signature":"([^"]*)"/)?.[1])
        .filter((found) => found !== undefined),
    ).toEqual(blocks.flatMap((b) => ('signature' in b ? [b.signature] : [])))
    expect(
      starts.flatMap((event) => JSON.stringify(event).match(/"content_block":\{"type":"(\w+)"/)?.[1] ?? []),
    ).toEqual(blocks.map((b) => Reflect.get(b, 'type')))
  })
  it("that come behind a call's arguments stand behind it", () => {
    const starts = events([start, ...block(0, call('c'), ['{}'], thought), finish()]).flatMap(
      (event) => JSON.stringify(event).match(/"content_block":\{"type":"(\w+)"/)?.[1] ?? [],
    )
    expect(starts).toEqual(['tool_use', 'thinking'])
  })
  it.each(cases.slice(1))("%s come back with the client's next request", (_name, said) => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: content([start, ...said, finish()]) },
    ]
    const parts =
      messagesConversion.readRequest({ model: 'm', max_tokens: 1, messages }, { path: '/v1/messages' }).messages[1]
        ?.parts ?? []
    const sealed = said.find((event) => event.type === 'seal')
    expect(parts.flatMap((part) => ('seal' in part && part.seal ? [part.seal] : []))).toEqual([sealed?.seal])
  })
})

describe('a whole answer as Messages', () => {
  it('has every member', () => {
    const whole = body([
      start,
      ...block(0, thinking, ['h', 'm']),
      ...block(1, text, ['hi']),
      ...block(2, call('c1'), ['{"a"', ':1}']),
      ...block(3, call('c2'), []),
      finish('tool-calls'),
    ])
    expect(validateMessagesBody(whole)).toEqual([])
    expect(whole).toEqual({
      id: 'msg_new',
      type: 'message',
      role: 'assistant',
      model: 'gpt-x',
      stop_reason: 'tool_use',
      stop_sequence: null,
      content: [
        { type: 'thinking', thinking: 'hm', signature: empty },
        { type: 'text', text: 'hi' },
        { type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'run', input: {} },
      ],
      usage: { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 30 },
    })
  })
})

describe('the Anthropic SDK', () => {
  const said = [
    start,
    ...block(0, thinking, ['hm']),
    ...block(1, text, ['he', 'llo “好” \u2028']),
    ...block(2, call('c1'), ['{"a"', ':1}']),
    ...block(3, call('c2'), []),
    finish('tool-calls'),
  ]
  const expected = [
    { type: 'thinking', thinking: 'hm', signature: empty },
    { type: 'text', text: 'hello “好” \u2028' },
    { type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } },
    { type: 'tool_use', id: 'c2', name: 'run', input: {} },
  ]
  const params = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'hi' }] }
  const ask = <T>(contentType: string, answer: string, use: (client: Anthropic) => Promise<T>) =>
    withServer({ contentType, body: Buffer.from(answer), chunkBytes: 7 }, (origin) =>
      use(new Anthropic({ baseURL: origin, apiKey: 'k', maxRetries: 0 })),
    )

  it('reads the stream', async () => {
    const final = await ask('text/event-stream', stream(said), (client) =>
      client.messages.stream(params).finalMessage(),
    )
    expect(final).toMatchObject({
      id: 'msg_new',
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, cache_read_input_tokens: 85, cache_creation_input_tokens: 5, output_tokens: 30 },
    })
    expect(JSON.parse(JSON.stringify(final.content))).toEqual(expected)
  })
  it('reads the body', async () => {
    const answer = await ask('application/json', JSON.stringify(body(said)), (client) => client.messages.create(params))
    expect(answer).toMatchObject({ stop_reason: 'tool_use', content: expected })
  })
  it('fails on the error event', async () => {
    const broken = stream([
      ...said.slice(0, 4),
      { type: 'error', code: 'upstream-broke-off', message: 'The provider hung up.' },
    ])
    await expect(
      ask('text/event-stream', broken, (client) => client.messages.stream(params).finalMessage()),
    ).rejects.toThrow('The provider hung up.')
  })
})
