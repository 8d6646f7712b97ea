/** The official SDKs as clients, streaming and not, same protocol in and out. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderType } from '../../shared/config/schema.ts'
import {
  callTool,
  fail,
  garbage,
  gate,
  raw,
  say,
  startMockUpstream,
  type MockReply,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'

interface Bench {
  mock: MockUpstream
  engine: EngineForTest
}
let engine: EngineForTest
beforeAll(async () => {
  engine = await startEngineForTest({})
})
afterAll(async () => {
  await engine.dispose()
  removeHomes()
})
let bench: Bench | null = null
/** problems a test wants to cause */
let expected: RegExp | null = null
afterEach(async () => {
  const problems = bench?.mock.problems.filter((p) => !expected?.test(p)) ?? []
  await bench?.mock.dispose()
  bench = null
  expected = null
  expect(problems).toEqual([])
})

async function open(type: ProviderType): Promise<Bench> {
  const mock = await startMockUpstream({ keys: ['sk-upstream'] })
  const baseUrl = type === 'anthropic' ? mock.baseUrl : `${mock.baseUrl}/v1`
  await engine.use({
    // What is Onward's own to add is another table's subject (take-over).
    clock: { timeTag: false },
    servertools: { enabled: false },
    providers: { up: { type, baseUrl, keys: [{ alias: 'main', value: 'sk-upstream' }], models: { 'm-1': {} } } },
    routes: { default: ['up.m-1'] },
  })
  bench = { mock, engine }
  return bench
}
const openaiOf = ({ engine }: Bench): OpenAI =>
  new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key, maxRetries: 0 })
const anthropicOf = ({ engine }: Bench): Anthropic =>
  new Anthropic({ baseURL: engine.baseUrl, apiKey: engine.key, maxRetries: 0 })

const hello = [{ role: 'user' as const, content: 'Hi, 世界' }]
const usage = { input: 50, cachedInput: 20, output: 7, reasoning: 3 }
const answer = (piece: number): MockReply => ({
  kind: 'answer',
  text: 'Hello, 世界 👋',
  toolCalls: [
    { name: 'look', input: { at: 'a"b' } },
    { name: 'read', input: {} },
  ],
  usage,
  piece,
})

describe('Chat Completions through the engine', () => {
  const tools: OpenAI.ChatCompletionTool[] = ['look', 'read'].map((name) => ({
    type: 'function',
    function: { name, strict: true, parameters: { type: 'object', properties: {}, additionalProperties: false } },
  }))

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('%s', async (_how, streaming) => {
    const b = await open('openai-chat')
    b.mock.queue(answer(3))
    const openai = openaiOf(b)
    const asked = { model: 'm-1', messages: hello, tools }
    const completion = streaming
      ? await openai.chat.completions
          .stream({ ...asked, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await openai.chat.completions.create(asked)
    const choice = completion.choices[0]
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.content).toBe('Hello, 世界 👋')
    expect(
      choice?.message.tool_calls?.map((c) =>
        c.type === 'function' ? [c.function.name, JSON.parse(c.function.arguments)] : c,
      ),
    ).toEqual([
      ['look', { at: 'a"b' }],
      ['read', {}],
    ])
    expect(completion.usage).toMatchObject({
      prompt_tokens: 50,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 3 },
    })
    const request = await b.mock.turn(1)
    expect(request.json).toMatchObject({ model: 'm-1', messages: hello, tools })
    expect(request.headers['user-agent']).toMatch(/OpenAI/)
  })

  it('over several turns on one conversation', async () => {
    const b = await open('openai-chat')
    b.mock.queue(callTool('look', { at: 1 }), say('Seen.'))
    const openai = openaiOf(b)
    const first = (await openai.chat.completions.create({ model: 'm-1', messages: hello, tools })).choices[0]?.message
    if (!first) throw new Error('no answer')
    const second = await openai.chat.completions.create({
      model: 'm-1',
      messages: [
        ...hello,
        first,
        ...(first.tool_calls ?? []).map((c) => ({ role: 'tool' as const, tool_call_id: c.id, content: 'a tree' })),
      ],
      tools,
    })
    expect(second.choices[0]?.message.content).toBe('Seen.')
  })
})

describe('Responses through the engine', () => {
  it.each([
    ['whole', false],
    ['streaming', true],
  ])('%s', async (_how, streaming) => {
    const b = await open('openai-responses')
    b.mock.queue({
      kind: 'answer',
      text: 'Hello, 世界 👋',
      thinking: 'Think.',
      toolCalls: [
        { name: 'look', input: { at: 1 } },
        { name: 'patch', input: '*** Begin\n', freeform: true },
      ],
      usage,
      piece: 4,
    })
    const openai = openaiOf(b)
    const asked = {
      model: 'm-1',
      input: [{ role: 'user' as const, content: 'Hi' }],
      instructions: 'Be brief.',
      store: false,
      include: ['reasoning.encrypted_content' as const],
    }
    const response = streaming
      ? await openai.responses.stream(asked).finalResponse()
      : await openai.responses.create(asked)
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello, 世界 👋', instructions: 'Be brief.' })
    expect(response.output).toMatchObject([
      { type: 'reasoning', encrypted_content: 'enc_mock1' },
      { type: 'message' },
      { type: 'function_call', arguments: '{"at":1}' },
      { type: 'custom_tool_call', input: '*** Begin\n' },
    ])
    expect(response.usage).toMatchObject({
      input_tokens: 50,
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 3 },
    })
    expect((await b.mock.turn(1)).json).toMatchObject(asked)
  })

  it('with every event in its order', async () => {
    const b = await open('openai-responses')
    b.mock.queue(say('Hello there', { piece: 3 }))
    const numbers = []
    for await (const event of await openaiOf(b).responses.create({ model: 'm-1', input: 'Hi', stream: true }))
      numbers.push(event.sequence_number)
    expect(numbers.length).toBeGreaterThan(8)
    expect(numbers).toEqual(numbers.map((_, i) => i))
  })

  it('compacts', async () => {
    const b = await open('openai-responses')
    const compacted = await openaiOf(b).responses.compact({ model: 'm-1', input: [{ role: 'user', content: 'Hi' }] })
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [{ type: 'compaction', encrypted_content: 'enc_mock1' }],
    })
  })
})

describe('Messages through the engine', () => {
  const asked = {
    model: 'm-1',
    max_tokens: 100,
    messages: hello,
    tools: [
      { name: 'look', input_schema: { type: 'object' as const } },
      { name: 'read', input_schema: { type: 'object' as const } },
    ],
  }

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('%s', async (_how, streaming) => {
    const b = await open('anthropic')
    b.mock.queue({
      kind: 'answer',
      text: 'Hello, 世界 👋',
      thinking: 'Think of it.',
      toolCalls: [
        { name: 'look', input: { at: 'a"b', deep: [1, null] } },
        { name: 'read', input: {} },
      ],
      usage,
      piece: 4,
    })
    const anthropic = anthropicOf(b)
    const message = streaming
      ? await anthropic.messages.stream(asked).finalMessage()
      : await anthropic.messages.create(asked)
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Think of it.', signature: 'sig_mock1' },
        { type: 'text', text: 'Hello, 世界 👋' },
        { type: 'tool_use', name: 'look', input: { at: 'a"b', deep: [1, null] } },
        { type: 'tool_use', name: 'read', input: {} },
      ],
      usage: { input_tokens: 30, cache_read_input_tokens: 20, output_tokens: 7 },
    })
    const request = await b.mock.turn(1)
    expect(request.json).toMatchObject({ ...asked, ...(streaming ? { stream: true } : {}) })
    expect(request.headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('counts tokens', async () => {
    const b = await open('anthropic')
    expect((await anthropicOf(b).messages.countTokens({ model: 'm-1', messages: hello })).input_tokens).toBeGreaterThan(
      0,
    )
    expect(b.mock.requests[0]?.endpoint).toBe('count')
  })

  it('keeps beta headers and the query', async () => {
    const b = await open('anthropic')
    await anthropicOf(b).beta.messages.create(
      { ...asked, betas: ['context-1m-2025-08-07', 'made-up-2026-01-01'] },
      { query: { beta: 'true' } },
    )
    const request = await b.mock.turn(1)
    expect(request.headers['anthropic-beta']).toBe('context-1m-2025-08-07,made-up-2026-01-01')
    expect(request.query).toBe('?beta=true')
  })
})

/** without it a stream counts as broken off, and is told so */
const lastEvent: Record<string, string> = {
  'openai-chat': 'data: [DONE]\n\n',
  'openai-responses': 'data: {"type":"response.completed" , "response":{}}\n\n',
  anthropic: 'event: message_stop\ndata: {"type": "message_stop"}\n\n',
}

describe('every byte', () => {
  const doors = [
    [
      'openai-chat',
      '/v1/chat/completions',
      '"messages" : [ {"role":"user" ,"content":"\\u00e4 世界 \\ud83d\\udc4b"} ]',
      {},
    ],
    ['openai-responses', '/v1/responses', '"input" : [ {"role":"user" ,"content":"\\u00e4 世界"} ]', {}],
    [
      'anthropic',
      '/v1/messages',
      '"max_tokens":1e2,\t"messages" : [ {"role":"user" ,"content":[{"type":"text","text":"\\u00e4 世界","x":{}}]} ]',
      { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x-1' },
    ],
  ] as const
  it.each(doors)('of a request and its answer is kept: %s', async (type, path, members, headers) => {
    const b = await open(type)
    const body =
      '\n{ "x_unknown" : [ 1.50, -0, 1E400, "\\/" ],\r\n  ' + `"stream":true,"model":"m-1", ${members} , "zz":null }\n`
    const events = [
      ': a comment\n\n',
      'event: made_up\nid: 7\nretry: 10\ndata: {"a":  1}\ndata: more\n\n',
      'data:no space\r\n\r\n',
      Buffer.from([0xef, 0xbb, 0xbf]),
      'data: 世',
      Buffer.from('界').subarray(0, 2),
      { pauseMs: 5 },
      Buffer.from('界').subarray(2),
      '\n\n',
      // At once, as vendors do: what comes later than its last word is not waited for.
      `${lastEvent[type] ?? ''}data: the end without a blank line`,
    ]
    b.mock.queue(
      raw(events, {
        headers: {
          'content-type': 'text/event-stream',
          'x-unknown-header': 'kept',
          'anthropic-ratelimit-requests-remaining': '7',
        },
      }),
    )
    const response = await fetch(b.engine.baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${b.engine.key}`,
        'x-made-up': 'yes',
        ...headers,
      },
      body,
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(
      Buffer.concat(events.flatMap((e) => (typeof e === 'string' || Buffer.isBuffer(e) ? [Buffer.from(e)] : []))),
    )
    expect(response.headers.get('x-unknown-header')).toBe('kept')
    expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('7')
    const request = await b.mock.turn(1)
    expect(request.body.toString()).toBe(body)
    expect(request.headers['x-made-up']).toBe('yes')
    for (const [name, value] of Object.entries(headers)) expect(request.headers[name]).toBe(value)
  })

  it.each(doors)('of a JSON answer is kept: %s', async (type, path, members, headers) => {
    const b = await open(type)
    const body = '{ "id" :"x",\n "unknown":[1.0,{}], "text":"\\u4e16" }\n'
    b.mock.queue(raw(body, { status: 200, headers: { 'content-type': 'application/json' } }))
    const response = await fetch(b.engine.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${b.engine.key}`, ...headers },
      body: `{"model":"m-1",${members}}`,
    })
    expect(await response.text()).toBe(body)
  })

  it('of a first event arrives before the second is sent', async () => {
    const b = await open('openai-chat')
    const until = gate()
    b.mock.queue(say('abc', { piece: 1, hold: { at: 2, until } }))
    const seen: string[] = []
    for await (const chunk of await openaiOf(b).chat.completions.create({
      model: 'm-1',
      messages: hello,
      stream: true,
    })) {
      seen.push(chunk.choices[0]?.delta.content ?? '')
      if (seen.join('') === 'a') until.open()
    }
    expect(seen.join('')).toBe('abc')
  })
})

describe('what goes wrong', () => {
  const streamOf: Record<'openai-chat' | 'openai-responses' | 'anthropic', (b: Bench) => Promise<unknown>> = {
    'openai-chat': async (b) => {
      for await (const _ of await openaiOf(b).chat.completions.create({ model: 'm-1', messages: hello, stream: true }));
    },
    'openai-responses': (b) => openaiOf(b).responses.stream({ model: 'm-1', input: 'Hi' }).finalResponse(),
    anthropic: (b) => anthropicOf(b).messages.stream({ model: 'm-1', max_tokens: 9, messages: hello }).finalMessage(),
  }
  const wholeOf: Record<keyof typeof streamOf, (b: Bench) => Promise<unknown>> = {
    'openai-chat': (b) => openaiOf(b).chat.completions.create({ model: 'm-1', messages: hello }),
    'openai-responses': (b) => openaiOf(b).responses.create({ model: 'm-1', input: 'Hi' }),
    anthropic: (b) => anthropicOf(b).messages.create({ model: 'm-1', max_tokens: 9, messages: hello }),
  }
  const types = ['openai-chat', 'openai-responses', 'anthropic'] as const

  it.each(types)('a refusal of the provider comes through as it is: %s', async (type) => {
    const b = await open(type)
    b.mock.otherwise = fail(400, { message: 'this model takes no pictures' })
    const error = await wholeOf[type](b).catch((e: unknown) => e)
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('this model takes no pictures') })
    expect(b.mock.turns()).toHaveLength(1)
  })

  it.each(types)('a rate limit comes through with its retry-after: %s', async (type) => {
    const b = await open(type)
    b.mock.otherwise = fail(429, { message: 'slow down', headers: { 'retry-after': '7' } })
    const error = await wholeOf[type](b).catch((e: unknown) => e)
    expect(error).toMatchObject({ status: 429 })
    expect(
      error instanceof OpenAI.APIError || error instanceof Anthropic.APIError
        ? new Headers(error.headers ?? {}).get('retry-after')
        : null,
    ).toBe('7')
  })

  it.each(types)('a stream that breaks off is never taken for whole: %s', async (type) => {
    const b = await open(type)
    b.mock.otherwise = say('a longer answer that breaks off', { piece: 4, breakOff: { after: 6, how: 'cut' } })
    await expect(streamOf[type](b)).rejects.toThrow()
  })

  it.each(types)('a provider that talks no HTTP is an error of the API: %s', async (type) => {
    const b = await open(type)
    b.mock.otherwise = garbage('\x16\x03\x01 not http\r\n\r\n')
    const error = await wholeOf[type](b).catch((e: unknown) => e)
    expect(error instanceof OpenAI.APIError || error instanceof Anthropic.APIError).toBe(true)
    expect(error).toMatchObject({ status: expect.any(Number) })
    expect((error as { status: number }).status).toBeGreaterThanOrEqual(500)
  })

  it.each(types)('a provider that is gone is an error of the API: %s', async (type) => {
    const b = await open(type)
    await b.mock.dispose()
    const error = await wholeOf[type](b).catch((e: unknown) => e)
    expect((error as { status?: number }).status).toBeGreaterThanOrEqual(500)
  })

  it.each(types)("a caller that leaves ends the provider's work too: %s", async (type) => {
    const b = await open(type)
    b.mock.queue(say('abc', { piece: 1, hold: { at: 3, until: gate() } }))
    const control = new AbortController()
    const options = { signal: control.signal }
    const begin: Record<typeof type, () => Promise<AsyncIterable<unknown>>> = {
      'openai-chat': () =>
        openaiOf(b).chat.completions.create({ model: 'm-1', messages: hello, stream: true }, options),
      'openai-responses': () => openaiOf(b).responses.create({ model: 'm-1', input: 'Hi', stream: true }, options),
      anthropic: () =>
        anthropicOf(b).messages.create({ model: 'm-1', max_tokens: 9, messages: hello, stream: true }, options),
    }
    for await (const _ of await begin[type]()) {
      control.abort()
      break
    }
    expect(await (await b.mock.turn(1)).over).toBe('left')
  })

  it('a wrong key is an authentication error in every SDK, and the provider hears nothing', async () => {
    const b = await open('openai-chat')
    const wrong = { ...b, engine: { ...b.engine, key: 'wrong' } }
    await expect(wholeOf['openai-chat'](wrong)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    await expect(wholeOf['openai-responses'](wrong)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    await expect(wholeOf['anthropic'](wrong)).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
    expect(b.mock.requests).toEqual([])
  })
})

describe('models', () => {
  it('are listed for both SDKs', async () => {
    const b = await open('openai-chat')
    const ids = { openai: [] as string[], anthropic: [] as string[] }
    for await (const model of openaiOf(b).models.list()) ids.openai.push(model.id)
    for await (const model of anthropicOf(b).models.list()) ids.anthropic.push(model.id)
    expect(ids.openai.some((id) => id.endsWith('m-1'))).toBe(true)
    expect(ids.anthropic).toEqual(ids.openai)
  })
})
