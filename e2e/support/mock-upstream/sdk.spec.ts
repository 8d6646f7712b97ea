/** The mock speaks as providers do: read by the official packages, whole and streaming. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool, fail, say, startMockUpstream, type MockUpstream } from './index.ts'

let mock: MockUpstream
let openai: OpenAI
let anthropic: Anthropic
beforeEach(async () => {
  mock = await startMockUpstream({ gaps: [0], models: ['m-1', 'm-2'] })
  openai = new OpenAI({ baseURL: `${mock.baseUrl}/v1`, apiKey: 'sk-test', maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: mock.baseUrl, apiKey: 'sk-ant-test', maxRetries: 0 })
})
afterEach(async () => {
  expect(mock.problems).toEqual([])
  await mock.dispose()
})

const hello = [{ role: 'user' as const, content: 'Hi' }]
const usage = { input: 50, cachedInput: 20, output: 7, reasoning: 3 }

describe('Chat Completions', () => {
  it('whole', async () => {
    mock.queue(say('Hello, 世界 👋', { usage }))
    const completion = await openai.chat.completions.create({ model: 'm-1', messages: hello })
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello, 世界 👋' },
    })
    expect(completion.usage).toMatchObject({
      prompt_tokens: 50,
      completion_tokens: 7,
      total_tokens: 57,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 3 },
    })
    expect(completion._request_id).toBe('req_mock1')
  })

  it('streaming, put together by the SDK', async () => {
    mock.queue(say('Hello, 世界 👋 and more', { usage, piece: 3 }))
    const stream = openai.chat.completions.stream({
      model: 'm-1',
      messages: hello,
      stream_options: { include_usage: true },
    })
    let text = ''
    stream.on('content', (delta) => {
      text += delta
    })
    const completion = await stream.finalChatCompletion()
    expect(text).toBe('Hello, 世界 👋 and more')
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: text } })
    expect(completion.usage?.completion_tokens).toBe(7)
  })

  it('has no usage chunk unless asked', async () => {
    mock.queue(say('Hi'))
    const stream = await openai.chat.completions.create({ model: 'm-1', messages: hello, stream: true })
    for await (const chunk of stream) expect(chunk.usage ?? null).toBeNull()
  })

  it('calls tools, in parallel, and takes their results', async () => {
    const tools: OpenAI.ChatCompletionTool[] = ['look', 'read'].map((name) => ({
      type: 'function',
      function: { name, parameters: { type: 'object' } },
    }))
    mock.queue(
      {
        kind: 'answer',
        text: 'Let me see.',
        toolCalls: [
          { name: 'look', input: { at: 'a"b' } },
          { name: 'read', input: {}, id: 'call_x' },
        ],
      },
      say('Seen.'),
    )
    const stream = openai.chat.completions.stream({ model: 'm-1', messages: hello, tools })
    const first = (await stream.finalChatCompletion()).choices[0]
    expect(first?.finish_reason).toBe('tool_calls')
    const calls = first?.message.tool_calls ?? []
    expect(
      calls.map((c) => (c.type === 'function' ? [c.id, c.function.name, JSON.parse(c.function.arguments)] : null)),
    ).toEqual([
      ['call_mock1_0', 'look', { at: 'a"b' }],
      ['call_x', 'read', {}],
    ])
    const second = await openai.chat.completions.create({
      model: 'm-1',
      messages: [
        ...hello,
        { role: 'assistant', content: 'Let me see.', tool_calls: calls },
        ...calls.map((c) => ({ role: 'tool' as const, tool_call_id: c.id, content: 'ok' })),
      ],
    })
    expect(second.choices[0]?.message.content).toBe('Seen.')
  })

  it.each([
    ['length', 'length'],
    ['content-filter', 'content_filter'],
  ] as const)('ends with %s', async (finish, reason) => {
    mock.queue(say('Hi', { finish }), say('Hi', { finish }))
    expect((await openai.chat.completions.create({ model: 'm-1', messages: hello })).choices[0]?.finish_reason).toBe(
      reason,
    )
    const reasons = []
    for await (const chunk of await openai.chat.completions.create({ model: 'm-1', messages: hello, stream: true }))
      reasons.push(chunk.choices[0]?.finish_reason)
    expect(reasons.at(-1)).toBe(reason)
  })
})

describe('Responses', () => {
  it('whole', async () => {
    mock.queue(say('Hello', { thinking: 'Think.', usage }))
    const response = await openai.responses.create({ model: 'm-1', input: 'Hi', instructions: 'Be brief.' })
    expect(response).toMatchObject({
      status: 'completed',
      output_text: 'Hello',
      instructions: 'Be brief.',
      error: null,
      incomplete_details: null,
    })
    expect(response.output.map((i) => i.type)).toEqual(['reasoning', 'message'])
    expect(response.usage).toMatchObject({
      input_tokens: 50,
      input_tokens_details: { cached_tokens: 20 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 57,
    })
  })

  it('streaming, every event numbered, put together by the SDK', async () => {
    mock.queue({
      kind: 'answer',
      text: 'Hello, 世界 👋',
      thinking: 'Think of it.',
      toolCalls: [
        { name: 'look', input: { at: 1 } },
        { name: 'patch', input: '*** Begin', freeform: true },
      ],
      usage,
      piece: 4,
    })
    const stream = openai.responses.stream({ model: 'm-1', input: [{ role: 'user', content: 'Hi' }] })
    const seen: { type: string; sequence_number: number }[] = []
    for await (const event of stream) seen.push({ type: event.type, sequence_number: event.sequence_number })
    expect(seen.map((e) => e.sequence_number)).toEqual(seen.map((_, i) => i))
    expect(seen.map((e) => e.type).filter((t, i, all) => t !== all[i - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ])
    const final = await stream.finalResponse()
    expect(final.output_text).toBe('Hello, 世界 👋')
    expect(final.output).toMatchObject([
      { type: 'reasoning' },
      { type: 'message' },
      { type: 'function_call', name: 'look', arguments: '{"at":1}' },
      { type: 'custom_tool_call', name: 'patch', input: '*** Begin' },
    ])
  })

  it.each([
    ['length', 'max_output_tokens'],
    ['content-filter', 'content_filter'],
  ] as const)('is incomplete by %s', async (finish, reason) => {
    mock.queue(say('Hel', { finish }), say('Hel', { finish }))
    expect(await openai.responses.create({ model: 'm-1', input: 'Hi' })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
    })
    const types = []
    for await (const event of await openai.responses.create({ model: 'm-1', input: 'Hi', stream: true }))
      types.push(event.type)
    expect(types.at(-1)).toBe('response.incomplete')
  })

  it('compacts', async () => {
    const compacted = await openai.responses.compact({ model: 'm-1', input: [{ role: 'user', content: 'Hi' }] })
    expect(compacted).toMatchObject({ object: 'response.compaction', output: [{ type: 'compaction' }] })
    expect(mock.requests[0]).toMatchObject({ endpoint: 'compact', auxiliary: 'compaction' })
  })
})

describe('Messages', () => {
  const common = { model: 'm-1', max_tokens: 100, messages: hello }

  it('whole', async () => {
    mock.queue(say('Hello', { thinking: 'Think.', usage }))
    const message = await anthropic.messages.create(common)
    expect(message).toMatchObject({
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [
        { type: 'thinking', thinking: 'Think.', signature: 'sig_mock1' },
        { type: 'text', text: 'Hello' },
      ],
    })
    expect(message.usage).toMatchObject({ input_tokens: 30, cache_read_input_tokens: 20, output_tokens: 7 })
  })

  it('streaming, put together by the SDK', async () => {
    mock.queue({
      kind: 'answer',
      text: 'Hello, 世界 👋',
      thinking: 'Think of it.',
      toolCalls: [{ name: 'look', input: { at: 'a"b', deep: [1, 2] } }],
      usage,
      piece: 4,
    })
    const stream = anthropic.messages.stream({ ...common, tools: [{ name: 'look', input_schema: { type: 'object' } }] })
    let text = ''
    stream.on('text', (delta) => {
      text += delta
    })
    const message = await stream.finalMessage()
    expect(text).toBe('Hello, 世界 👋')
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Think of it.', signature: 'sig_mock1' },
        { type: 'text', text },
        { type: 'tool_use', name: 'look', input: { at: 'a"b', deep: [1, 2] } },
      ],
    })
    expect(message.usage.output_tokens).toBe(7)
    mock.queue(say('Seen.'))
    const next = await anthropic.messages.create({
      ...common,
      messages: [
        ...hello,
        { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_mock1_0', content: 'ok' }] },
      ],
    })
    expect(next.content).toMatchObject([{ text: 'Seen.' }])
  })

  it.each([
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
    ['pause-turn', 'pause_turn'],
    ['stop-sequence', 'stop_sequence'],
  ] as const)('stops by %s', async (finish, reason) => {
    mock.queue(say('Hi', { finish }), say('Hi', { finish }))
    expect((await anthropic.messages.create(common)).stop_reason).toBe(reason)
    expect((await anthropic.messages.stream(common).finalMessage()).stop_reason).toBe(reason)
  })

  it('counts tokens', async () => {
    expect((await anthropic.messages.countTokens({ model: 'm-1', messages: hello })).input_tokens).toBeGreaterThan(0)
    expect(mock.turns()).toEqual([])
  })
})

describe('models and errors', () => {
  it('lists models in both shapes', async () => {
    const names = []
    for await (const model of openai.models.list()) names.push(model.id)
    for await (const model of anthropic.models.list()) names.push(model.id)
    expect(names).toEqual(['m-1', 'm-2', 'm-1', 'm-2'])
  })

  it("fails in the protocol's shape", async () => {
    mock.queue(
      fail(429, { message: 'slow down', headers: { 'retry-after': '7' } }),
      fail(529, { message: 'overloaded' }),
      fail(400, { message: 'no' }),
    )
    const limited = await openai.chat.completions
      .create({ model: 'm-1', messages: hello })
      .catch((error: unknown) => error)
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError)
    expect(limited).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      message: expect.stringContaining('slow down'),
    })
    const overloaded = await anthropic.messages
      .create({ model: 'm-1', max_tokens: 1, messages: hello })
      .catch((error: unknown) => error)
    expect(overloaded).toMatchObject({
      status: 529,
      error: { error: { type: 'overloaded_error', message: 'overloaded' } },
    })
    await expect(openai.responses.create({ model: 'm-1', input: 'Hi' })).rejects.toBeInstanceOf(OpenAI.BadRequestError)
  })

  it('takes calls with a tool by helper', async () => {
    mock.queue(callTool('look', { a: 1 }, { text: 'See:', call: { id: 'call_7' } }))
    const { choices } = await openai.chat.completions.create({ model: 'm-1', messages: hello })
    expect(choices[0]?.message).toMatchObject({
      content: 'See:',
      tool_calls: [{ id: 'call_7', function: { name: 'look' } }],
    })
  })
})
