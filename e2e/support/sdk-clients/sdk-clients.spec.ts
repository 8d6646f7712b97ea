/**
 * The drivers themselves, straight at the mock: what one of them does wrong must not look like a fault of conversion.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool, fail, gate, say, startMockUpstream, type MockUpstream } from '../mock-upstream/index.ts'
import { sdkClients, type SdkTool } from './index.ts'
import { onePixel } from './pictures.ts'

let mock: MockUpstream
beforeEach(async () => {
  mock = await startMockUpstream({ gaps: [0] })
})
afterEach(async () => {
  await mock.dispose()
  expect(mock.problems).toEqual([])
})

const tools: SdkTool[] = ['look', 'read'].map((name) => ({
  name,
  description: `To ${name}`,
  parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
}))
const usage = { input: 50, cachedInput: 20, output: 12, reasoning: 3 }

/** events up to the first piece of text */
const firstPiece = { 'openai-chat': 2, 'openai-responses': 5, anthropic: 4, gemini: 1 }

describe.each(sdkClients)('$name', (client) => {
  const talk = () => client.talk({ baseUrl: mock.baseUrl, key: 'k', model: 'm-1', system: 'Be brief.' })
  const sent = (n: number): string => mock.turns()[n - 1]?.body.toString() ?? ''
  const has = (lack: (typeof client.lacks)[number]): boolean => !client.lacks.includes(lack)

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('says texts, thinking, calls and usage %s', async (_how, stream) => {
    mock.queue({
      kind: 'answer',
      text: 'Hello, 世界 👋',
      thinking: 'Think of it.',
      toolCalls: [
        { name: 'look', input: { at: 'a"b' } },
        { name: 'read', input: { at: '' } },
      ],
      usage,
      piece: 3,
    })
    const t = talk()
    t.user('Hi', onePixel)
    const pieces: string[] = []
    const reply = await t.ask({
      stream,
      tools,
      thinking: true,
      stop: ['END'],
      maxTokens: 3000,
      onText: (piece) => pieces.push(piece),
    })
    expect(reply).toMatchObject({
      text: 'Hello, 世界 👋',
      thinking: 'Think of it.',
      finish: 'tool-calls',
      calls: [
        { name: 'look', input: { at: 'a"b' } },
        { name: 'read', input: { at: '' } },
      ],
    })
    expect(reply.usage).toMatchObject({ input: 50, cachedInput: 20, output: 12 })
    expect(pieces.join('')).toBe(stream ? reply.text : '')
    expect(mock.turns()[0]?.stream).toBe(stream)
    expect(sent(1)).toContain(onePixel.base64)
    if (has('stop')) expect(sent(1)).toContain('END')
    expect(sent(1)).toContain('Be brief.')
  })

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('hands results and signatures back %s', async (_how, stream) => {
    mock.queue(
      {
        kind: 'answer',
        thinking: 'Hm.',
        toolCalls: [
          { name: 'look', input: { at: 'x' }, id: 'call_a' },
          { name: 'read', input: { at: 'y' }, id: 'call_b' },
        ],
      },
      say('Seen.'),
    )
    const t = talk()
    t.user('Look')
    const { calls } = await t.ask({ stream, tools, thinking: true })
    expect(calls.map(({ id }) => id)).toEqual(['call_a', 'call_b'])
    const [a, b] = calls
    if (!a || !b) throw new Error('two calls')
    t.results([
      { call: b, text: 'no such file', isError: true },
      { call: a, text: 'a tree', ...(has('result-picture') ? { picture: onePixel } : {}) },
    ])
    expect((await t.ask({ stream, tools, thinking: true })).text).toBe('Seen.')
    expect(sent(2)).toContain('a tree')
    if (has('result-picture')) expect(sent(2)).toContain(onePixel.base64)
    if (has('result-error'))
      expect(sent(2)).toContain(client.speaks === 'gemini' ? '"error":"no such file"' : '"is_error":true')
    if (client.speaks === 'gemini')
      expect(sent(2)).toContain(`"thoughtSignature":"${Buffer.from('sig_mock1').toString('base64')}"`)
    if (client.speaks === 'anthropic') expect(sent(2)).toContain('sig_mock1')
    if (client.speaks === 'openai-responses') expect(sent(2)).toContain('enc_mock1')
    if (client.speaks === 'openai-chat') expect(sent(2)).toContain('"reasoning_content":"Hm."')
  })

  it('asks for a schema', async () => {
    mock.queue(say('{"name":"Ada"}'))
    const t = talk()
    t.user('Who?')
    const schema = {
      type: 'object',
      properties: { name: { type: 'string', description: 'of the person' } },
      required: ['name'],
      additionalProperties: false,
    }
    expect(JSON.parse((await t.ask({ stream: false, schema })).text)).toEqual({ name: 'Ada' })
    expect(sent(1)).toContain('of the person')
  })

  it('hears the first piece before the last is sent', async () => {
    const until = gate()
    mock.queue(say('abcdef', { piece: 1, hold: { at: firstPiece[client.speaks], until } }))
    const t = talk()
    t.user('Hi')
    let text = ''
    await t.ask({
      stream: true,
      onText: (piece) => {
        text += piece
        until.open()
      },
    })
    expect(text).toBe('abcdef')
  })

  it('tells how an answer ended', async () => {
    mock.queue(say('Cut', { finish: 'length' }), callTool('look', { at: '1' }))
    const t = talk()
    t.user('Hi')
    expect((await t.ask({ stream: true, tools })).finish).toBe('length')
    t.user('On')
    expect((await t.ask({ stream: true, tools })).finish).toBe('tool-calls')
    t.results([])
  })

  it.each([400, 401, 429, 500, 529])('gives its own error for %i', async (status) => {
    for (const stream of [false, true]) {
      mock.queue(fail(status, { message: 'told to fail', headers: { 'retry-after': '7' } }))
      const t = talk()
      t.user('Hi')
      const error = client.failure(await t.ask({ stream }).catch((e: unknown) => e))
      expect(error).toMatchObject({
        kind: client.kinds[status] ?? client.kinds.otherwise,
        status,
        message: expect.stringContaining('told to fail'),
        retryAfter: has('retry-after') ? '7' : null,
      })
    }
  })

  it.each(['cut', 'end'] as const)('takes no broken stream for a whole one: %s', async (how) => {
    mock.queue(say('a longer answer', { piece: 2, breakOff: { after: 5, how } }))
    const t = talk()
    t.user('Hi')
    await expect(t.ask({ stream: true })).rejects.toThrow()
  })
})
