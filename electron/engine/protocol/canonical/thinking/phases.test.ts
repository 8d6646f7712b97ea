import { describe, expect, it } from 'vitest'
import { asked } from '../../chat/convert/testing/exchange.ts'
import { conversionOf } from '../../conversions.ts'
import { converted } from '../../testing/converted.ts'
import { kept, nextRequest, withoutThinking } from '../../testing/hand-back.ts'
import { plainRequest } from '../../testing/plain-request.ts'
import { validateChatStream } from '../../testing/validate-chat.ts'
import { validateGeminiStream } from '../../testing/validate-gemini.ts'
import { validateMessagesRequest } from '../../testing/validate-messages-request.ts'
import { validateMessagesStream } from '../../testing/validate-messages.ts'
import { asList, asObject, parseObject, type JsonObject, asObjects } from '../../values.ts'
import type { AnswerConversion } from '../convert-answer.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import { type WireProtocol, wireProtocols, type Message, type Seal } from '../request.ts'
import { convertToBody, convertToStream } from '../testing/convert-bytes.ts'
import { withoutForeignSeals } from './foreign-seals.ts'

const clients = ['messages', 'chat', 'gemini'] as const
const ways = [
  ['streaming', true],
  ['whole', false],
] as const
const pathOf = (protocol: WireProtocol): string => (protocol === 'gemini' ? '/v1beta/models/m:generateContent' : '/v1')

interface Item {
  type: 'message' | 'reasoning' | 'function_call'
  text?: string
  phase?: string
}

const wire = ({ type, text = '', phase }: Item, i: number): JsonObject => {
  switch (type) {
    case 'message':
      return {
        id: `msg_${i}`,
        type,
        role: 'assistant',
        status: 'completed',
        ...(phase === undefined ? {} : { phase }),
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      }
    case 'reasoning':
      return { id: `rs_${i}`, type, summary: [{ type: 'summary_text', text }], encrypted_content: `enc_${i}` }
    case 'function_call':
      return { id: `fc_${i}`, type, call_id: `call_${i}`, name: 'look', arguments: '{"at":"x"}', status: 'completed' }
  }
}

/** OpenAI's stream of these items; a message's text comes in two pieces. */
function streamOf(items: readonly Item[], late = false): string {
  const events: JsonObject[] = [{ type: 'response.created', response: { id: 'resp_1', model: 'gpt', output: [] } }]
  for (const [i, item] of items.entries()) {
    const whole = wire(item, i)
    const begun = item.type === 'message' ? { ...whole, content: [], status: 'in_progress' } : whole
    events.push({
      type: 'response.output_item.added',
      output_index: i,
      item: late ? { ...begun, phase: undefined } : begun,
    })
    if (item.type === 'message')
      for (const delta of [(item.text ?? '').slice(0, 3), (item.text ?? '').slice(3)])
        events.push({ type: 'response.output_text.delta', output_index: i, content_index: 0, delta })
    events.push({ type: 'response.output_item.done', output_index: i, item: whole })
  }
  const response = { id: 'resp_1', model: 'gpt', status: 'completed', output: items.map(wire) }
  events.push({ type: 'response.completed', response })
  return events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function conversion(client: WireProtocol, dropped: string[] = []): AnswerConversion {
  let ids = 0
  return {
    from: conversionOf.responses,
    to: conversionOf[client],
    restore: (emit) => emit,
    context: {
      model: 'm',
      request: asked({ includeUsage: true }),
      nowMs: 0,
      newId: (prefix) => `${prefix}own${ids++}`,
      dropped: (name) => void dropped.push(name),
    },
  }
}

function answerFor(client: WireProtocol, items: readonly Item[], stream: boolean): string {
  if (!stream) {
    const whole = convertToBody(conversion(client)).whole(
      Buffer.from(JSON.stringify({ id: 'resp_1', model: 'gpt', status: 'completed', output: items.map(wire) })),
    )
    return whole.kind === 'body' ? whole.body.toString() : whole.code
  }
  const converter = convertToStream(conversion(client))
  return Buffer.concat([converter.push(Buffer.from(streamOf(items))), converter.end()]).toString()
}

function sentOn(client: WireProtocol, history: readonly JsonObject[], provider: WireProtocol) {
  const request = readCanonical(conversionOf[client], nextRequest(client, history), pathOf(client))
  const { body, dropped } = writeCanonical(request, conversionOf[provider], { model: 'gpt-5.5', maxOutput: null })
  return { body: parseObject(body) ?? {}, dropped }
}

const messagesIn = (body: JsonObject): unknown[] =>
  asList(body['input']).filter((item) => asObject(item)?.['role'] === 'assistant')

const examples: Record<string, Item[]> = {
  'a commentary in front of a call': [
    { type: 'reasoning', text: 'Look first.' },
    { type: 'message', text: 'I look at the folder.', phase: 'commentary' },
    { type: 'function_call' },
  ],
  'an answer': [{ type: 'message', text: 'All is well. 世界', phase: 'final_answer' }],
  'a commentary and the answer in one': [
    { type: 'message', text: 'I look.', phase: 'commentary' },
    { type: 'reasoning', text: 'So it is.' },
    { type: 'message', text: 'All is well.', phase: 'final_answer' },
  ],
  'a commentary behind another message': [
    { type: 'message', text: 'Hm.' },
    { type: 'message', text: 'I look.', phase: 'commentary' },
    { type: 'function_call' },
  ],
}

describe.each(clients)('a phase on its way to a %s client', (client) => {
  describe.each(Object.entries(examples))('of %s', (_, items) => {
    it.each(ways)('comes back on the very text, %s', (_how, stream) => {
      const { body } = sentOn(client, kept(client, answerFor(client, items, stream), stream), 'responses')
      expect(messagesIn(body)).toEqual(
        items.flatMap(({ type, text, phase }) =>
          type === 'message'
            ? [{ type: 'message', role: 'assistant', content: text, ...(phase === undefined ? {} : { phase }) }]
            : [],
        ),
      )
    })

    it.each(ways)('leaves nothing in requests to others, and is named, %s', (_how, stream) => {
      const history = kept(client, answerFor(client, items, stream), stream)
      for (const provider of clients) {
        if (provider === client) {
          const passed = withoutForeignSeals(client, Buffer.from(JSON.stringify(nextRequest(client, history))), 'm')
          expect(passed.toString()).not.toMatch(/onward\.1\.|b253YXJkLjEu/)
          continue
        }
        const { body, dropped } = sentOn(client, history, provider)
        expect(dropped).toContain('phase')
        expect(JSON.stringify(body)).not.toMatch(/phase|onward\.1\.|"thinking":""/)
        if (provider === 'messages') expect(validateMessagesRequest(body)).toEqual([])
      }
    })
  })
})

describe('a phase', () => {
  const both = examples['a commentary and the answer in one'] ?? []

  it('stands in front of its text, so that a client’s last block stays the answer', () => {
    const blocks = asList(kept('messages', answerFor('messages', both, true), true)[0]?.['content'])
    expect(blocks.map((block) => asObject(block)?.['type'])).toEqual([
      'thinking',
      'text',
      'thinking',
      'thinking',
      'text',
    ])
  })

  it('makes streams that clients accept', () => {
    expect(validateMessagesStream(answerFor('messages', both, true))).toEqual([])
    expect(validateChatStream(answerFor('chat', both, true))).toEqual([])
    expect(validateGeminiStream(answerFor('gemini', both, true))).toEqual([])
  })

  it('that is said only behind the first words is named', () => {
    const dropped: string[] = []
    const converter = convertToStream(conversion('messages', dropped))
    converter.push(Buffer.from(streamOf(examples['an answer'] ?? [], true)))
    expect([converter.ended, dropped]).toEqual(['finish', ['phase']])
  })

  it('is left out, by name, where the client changed the words it was made for', () => {
    const [message] = kept('chat', answerFor('chat', both.toSpliced(1, 1), true), true)
    const { body, dropped } = sentOn('chat', [{ ...message, content: 'Something else altogether.' }], 'responses')
    expect(messagesIn(body)).toEqual([{ type: 'message', role: 'assistant', content: 'Something else altogether.' }])
    expect(dropped).toContain('phase')
  })

  it('is no harm to a client that keeps none', () => {
    for (const client of clients) {
      const history = withoutThinking(client, kept(client, answerFor(client, both, true), true))
      expect(JSON.stringify(sentOn(client, history, 'responses').body)).not.toContain('phase')
    }
  })

  it('of a Responses client is named where its provider has no place for it', () => {
    const items = both.map(wire)
    for (const provider of clients) {
      const { body, dropped } = sentOn('responses', items, provider)
      expect(dropped).toContain('phase')
      expect(JSON.stringify(body)).not.toContain('commentary')
    }
  })
})

describe('wanted back', () => {
  const wanting = [
    'deepseek-v4-pro',
    'deepseek/deepseek-v3.2',
    'deepseek-chat',
    'moonshotai/kimi-k2.6',
    'kimi-k3',
    'mimo-v2.5',
  ]
  const others = [
    'glm-5',
    'qwen3-coder',
    'moonshotai/kimi-k2-instruct-0905',
    'deepseek-r1-distill-llama-70b',
    'gpt-5.4',
  ]

  /** A loop of tools that other models answered, with words between two of its calls. */
  function loopOf(seal: Seal | null): Message[] {
    const step = (id: string): Message[] => [
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'Somebody thinks.', seal },
          { type: 'tool-call', id, name: 'look', arguments: '{}', custom: false, seal: null },
        ],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: id, name: 'look', parts: [], isError: false, custom: false }],
      },
    ]
    return [
      { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      ...step('call_1'),
      { role: 'assistant', parts: [{ type: 'text', text: 'Halfway.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      ...step('call_2'),
    ]
  }

  const written = (to: 'chat' | 'messages', model: string, messages: readonly Message[]) => {
    const { body, dropped } = writeCanonical({ ...plainRequest, messages }, conversionOf[to], {
      model,
      maxOutput: 64_000,
    })
    const answers = asObjects(parseObject(body)?.['messages']).filter(({ role }) => role === 'assistant')
    return { answers, dropped }
  }
  const first = ({ content }: JsonObject): JsonObject | undefined => asObjects(content)[0]

  describe('a model that wants the thinking of every answer back', () => {
    const vendors = ['responses', 'gemini', 'messages'] as const
    it.each(wanting)('gets a placeholder for what other vendors thought (%s over Chat)', (model) => {
      for (const of of vendors) {
        const { answers, dropped } = written('chat', model, loopOf({ of, data: 'EqQB' }))
        expect(answers.map((answer) => answer['reasoning_content'])).toEqual([' ', ' ', ' '])
        expect(dropped).toContain('thinking')
      }
    })

    it.each(wanting)('... and over Messages (%s)', (model) => {
      const { answers, dropped } = written('messages', model, loopOf({ of: 'chat', data: 'reasoning_content' }))
      expect(answers.map(first)).toEqual(Array(3).fill({ type: 'thinking', thinking: ' ', signature: '' }))
      expect(dropped).toContain('thinking')
    })

    it('keeps its own beside it', () => {
      const own = loopOf({ of: 'chat', data: 'reasoning_content' }).slice(1, 3)
      const { answers } = written('chat', 'kimi-k3', [...loopOf(null), ...own])
      expect(answers.map((answer) => answer['reasoning_content'])).toEqual([' ', ' ', ' ', 'Somebody thinks.'])
    })

    it('gets one before the first call too: what has gone up reads the same in later requests', () => {
      const talk = loopOf(null).filter(({ parts }) => parts.every(({ type }) => type === 'text'))
      const { answers, dropped } = written('chat', 'deepseek-v4-pro', talk)
      expect(answers).toEqual([{ role: 'assistant', content: 'Halfway.', reasoning_content: ' ' }])
      expect(dropped).toEqual(['thinking'])
    })

    it.each(others)('is not %s', (model) => {
      for (const answer of written('chat', model, loopOf(null)).answers)
        expect(answer).not.toHaveProperty('reasoning_content')
      for (const answer of written('messages', model, loopOf(null)).answers)
        expect(first(answer)?.['type']).not.toBe('thinking')
    })
  })

  const call = { type: 'tool_use', id: 'tool_1', name: 'look', input: {} }
  const ending = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'k',
    usage: { input_tokens: 9, output_tokens: 2 },
  }
  const streamOf = (events: readonly { type: string }[]): string =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

  /** Thinking as Kimi's Messages endpoint writes it: with an empty signature, or none. */
  const unsigned: readonly (readonly [string, 'stream' | 'body', string])[] = [{ signature: '' }, {}].flatMap(
    (signature) => {
      const thinking = { type: 'thinking', thinking: '', ...signature }
      const body = { ...message, stop_reason: 'tool_use', content: [{ ...thinking, thinking: 'I think.' }, call] }
      const events = [
        { type: 'message_start', message: { ...message, content: [] } },
        { type: 'content_block_start', index: 0, content_block: thinking },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I think.' } },
        ...('signature' in signature
          ? [{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: '' } }]
          : []),
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_start', index: 1, content_block: call },
        { type: 'content_block_stop', index: 1 },
        ...ending,
      ]
      const name = 'signature' in signature ? 'an empty signature' : 'no signature'
      return [
        [name, 'body', JSON.stringify(body)],
        [name, 'stream', streamOf(events)],
      ] as const
    },
  )

  describe.each(unsigned)('thinking with %s (%s)', (_, form, bytes) => {
    it.each(wireProtocols.filter((client) => client !== 'messages'))('goes back to its vendor through %s', (client) => {
      const answer = converted('messages', client, bytes, form)
      const next = nextRequest(client, kept(client, answer.bytes, form === 'stream'))
      const path = client === 'gemini' ? '/v1beta/models/m:generateContent' : '/v1'
      const request = readCanonical(conversionOf[client], next, path)
      const { answers } = written('messages', 'kimi-k3', request.messages)
      expect(answers.map(first)).toEqual([{ type: 'thinking', thinking: 'I think.', signature: '' }])
      const claude = written('messages', 'claude-sonnet-5', request.messages)
      expect(claude.answers.map(first)).toMatchObject([{ type: 'tool_use' }])
      expect(claude.dropped).toContain('thinking')
    })
  })
})
