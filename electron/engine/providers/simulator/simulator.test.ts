import Anthropic from '@anthropic-ai/sdk'
import { ApiError, type GenerateContentResponse } from '@google/genai'
import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { ask } from '../testing/wire.ts'
import { simulatorClients, user } from './testing/simulator-clients.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const { simulator, clients } = simulatorClients()
const tools = [
  {
    type: 'function' as const,
    function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  },
]

describe('official SDKs against the simulator', () => {
  it('Chat: text, whole and streamed, says that it is a simulator', async () => {
    const { openai } = await clients()
    const whole = await openai.chat.completions.create({ model: 'gpt-x', messages: user('hello there') })
    expect(whole.choices[0]?.message.content).toMatch(/simulator, not a model.*“hello there”/)
    expect([whole.model, whole.choices[0]?.finish_reason]).toEqual(['gpt-x', 'stop'])
    const stream = openai.chat.completions.stream({
      model: 'gpt-x',
      messages: user('hello there'),
      stream_options: { include_usage: true },
    })
    const final = await stream.finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe(whole.choices[0]?.message.content)
    expect(final.usage?.prompt_tokens).toBeGreaterThan(0)
  })

  it('Gemini: text and thoughts, whole, streamed and counted', async () => {
    const { google } = await clients()
    const asked = { model: 'gemini-x', contents: 'simulate: think well simulate: say hello there' }
    const whole = await google.models.generateContent(asked)
    expect([whole.text, whole.modelVersion, whole.candidates?.[0]?.finishReason]).toEqual([
      'hello there',
      'gemini-x',
      'STOP',
    ])
    const chunks = []
    for await (const chunk of await google.models.generateContentStream(asked)) chunks.push(chunk)
    expect(
      chunks
        .flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
        .map((part) => [part.thought ?? false, part.text]),
    ).toEqual([
      [true, 'well'],
      [false, 'hello '],
      [false, 'there'],
      [false, ''],
    ])
    expect((await google.models.countTokens(asked)).totalTokens).toBeGreaterThan(5)
    expect(
      (await google.models.generateContent({ ...asked, contents: 'simulate: length' })).candidates?.[0]?.finishReason,
    ).toBe('MAX_TOKENS')
    const limited = await google.models
      .generateContent({ ...asked, contents: 'simulate: error 429' })
      .catch((error: unknown) => error)
    expect(limited).toBeInstanceOf(ApiError)
    expect(limited).toMatchObject({ status: 429, message: expect.stringContaining('RESOURCE_EXHAUSTED') })
    const form = {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { complexity_score: { type: 'integer', minimum: 1 } } },
    }
    expect(JSON.parse((await google.models.generateContent({ ...asked, config: form })).text ?? '')).toEqual({
      complexity_score: 1,
    })
  })

  it('Gemini: a tool is called, its result answered', async () => {
    const { google } = await clients()
    const question = { role: 'user', parts: [{ text: 'simulate: tool read_file {"path": "a b.txt"}' }] }
    const first = await google.models.generateContent({ model: 'm', contents: [question] })
    expect(first.functionCalls).toMatchObject([{ name: 'read_file', args: { path: 'a b.txt' } }])
    const second = await google.models.generateContent({
      model: 'm',
      contents: [
        question,
        first.candidates?.[0]?.content ?? {},
        { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: 'the file' } } }] },
      ],
    })
    expect([second.candidates?.[0]?.finishReason, second.text]).toEqual(['STOP', expect.stringContaining('“the file”')])
  })

  it('Chat: a tool is called, its result answered', async () => {
    const { openai } = await clients()
    const question = user('simulate: tool read_file {"path": "a b.txt"}')
    const stream = openai.chat.completions.stream({ model: 'm', messages: question, tools })
    const first = (await stream.finalChatCompletion()).choices[0]
    const [call] = first?.message.tool_calls ?? []
    expect(first?.finish_reason).toBe('tool_calls')
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({ path: 'a b.txt' })
    const second = await openai.chat.completions.create({
      model: 'm',
      tools,
      messages: [
        ...question,
        { role: 'assistant', tool_calls: first?.message.tool_calls ?? [] },
        { role: 'tool', tool_call_id: call?.id ?? '', content: 'the file' },
      ],
    })
    expect([second.choices[0]?.finish_reason, second.choices[0]?.message.content]).toEqual([
      'stop',
      expect.stringContaining('“the file”'),
    ])
  })

  it('Responses: text, reasoning and a tool, whole and streamed', async () => {
    const { openai } = await clients()
    const whole = await openai.responses.create({ model: 'm', input: 'simulate: think well simulate: say yes' })
    expect([whole.status, whole.output_text, whole.output.map((item) => item.type)]).toEqual([
      'completed',
      'yes',
      ['reasoning', 'message'],
    ])
    const numbers: number[] = []
    const stream = openai.responses.stream({ model: 'm', input: user('simulate: think well simulate: say yes indeed') })
    stream.on('event', (event) => {
      if ('sequence_number' in event) numbers.push(event.sequence_number)
    })
    expect((await stream.finalResponse()).output_text).toBe('yes indeed')
    expect(numbers).toEqual(numbers.map((_n, i) => i))
    const called = await openai.responses
      .stream({
        model: 'm',
        input: user('simulate: tool read_file {"path":"x"}'),
        tools: [{ type: 'function', name: 'read_file', parameters: {}, strict: false }],
      })
      .finalResponse()
    const item = called.output[0]
    expect(item?.type === 'function_call' && [item.name, item.arguments]).toEqual(['read_file', '{"path":"x"}'])
    const after = await openai.responses.create({
      model: 'm',
      previous_response_id: called.id,
      input: [{ type: 'function_call_output', call_id: 'c', output: 'done it' }],
    })
    expect(after.output_text).toContain('“done it”')
  })

  it('Responses: freeform tools, compaction, an answer that is not complete', async () => {
    const { openai } = await clients()
    const custom = await openai.responses
      .stream({
        model: 'm',
        input: user('simulate: tool apply_patch *** Begin Patch'),
        tools: [{ type: 'custom', name: 'apply_patch' }],
      })
      .finalResponse()
    const item = custom.output[0]
    expect(item?.type === 'custom_tool_call' && item.input).toBe('*** Begin Patch')
    const compacted = await openai.responses.compact({ model: 'gpt-5', input: user('keep me') })
    expect(compacted.output.map((one) => one.type)).toEqual(['message', 'compaction'])
    const cut = await openai.responses.stream({ model: 'm', input: user('simulate: length') }).finalResponse()
    expect([cut.status, cut.incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens'])
  })

  it('Messages: text, thinking and a tool, whole and streamed', async () => {
    const { anthropic } = await clients()
    const whole = await anthropic.messages.create({
      model: 'claude',
      max_tokens: 100,
      messages: user('simulate: think well\nsimulate: say yes'),
    })
    expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text'])
    const stream = anthropic.messages.stream({
      model: 'claude',
      max_tokens: 100,
      messages: user('simulate: think well\nsimulate: say yes'),
    })
    expect((await stream.finalMessage()).content).toEqual([
      { type: 'thinking', thinking: 'well', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'yes' },
    ])
    const called = await anthropic.messages
      .stream({ model: 'claude', max_tokens: 100, messages: user('simulate: tool read_file {"path":"x y"}') })
      .finalMessage()
    const [block] = called.content
    expect([called.stop_reason, block?.type === 'tool_use' && block.input]).toEqual(['tool_use', { path: 'x y' }])
    const after = await anthropic.messages.create({
      model: 'claude',
      max_tokens: 100,
      messages: [
        ...user('simulate: tool read_file {"path":"x y"}'),
        { role: 'assistant', content: called.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'there' },
            { type: 'text', text: 'a reminder' },
          ],
        },
      ],
    })
    expect([after.stop_reason, after.content[0]?.type === 'text' && after.content[0].text]).toEqual([
      'end_turn',
      expect.stringContaining('“there”'),
    ])
  })

  it('counts tokens and lists models in both shapes', async () => {
    const { anthropic, openai } = await clients()
    expect(
      (await anthropic.messages.countTokens({ model: 'claude', messages: user('x'.repeat(400)) })).input_tokens,
    ).toBeGreaterThan(100)
    expect((await anthropic.models.list()).data.map((model) => model.id)).toContain('simulator')
    expect((await openai.models.list()).data.map((model) => model.id)).toContain('simulator')
  })

  it.each([
    [429, OpenAI.RateLimitError, Anthropic.RateLimitError],
    [401, OpenAI.AuthenticationError, Anthropic.AuthenticationError],
    [503, OpenAI.InternalServerError, Anthropic.InternalServerError],
  ] as const)('error %i is the SDKs’ own', async (status, openaiKind, anthropicKind) => {
    const { openai, anthropic } = await clients()
    const asked = user(`simulate: error ${status} after 7`)
    await expect(openai.chat.completions.create({ model: 'm', messages: asked })).rejects.toBeInstanceOf(openaiKind)
    await expect(openai.responses.create({ model: 'm', input: asked })).rejects.toBeInstanceOf(openaiKind)
    const error: unknown = await anthropic.messages
      .create({ model: 'm', max_tokens: 9, messages: asked })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(anthropicKind)
    expect(error instanceof Anthropic.APIError && error.headers?.get('retry-after')).toBe('7')
  })

  it('a counted error is given that often and no more', async () => {
    const { openai } = await clients()
    const ask2 = () =>
      openai.chat.completions.create({ model: 'm', messages: user('simulate: error 529 x2') }).then(
        () => 'ok',
        () => 'error',
      )
    expect([await ask2(), await ask2(), await ask2(), await ask2()]).toEqual(['error', 'error', 'ok', 'ok'])
  })

  it('break-offs, missing ends and error events reach the SDKs as errors', async () => {
    const { openai, anthropic } = await clients()
    for (const words of ['simulate: break off', 'simulate: error event']) {
      await expect(
        openai.chat.completions.stream({ model: 'm', messages: user(words) }).finalChatCompletion(),
      ).rejects.toThrow()
      await expect(openai.responses.stream({ model: 'm', input: user(words) }).finalResponse()).rejects.toThrow()
      await expect(
        anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: user(words) }).finalMessage(),
      ).rejects.toThrow()
    }
    await expect(
      anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: user('simulate: no end') }).finalMessage(),
    ).rejects.toThrow()
  })

  it.each([
    ['simulate: length', 'length', 'max_tokens'],
    ['simulate: refuse', 'content_filter', 'refusal'],
    ['simulate: empty', 'stop', 'end_turn'],
  ])('%s', async (words, chat, messages) => {
    const { openai, anthropic } = await clients()
    expect(
      (await openai.chat.completions.create({ model: 'm', messages: user(words) })).choices[0]?.finish_reason,
    ).toBe(chat)
    expect(
      (await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: user(words) }).finalMessage())
        .stop_reason,
    ).toBe(messages)
  })

  it('answers a wanted schema with JSON that has its members', async () => {
    const { openai, anthropic } = await clients()
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string' },
        score: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['title'],
    }
    const chat = await openai.chat.completions.create({
      model: 'm',
      messages: user('name it'),
      response_format: { type: 'json_schema', json_schema: { name: 't', schema } },
    })
    expect(JSON.parse(chat.choices[0]?.message.content ?? '')).toEqual({
      title: 'Simulated session',
      score: 1,
      tags: [],
    })
    const responses = await openai.responses.create({
      model: 'm',
      input: 'name it',
      text: { format: { type: 'json_schema', name: 'codex_output_schema', schema } },
    })
    expect(JSON.parse(responses.output_text)).toMatchObject({ title: 'Simulated session' })
    const messages = await anthropic.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: user('name it'),
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(JSON.parse(messages.content[0]?.type === 'text' ? messages.content[0].text : '')).toMatchObject({
      title: 'Simulated session',
    })
  })

  it('an aborted stream stops at the source', async () => {
    const { openai, served } = await clients()
    const stream = await openai.chat.completions.create({
      model: 'm',
      stream: true,
      messages: user('simulate: slow 60000 simulate: long 50'),
    })
    for await (const _chunk of stream) break
    await waitFor('the simulator heard of it', () => served.aborted === 1)
  })
})

describe('time and determinism', () => {
  const request = (text: string, stream = true) => ({
    url: 'simulator://demo/v1/chat/completions',
    body: Buffer.from(JSON.stringify({ model: 'm', stream, messages: user(text) })),
  })

  it('waits before the first byte and between pieces, by the given clock', async () => {
    const clock = virtualClock()
    const events: string[] = []
    const done = ask(
      simulator(clock),
      request('simulate: wait 5000 simulate: slow 1000 simulate: say one two three'),
      (event) => {
        events.push(event)
      },
    )
    await clock.advance(4999)
    expect(events).toEqual([])
    await clock.advance(1)
    expect(events).toEqual(['head', 'data'])
    await clock.advance(2000)
    expect(events.length).toBe(4)
    await clock.advance(60_000)
    expect((await done).body.toString()).toMatch(/\[DONE\]\n\n$/)
    expect(clock.pending()).toBe(0)
  })

  it('hangs until it is given up', async () => {
    const clock = virtualClock()
    let told: string | null = null
    const call = simulator(clock).send(
      {
        method: 'POST',
        headers: {},
        timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 },
        ...request('simulate: hang'),
      },
      {
        onHead: () => {
          told = 'head'
        },
        onData: () => true,
        onEnd: () => {
          told = 'end'
        },
        onError: (error) => {
          told = error.code
        },
      },
    )
    await clock.advance(3_600_000)
    expect(told).toBeNull()
    call.abort()
    await clock.advance(0)
    expect(told).toBe('upstream-aborted')
  })

  it('a slow reader holds it back', async () => {
    const t = simulator()
    let pieces = 0
    const told = await ask(t, request('simulate: long 100'), (event, call) => {
      if (event !== 'data') return
      pieces++
      setImmediate(() => call.resume())
      return false
    })
    expect(told.order.filter((event) => event === 'data').length).toBe(pieces)
    expect(told.order.at(-1)).toBe('end')
  })

  it('the same request gets the same bytes', async () => {
    const clock = virtualClock()
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.boolean(), async (text, stream) => {
        const [a, b] = await Promise.all([
          ask(simulator(clock), request(text, stream)),
          ask(simulator(clock), request(text, stream)),
        ])
        expect(a.body.equals(b.body)).toBe(true)
      }),
      runs(50),
    )
  })

  it.each([
    ['simulate: say a b', ['a ', 'b', ''], 'STOP'],
    ['simulate: say a b simulate: error event', ['a '], 503],
  ])('Gemini without events is one list: %s', async (text, texts, end) => {
    const body = Buffer.from(JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }))
    const url = 'simulator://demo/v1beta/models/m:streamGenerateContent'
    const list: (Partial<GenerateContentResponse> & { error?: { code: number } })[] = JSON.parse(
      (await ask(simulator(), { url, body })).body.toString(),
    )
    expect(list.flatMap((one) => one.candidates?.[0]?.content?.parts?.[0]?.text ?? [])).toEqual(texts)
    const last = list.at(-1)
    expect(last?.error?.code ?? last?.candidates?.[0]?.finishReason).toBe(end)
  })

  it.each([
    ['/v1/chat/completions', 'not json', 400],
    ['/v1/messages', '[1,2]', 200],
    ['/v1/responses', 'null', 200],
    ['/v1/messages', '{"messages":{"a":1}}', 200],
    ['/v1/unknown', '{}', 404],
  ])('any request is answered: %s %s', async (path, body, status) => {
    expect((await ask(simulator(), { url: `simulator://demo${path}`, body: Buffer.from(body) })).status).toBe(status)
  })
})
