/** Gemini's entry with Google's own SDK and byte by byte, same protocol in and out. */
import { ApiError, GoogleGenAI } from '@google/genai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, geminiEntry, pathOf } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import {
  fail,
  gate,
  raw,
  say,
  startMockUpstream,
  type MockReply,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { call, post } from '../support/post.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-1', 'sk-2'] })
  const provider = (value: string) => ({
    type: 'gemini' as const,
    baseUrl: mock.baseUrl,
    keys: [{ alias: 'main', value }],
    models: { 'm-1': {}, 'm.2/x:free': {} },
  })
  engine = await startEngineForTest({
    clock: { timeTag: false },
    servertools: { enabled: false },
    providers: { one: provider('sk-1'), two: provider('sk-2') },
    routes: { default: ['one.m-1', 'two.m-1'] },
    aliases: { other: 'two.m.2/x:free' },
    routing: { failures: 1_000 },
  })
})
afterAll(async () => {
  await engine.dispose()
  await mock.dispose()
  removeHomes()
})
/** problems a test wants to cause */
let expected: RegExp | null = null
let told = 0
afterEach(() => {
  const found = mock.problems.slice(told).filter((problem) => !expected?.test(problem))
  told = mock.problems.length
  expected = null
  mock.script(() => undefined)
  expect(found).toEqual([])
})

const google = (): GoogleGenAI => new GoogleGenAI({ apiKey: engine.key, httpOptions: { baseUrl: engine.baseUrl } })
const last = () => {
  const request = mock.requests.at(-1)
  if (!request) throw new Error('no provider was asked')
  return request
}
const streamed = async (ai: GoogleGenAI, asked: Parameters<GoogleGenAI['models']['generateContentStream']>[0]) => {
  const chunks = []
  for await (const chunk of await ai.models.generateContentStream(asked)) chunks.push(chunk)
  return chunks
}
const listPath = '/v1beta/models/m-1:streamGenerateContent'

describe('Google’s SDK through the engine', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Hi, 世界' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
  ]
  const config = {
    systemInstruction: 'Be brief.',
    tools: [{ functionDeclarations: [{ name: 'look' }, { name: 'read' }] }],
    temperature: 0.5,
  }
  const answer: MockReply = {
    kind: 'answer',
    text: 'Hello, 世界 👋',
    thinking: 'Think.',
    toolCalls: [
      { name: 'look', input: { at: 'a"b' } },
      { name: 'read', input: {} },
    ],
    usage: { input: 50, cachedInput: 20, output: 7, reasoning: 3 },
    piece: 4,
  }

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('%s', async (_how, streaming) => {
    mock.queue(answer)
    const asked = { model: 'm-1', contents, config }
    const chunks = streaming ? await streamed(google(), asked) : [await google().models.generateContent(asked)]
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    expect(parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')).toBe('Hello, 世界 👋')
    expect(
      parts.flatMap((part) =>
        part.functionCall
          ? [[part.functionCall.name, part.functionCall.args, part.thoughtSignature !== undefined]]
          : [],
      ),
    ).toEqual([
      ['look', { at: 'a"b' }, true],
      ['read', {}, false],
    ])
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      modelVersion: 'm-1',
      usageMetadata: {
        promptTokenCount: 50,
        cachedContentTokenCount: 20,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
      },
    })
    expect([last().model, last().headers['x-goog-api-key'], last().headers['user-agent']]).toEqual([
      'm-1',
      'sk-1',
      expect.stringMatching(/google-genai-sdk/),
    ])
    expect(last().json).toMatchObject({
      contents,
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: config.tools,
      generationConfig: { temperature: 0.5 },
    })
    const turn = await waitFor('the record', async () =>
      (await engine.control.api.turns.query(1)).find((t) => t.finish === 'tool-calls'),
    )
    expect(turn).toMatchObject({
      entry: 'gemini',
      model: 'm-1',
      status: 200,
      usage: { input: 50, cachedInput: 20, output: 7, reasoning: 3 },
    })
  })

  it('counts, and lists models in Google’s shape', async () => {
    expect((await google().models.countTokens({ model: 'm-1', contents })).totalTokens).toBeGreaterThan(0)
    const names: (string | undefined)[] = []
    for await (const model of await google().models.list()) names.push(model.name)
    expect(names).toContain('models/m-1')
    expect((await google().models.get({ model: 'm-1' })).name).toBe('models/m-1')
  })

  it('gets errors as its own, the provider’s and Onward’s', async () => {
    mock.queue(fail(400, { message: 'this model takes no pictures' }))
    await expect(google().models.generateContent({ model: 'm-1', contents })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('takes no pictures'),
    })
    const wrong: unknown = await new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: engine.baseUrl } }).models
      .generateContent({ model: 'm-1', contents })
      .catch((e: unknown) => e)
    expect(wrong).toBeInstanceOf(ApiError)
    expect(wrong).toMatchObject({ status: 401, message: expect.stringMatching(/UNAUTHENTICATED.*bad-key/) })
  })

  it.each(['cut', 'reset', 'end'] as const)('never takes a stream that breaks off for whole: %s', async (how) => {
    mock.queue(say('a longer answer that breaks off', { piece: 4, breakOff: { after: 3, how } }))
    await expect(streamed(google(), { model: 'm-1', contents })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('upstream-broke-off'),
    })
  })
})

describe('every byte', () => {
  const body =
    '\n{ "x_unknown" : [ 1.50, -0, 1E400, "\\/" ],\r\n "contents" : [ {"role":"user" ' +
    ',"parts":[ {"text":"\\u00e4 世界", "zz":{}} ] } ] , "model":"kept", "zz":null }\n'
  it.each([
    [
      'events',
      pathOf(geminiEntry, true),
      'text/event-stream',
      [
        ': a comment\n\n',
        'event: made_up\nid: 7\ndata: {"a":  1}\n\n',
        'data:no space\r\n\r\n',
        Buffer.from('data: 世').subarray(0, 8),
        Buffer.from('界\n\n'),
        geminiEntry.lastEvent,
        'data: the end without a blank line',
      ],
    ],
    [
      'a list',
      listPath,
      'application/json; charset=UTF-8',
      [
        '[{"candidates": [{"content": {"par',
        'ts": [{"text": "世\\"]}"}]}}]\n}\n',
        ',\r\n',
        '{"odd" : 1E400, "candidates":[{"finishReason":"STOP"}]}',
        '\n]\n ',
      ],
    ],
    ['JSON', geminiEntry.path, 'application/json', ['{ "candidates" : [],\n "unknown":[1.0,{}] }\n']],
  ] as const)('is kept both ways: %s', async (what, path, contentType, parts) => {
    expected = /body|Unknown|unknown|x_unknown|alt=sse|model|zz/
    mock.queue(raw(parts, { headers: { 'content-type': contentType, 'x-odd': 'kept' } }))
    const got = await post(engine, path, body, { headers: { 'x-goog-made-up': 'yes', 'x-goog-api-client': 'genai/1' } })
    expect([what, got.status, got.headers['content-type'], got.headers['x-odd']]).toEqual([
      what,
      200,
      contentType,
      'kept',
    ])
    expect(got.body.equals(Buffer.concat(parts.map((part) => Buffer.from(part))))).toBe(true)
    expect([last().body.toString(), last().path + last().query]).toEqual([body, path])
    expect([
      last().headers['x-goog-made-up'],
      last().headers['x-goog-api-client'],
      last().headers['authorization'],
    ]).toEqual(['yes', 'genai/1', undefined])
  })

  it('of a list goes on as it comes, and a list that breaks off ends with an error', async () => {
    expected = /alt=sse/
    const until = gate()
    const first = '[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}'
    mock.queue(
      raw([first, { until }, ',\n{"half":'], { headers: { 'content-type': 'application/json' }, afterwards: 'cut' }),
    )
    const asked = call(engine, listPath, bodyOf(geminiEntry, ['Hi']))
    await waitFor('the first element', () => asked.received().toString() === first)
    until.open()
    const { body: whole } = await asked.answer
    expect(JSON.parse(whole.toString())).toMatchObject([
      { candidates: [{}] },
      { error: { code: 503, status: 'UNAVAILABLE', details: [{ reason: 'upstream-broke-off' }, {}] } },
    ])
  })
})

describe('keys, models and markers', () => {
  const ask = (path: string, text: string, headers: Record<string, string> = {}) =>
    post(engine, path, bodyOf(geminiEntry, [text]), { headers })
  it('a key in the query, a header or the path opens, and goes no further', async () => {
    for (const [path, headers] of [
      [`${geminiEntry.path}?key=${engine.key}&x=1`, { authorization: '' }],
      [geminiEntry.path, { authorization: '', 'x-goog-api-key': engine.key }],
      [`/t/${engine.key}${geminiEntry.path}`, { authorization: '' }],
      [geminiEntry.path, {}],
    ] as const) {
      expect((await ask(path, 'Hi', headers)).status).toBe(200)
      expect(last().rawHeaders.join(' ') + last().query).not.toContain(engine.key)
      expect(last().headers['x-goog-api-key']).toBe('sk-1')
    }
    expect((await ask(`${geminiEntry.path}?key=wrong`, 'Hi', { authorization: '' })).status).toBe(401)
  })

  it('another model goes into the path and nowhere else', async () => {
    expect((await ask('/v1beta/models/other:streamGenerateContent?alt=sse&x=%20', 'Hi')).status).toBe(200)
    expect([last().path, last().query, last().headers['x-goog-api-key'], last().body.toString()]).toEqual([
      '/v1beta/models/m.2/x:free:streamGenerateContent',
      '?alt=sse&x=%20',
      'sk-2',
      bodyOf(geminiEntry, ['Hi']),
    ])
    expect((await ask('/v1beta/models/two%2Fm-1:generateContent', 'Hi')).status).toBe(200)
    expect([last().model, last().headers['x-goog-api-key']]).toEqual(['m-1', 'sk-2'])
  })

  it('markers act and are cut out, history included', async () => {
    const session = { 'session-id': 'gemini-markers' }
    expect((await ask(geminiEntry.path, 'Go <**!two**>', session)).status).toBe(200)
    expect([last().headers['x-goog-api-key'], last().lastUserText]).toEqual(['sk-2', 'Go '])
    await post(engine, geminiEntry.path, bodyOf(geminiEntry, ['Go <**!two**>', 'Done.', 'On']), { headers: session })
    expect([last().headers['x-goog-api-key'], last().body.includes('<**')]).toEqual(['sk-2', false])
    const before = mock.requests.length
    const cleared = await post(engine, pathOf(geminiEntry, true), bodyOf(geminiEntry, ['<**clear**>']), {
      headers: session,
    })
    expect(cleared.body.toString()).toMatch(/^data: .*Onward: .*"finishReason":"STOP"/)
    expect(mock.requests).toHaveLength(before)
  })
})
