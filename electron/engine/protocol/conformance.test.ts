import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { codecOf } from './index.ts'
import { withServer, type Canned } from './testing/serve-once.ts'

/** Onward's own answers, read by the official SDKs. */
const text = 'Cleared: stopMessage is off. “好” \u2028 "q" \\'
const ask = { id: 'abc', model: 'some-model', text, nowMs: Date.UTC(2026, 10, 21) }
const chat = codecOf('chat'),
  responses = codecOf('responses'),
  messages = codecOf('messages'),
  gemini = codecOf('gemini')
const openai = <T>(canned: Canned, use: (client: OpenAI) => Promise<T>): Promise<T> =>
  withServer(canned, (origin) => use(new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'k', maxRetries: 0 })))
const anthropic = <T>(canned: Canned, use: (client: Anthropic) => Promise<T>): Promise<T> =>
  withServer(canned, (origin) => use(new Anthropic({ baseURL: origin, apiKey: 'k', maxRetries: 0 })))
const google = <T>(canned: Canned, use: (client: GoogleGenAI) => Promise<T>): Promise<T> =>
  withServer(canned, (origin) => use(new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: origin } })))
const hello = { role: 'user', content: 'hi' } as const
const sizes = [1, 7, 100_000]

describe('the openai SDK with Chat Completions', () => {
  const params = { model: 'm', messages: [hello] }
  it('reads an answer', async () => {
    const answer = await openai(chat.answer({ ...ask, stream: false }), (c) => c.chat.completions.create(params))
    expect(answer).toMatchObject({
      id: 'chatcmpl-abc',
      object: 'chat.completion',
      created: 1795219200,
      model: 'some-model',
    })
    expect(answer.choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } },
    ])
    expect(answer.usage?.total_tokens).toBe(0)
  })
  it.each(sizes)('reads a stream in chunks of %i bytes', async (chunkBytes) => {
    const final = await openai({ ...chat.answer({ ...ask, stream: true }), chunkBytes }, (c) =>
      c.chat.completions.stream(params).finalChatCompletion(),
    )
    expect(final.choices).toMatchObject([{ finish_reason: 'stop', message: { role: 'assistant', content: text } }])
  })
  it.each([true, false])('finds usage in a stream exactly when it asked for it: %s', async (includeUsage) => {
    const chunks = await openai(chat.answer({ ...ask, stream: true, includeUsage }), async (c) => {
      const seen = []
      for await (const chunk of await c.chat.completions.create({ ...params, stream: true })) seen.push(chunk)
      return seen
    })
    expect(chunks.map((chunk) => chunk.choices.length)).toEqual(includeUsage ? [1, 1, 1, 0] : [1, 1, 1])
    expect(chunks.at(-1)?.usage ?? null).toEqual(
      includeUsage ? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } : null,
    )
  })
  it.each<[number, new (...args: never) => Error]>([
    [400, OpenAI.BadRequestError],
    [401, OpenAI.AuthenticationError],
    [404, OpenAI.NotFoundError],
    [429, OpenAI.RateLimitError],
    [502, OpenAI.InternalServerError],
  ])('gets status %i as its own error', async (status, kind) => {
    const body = chat.error({ status, code: 'no-route', message: 'Nothing answers there.', requestId: 'req_1' })
    const failed = openai({ status, contentType: 'application/json', body }, (c) => c.chat.completions.create(params))
    await expect(failed).rejects.toBeInstanceOf(kind)
    await expect(failed).rejects.toMatchObject({
      status,
      code: 'no-route',
      error: { request_id: 'req_1' },
      message: expect.stringContaining('Nothing answers there.'),
    })
  })
  it('fails on an error event in the middle of a stream', async () => {
    const begun = chat
      .answer({ ...ask, stream: true })
      .body.toString()
      .split('\n\n')
      .slice(0, 2)
      .join('\n\n')
    const body = Buffer.concat([
      Buffer.from(`${begun}\n\n`),
      chat.errorEvent({
        code: 'upstream-broke-off',
        message: 'The provider hung up.',
        requestId: 'r',
        sequence: 2,
        responseId: null,
        model: null,
        nowMs: 0,
      }),
    ])
    const failed = openai({ contentType: 'text/event-stream', body }, (c) =>
      c.chat.completions.stream(params).finalChatCompletion(),
    )
    await expect(failed).rejects.toThrow('The provider hung up.')
  })
})

describe('the openai SDK with Responses', () => {
  const params = { model: 'm', input: 'hi' }
  it('reads an answer', async () => {
    const answer = await openai(responses.answer({ ...ask, stream: false }), (c) => c.responses.create(params))
    expect(answer).toMatchObject({
      id: 'resp_abc',
      object: 'response',
      status: 'completed',
      model: 'some-model',
      output_text: text,
      created_at: 1795219200,
    })
  })
  it.each(sizes)('reads a stream in chunks of %i bytes', async (chunkBytes) => {
    const final = await openai({ ...responses.answer({ ...ask, stream: true }), chunkBytes }, (c) =>
      c.responses.stream(params).finalResponse(),
    )
    expect(final).toMatchObject({ id: 'resp_abc', status: 'completed', output_text: text })
    expect(final.output).toMatchObject([
      { type: 'message', status: 'completed', content: [{ type: 'output_text', text }] },
    ])
  })
  it('gets every event of a response, numbered', async () => {
    const seen = await openai(responses.answer({ ...ask, stream: true }), async (c) => {
      const events: [string, number][] = []
      for await (const event of await c.responses.create({ ...params, stream: true }))
        events.push([event.type, event.sequence_number])
      return events
    })
    expect(seen).toEqual(
      [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ].map((type, i) => [type, i]),
    )
  })
  it('gets an error', async () => {
    const body = responses.error({
      status: 413,
      code: 'too-large',
      message: 'The body is too large.',
      requestId: 'req_2',
    })
    const failed = openai({ status: 413, contentType: 'application/json', body }, (c) => c.responses.create(params))
    await expect(failed).rejects.toMatchObject({
      status: 413,
      code: 'too-large',
      type: 'invalid_request_error',
      error: { request_id: 'req_2' },
    })
  })
  it('fails on an error event in the middle of a stream', async () => {
    const begun = responses
      .answer({ ...ask, stream: true })
      .body.toString()
      .split('\n\n')
      .slice(0, 5)
      .join('\n\n')
    const body = Buffer.concat([
      Buffer.from(`${begun}\n\n`),
      responses.errorEvent({
        code: 'upstream-broke-off',
        message: 'The provider hung up.',
        requestId: 'r',
        sequence: 5,
        responseId: null,
        model: null,
        nowMs: 0,
      }),
    ])
    const failed = openai({ contentType: 'text/event-stream', body }, (c) => c.responses.stream(params).finalResponse())
    await expect(failed).rejects.toThrow('The provider hung up.')
  })
})

describe('the Anthropic SDK with Messages', () => {
  const params = { model: 'm', max_tokens: 10, messages: [hello] }
  it('reads an answer', async () => {
    const answer = await anthropic(messages.answer({ ...ask, stream: false }), (c) => c.messages.create(params))
    expect(answer).toMatchObject({
      id: 'msg_abc',
      type: 'message',
      role: 'assistant',
      model: 'some-model',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text }],
    })
    expect(answer.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 })
  })
  it.each(sizes)('reads a stream in chunks of %i bytes', async (chunkBytes) => {
    const final = await anthropic({ ...messages.answer({ ...ask, stream: true }), chunkBytes }, (c) =>
      c.messages.stream(params).finalMessage(),
    )
    expect(final).toMatchObject({
      id: 'msg_abc',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text }],
      usage: { output_tokens: 0 },
    })
  })
  it('gets an error', async () => {
    const body = messages.error({
      status: 400,
      code: 'bad-json',
      message: 'The body is not valid JSON.',
      requestId: 'req_3',
    })
    const failed = anthropic({ status: 400, contentType: 'application/json', body }, (c) => c.messages.create(params))
    await expect(failed).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    await expect(failed).rejects.toMatchObject({
      error: {
        type: 'error',
        error: { type: 'invalid_request_error', code: 'bad-json', message: 'The body is not valid JSON.' },
        request_id: 'req_3',
      },
    })
  })
  it.each([
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('knows status %i as %s', (status, type) => {
    expect(JSON.parse(messages.error({ status, code: 'c', message: 'm', requestId: 'r' }).toString())).toMatchObject({
      type: 'error',
      error: { type },
    })
  })
  it('fails on an error event in the middle of a stream', async () => {
    const begun = messages
      .answer({ ...ask, stream: true })
      .body.toString()
      .split('\n\n')
      .slice(0, 3)
      .join('\n\n')
    const body = Buffer.concat([
      Buffer.from(`${begun}\n\n`),
      messages.errorEvent({
        code: 'upstream-broke-off',
        message: 'The provider hung up.',
        requestId: 'r',
        sequence: 3,
        responseId: null,
        model: null,
        nowMs: 0,
      }),
    ])
    const failed = anthropic({ contentType: 'text/event-stream', body }, (c) =>
      c.messages.stream(params).finalMessage(),
    )
    await expect(failed).rejects.toThrow('The provider hung up.')
  })
})

describe('Google’s SDK with generateContent', () => {
  const params = { model: 'm', contents: 'hi' }
  const collected = (client: GoogleGenAI) =>
    client.models.generateContentStream(params).then(async (stream) => {
      const chunks = []
      for await (const chunk of stream) chunks.push(chunk)
      return chunks
    })
  it('reads an answer', async () => {
    const answer = await google(gemini.answer({ ...ask, stream: false }), (c) => c.models.generateContent(params))
    expect(answer).toMatchObject({
      text,
      responseId: 'abc',
      modelVersion: 'some-model',
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { totalTokenCount: 0 },
    })
  })
  it.each(sizes)('reads a stream in chunks of %i bytes', async (chunkBytes) => {
    const chunks = await google({ ...gemini.answer({ ...ask, stream: true }), chunkBytes }, collected)
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  })
  it('has a list of answers for callers that stream without events', () => {
    const { contentType, body } = gemini.answer({ ...ask, stream: true, streamForm: 'json-array' })
    expect(contentType).toMatch(/^application\/json/)
    expect(JSON.parse(body.toString())).toMatchObject([
      { candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] },
    ])
  })
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [501, 'UNIMPLEMENTED'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('gets status %i as %s', async (status, name) => {
    const body = gemini.error({ status, code: 'no-route', message: 'Nothing answers there.', requestId: 'req_1' })
    const failed: unknown = await google({ status, contentType: 'application/json', body }, (c) =>
      c.models.generateContent(params),
    ).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ApiError)
    expect(failed).toMatchObject({ status, message: expect.stringContaining('Nothing answers there.') })
    expect(JSON.parse(body.toString())).toMatchObject({
      error: { code: status, status: name, details: [{ reason: 'no-route' }, { requestId: 'req_1' }] },
    })
  })
  it('fails on an error event in the middle of a stream', async () => {
    const begun =
      'data: ' +
      `${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'half' }], role: 'model' } }] })}` +
      '\n\n'
    const error = gemini.errorEvent({
      code: 'upstream-broke-off',
      message: 'The provider hung up.',
      requestId: 'r',
      sequence: 1,
      responseId: null,
      model: null,
      nowMs: 0,
    })
    const failed: unknown = await google(
      { contentType: 'text/event-stream', body: Buffer.concat([Buffer.from(begun), error]) },
      collected,
    ).catch((e: unknown) => e)
    expect(failed).toBeInstanceOf(ApiError)
    expect(failed).toMatchObject({ status: 503, message: expect.stringContaining('The provider hung up.') })
  })
})
