import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { withServer, type Canned } from '../../testing/serve-once.ts'
import { asked, said, saidBody } from './testing/exchange.ts'

/** OpenAI's own SDK as the client of converted answers. */
const openai = <T>(canned: Canned, use: (client: OpenAI) => Promise<T>): Promise<T> =>
  withServer(canned, (origin) => use(new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'k', maxRetries: 0 })))
const params = { model: 'm', messages: [{ role: 'user', content: 'hi' }] } satisfies OpenAI.ChatCompletionCreateParams
const streamed = (events: readonly AnswerEvent[]): Canned => ({
  contentType: 'text/event-stream',
  body: Buffer.from(said(events, asked({ includeUsage: true })).stream),
  chunkBytes: 11,
})

const begun: AnswerEvent[] = [
  { type: 'start', model: 'glm-5', usage: null },
  { type: 'begin', block: 0, part: { kind: 'thinking' } },
  { type: 'delta', block: 0, text: 'Hm' },
  { type: 'seal', block: 0, seal: { of: 'messages', data: 's' } },
  { type: 'end', block: 0 },
  { type: 'begin', block: 1, part: { kind: 'text' } },
  { type: 'delta', block: 1, text: 'I “look”' },
  { type: 'end', block: 1 },
]
const events: AnswerEvent[] = [
  ...begun,
  { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'call_a', name: 'read', custom: false } },
  { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'call_b', name: 'list', custom: false } },
  { type: 'delta', block: 3, text: '{"b":' },
  { type: 'delta', block: 2, text: '{}' },
  { type: 'delta', block: 3, text: '2}' },
  { type: 'end', block: 2 },
  { type: 'end', block: 3 },
  {
    type: 'finish',
    reason: 'tool-calls',
    stopSequence: null,
    usage: { input: 7, cachedInput: 3, cacheWrite: 0, output: 2, reasoning: 1 },
  },
]
const expected = {
  model: 'glm-5',
  usage: {
    prompt_tokens: 7,
    completion_tokens: 2,
    total_tokens: 9,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 1 },
  },
  choices: [
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'I “look”',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{}' } },
          { id: 'call_b', type: 'function', function: { name: 'list', arguments: '{"b":2}' } },
        ],
      },
    },
  ],
}

describe('OpenAI’s SDK', () => {
  it('puts a converted stream together', async () => {
    expect(
      await openai(streamed(events), (client) => client.chat.completions.stream(params).finalChatCompletion()),
    ).toMatchObject(expected)
  })

  it('reads a converted body', async () => {
    const canned = { contentType: 'application/json', body: Buffer.from(JSON.stringify(saidBody(events).body)) }
    expect(await openai(canned, (client) => client.chat.completions.create(params))).toMatchObject(expected)
  })

  it('fails where the provider broke off, with what was said', async () => {
    const broken = openai(
      streamed([...begun, { type: 'error', code: 'upstream-broke-off', message: 'The provider hung up.' }]),
      (client) => client.chat.completions.stream(params).finalChatCompletion(),
    )
    await expect(broken).rejects.toThrow('The provider hung up.')
  })
})
