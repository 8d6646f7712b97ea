import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { converted } from '../../testing/converted.ts'
import { kept, nextRequest } from '../../testing/hand-back.ts'
import { plainRequest } from '../../testing/plain-request.ts'
import { asObjects, parseObject, type JsonObject } from '../../values.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import { wireProtocols, type Message, type Seal } from '../request.ts'

const wanting = [
  'deepseek-v4-pro',
  'deepseek/deepseek-v3.2',
  'deepseek-chat',
  'moonshotai/kimi-k2.6',
  'kimi-k3',
  'mimo-v2.5',
]
const others = ['glm-5', 'qwen3-coder', 'moonshotai/kimi-k2-instruct-0905', 'deepseek-r1-distill-llama-70b', 'gpt-5.4']

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
