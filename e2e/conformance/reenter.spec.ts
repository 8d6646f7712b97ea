/**
 * Reenter mode before the official SDKs: several rounds with a provider, one ordinary message for the client. A real
 * mock provider and the real gateway; only routing and sessions are left out.
 */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProviderType } from '../../shared/config/schema.ts'
import type { NextFollowup } from '../../electron/engine/pipeline/rounds/rounds-input.ts'
import { codecOf } from '../../electron/engine/protocol/index.ts'
import type { ResponseSummary } from '../../electron/engine/protocol/types.ts'
import {
  callTool,
  fail,
  gate,
  raw,
  say,
  startMockUpstream,
  type MockReply,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { startReenterEngine, type ReenterEngine } from '../support/reenter-engine.ts'

interface Bench {
  mock: MockUpstream
  engine: ReenterEngine
  asked: { summary: ResponseSummary; clientLeft: boolean }[]
}
let bench: Bench | null = null
afterEach(async () => {
  const problems = bench?.mock.problems ?? []
  await bench?.engine.dispose()
  await bench?.mock.dispose()
  bench = null
  expect(problems).toEqual([])
})

/** A decision as stopMessage makes it: so many times, at plain stops of a client that is still there. */
function followups(times: number, asked: Bench['asked']): NextFollowup {
  let used = 0
  return async (summary, clientLeft) => {
    asked.push({ summary, clientLeft })
    if (summary.finish !== 'stop' || clientLeft || used >= times) return null
    used++
    return { text: `go on ${used}` }
  }
}

async function open(type: ProviderType, next: number | NextFollowup = 2): Promise<Bench> {
  const mock = await startMockUpstream({ keys: ['sk-1', 'sk-2'] })
  const baseUrl = type === 'anthropic' ? mock.baseUrl : `${mock.baseUrl}/v1`
  const asked: Bench['asked'] = []
  const keys = [
    { alias: 'main', value: 'sk-1' },
    { alias: 'spare', value: 'sk-2' },
  ]
  const engine = await startReenterEngine(
    { providers: { up: { type, baseUrl, keys, models: { 'm-1': {} } } } },
    typeof next === 'number' ? followups(next, asked) : next,
  )
  bench = { mock, engine, asked }
  return bench
}
const openaiOf = ({ engine }: Bench): OpenAI =>
  new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: 'local', maxRetries: 0 })
const anthropicOf = ({ engine }: Bench): Anthropic =>
  new Anthropic({ baseURL: engine.baseUrl, apiKey: 'local', maxRetries: 0 })

const hello = [{ role: 'user' as const, content: 'Hi, 世界' }]
const usage = (input: number, cachedInput: number, output: number, reasoning: number) => ({
  usage: { input, cachedInput, output, reasoning },
})
/** Three rounds: a short answer, one with thinking, the last. */
const three: MockReply[] = [
  say('First 世界.', { piece: 4, ...usage(100, 10, 5, 1) }),
  say('Second.', { thinking: 'Hm, "so".', piece: 3, ...usage(120, 100, 7, 2) }),
  say('Third 👋.', { piece: 2, ...usage(140, 120, 11, 3) }),
]
const allUsage = { input: 360, cachedInput: 230, output: 23, reasoning: 6 }

/** What all of these tests expect of the way up: one key, the same request with the exchanges so far behind it. */
async function seen({ mock, engine, asked }: Bench, list: 'messages' | 'input'): Promise<void> {
  const end = await engine.end(1)
  expect(end).toMatchObject({
    status: 200,
    clientLeft: false,
    summary: { finish: 'stop', complete: true, text: 'Third 👋.' },
    reenter: { rounds: 3, failure: null },
  })
  expect(asked.map((a) => [a.summary.finish, a.summary.text, a.clientLeft])).toEqual([
    ['stop', 'First 世界.', false],
    ['stop', 'Second.', false],
    ['stop', 'Third 👋.', false],
  ])
  expect(mock.turns().map((t) => t.lastUserText)).toEqual(['Hi, 世界', 'go on 1', 'go on 2'])
  expect(new Set(mock.turns().map((t) => t.headers['authorization'] ?? t.headers['x-api-key'])).size).toBe(1)
  expect(engine.sent.map(({ turn }) => turn.reentered)).toEqual([false, true, true])
  // Nothing but the end of the list differs from round to round.
  let before: { upToEnd: string; behind: string } | null = null
  for (const { endpoint, body } of mock.turns()) {
    const end =
      (codecOf(endpoint === 'chat' || endpoint === 'responses' ? endpoint : 'messages')
        .read(body)
        .place(list)?.end ?? 0) - 1
    const parts = { upToEnd: body.toString('utf8', 0, end), behind: body.toString('utf8', end) }
    if (before) {
      expect(parts.upToEnd.startsWith(`${before.upToEnd},`)).toBe(true)
      expect(parts.behind).toBe(before.behind)
    }
    before = parts
  }
}

describe('Chat Completions', () => {
  const asked = { model: 'm-1', temperature: 0.5, messages: hello }
  const text = 'First 世界.\n\nSecond.\n\nThird 👋.'
  const counts = {
    prompt_tokens: 140,
    completion_tokens: 23,
    total_tokens: 163,
    prompt_tokens_details: { cached_tokens: 120 },
    completion_tokens_details: { reasoning_tokens: 6 },
  }

  it.each(['whole', 'by the stream helper', 'as raw chunks'])('are one message: %s', async (how) => {
    const b = await open('openai-chat')
    b.mock.queue(...three)
    const openai = openaiOf(b)
    const streaming = { ...asked, stream_options: { include_usage: true } }
    if (how === 'as raw chunks') {
      const chunks: OpenAI.ChatCompletionChunk[] = []
      for await (const chunk of await openai.chat.completions.create({ ...streaming, stream: true })) chunks.push(chunk)
      expect(new Set(chunks.map((c) => c.id)).size).toBe(1)
      expect(chunks.flatMap((c) => c.choices.map((choice) => choice.delta.content ?? '')).join('')).toBe(text)
      expect(
        chunks.flatMap((c) => c.choices.map((choice) => choice.finish_reason)).filter((reason) => reason !== null),
      ).toEqual(['stop'])
      expect(chunks.filter((c) => c.usage).map((c) => c.usage)).toMatchObject([counts])
    } else {
      const completion =
        how === 'whole'
          ? await openai.chat.completions.create(asked)
          : await openai.chat.completions.stream(streaming).finalChatCompletion()
      expect(completion.choices).toMatchObject([
        { finish_reason: 'stop', message: { role: 'assistant', content: text } },
      ])
      expect(completion.usage).toMatchObject(counts)
      expect(completion.id).toBe('chatcmpl-mock1')
    }
    await seen(b, 'messages')
    expect((await b.engine.end(1)).summary.usage).toEqual(allUsage)
  })
})

describe('Responses', () => {
  const asked = {
    model: 'm-1',
    input: hello,
    instructions: 'Be brief.',
    store: false,
    include: ['reasoning.encrypted_content' as const],
  }
  it.each(['whole', 'by the stream helper', 'as raw events'])('are one response: %s', async (how) => {
    const b = await open('openai-responses')
    b.mock.queue(...three)
    const openai = openaiOf(b)
    let response: OpenAI.Responses.Response | undefined
    if (how === 'whole') response = await openai.responses.create(asked)
    else if (how === 'by the stream helper') response = await openai.responses.stream(asked).finalResponse()
    else {
      const events: OpenAI.Responses.ResponseStreamEvent[] = []
      for await (const event of await openai.responses.create({ ...asked, stream: true })) events.push(event)
      expect(events.map((e) => e.sequence_number)).toEqual(events.map((_, i) => i))
      expect(
        events.filter((e) => e.type === 'response.output_item.done').map((e) => [e.output_index, e.item.id]),
      ).toEqual([
        [0, 'msg_mock1'],
        [1, 'rs_mock2'],
        [2, 'msg_mock2'],
        [3, 'msg_mock3'],
      ])
      const end = events.at(-1)
      if (end?.type === 'response.completed') response = end.response
    }
    expect(response).toMatchObject({
      status: 'completed',
      instructions: 'Be brief.',
      usage: {
        input_tokens: 140,
        output_tokens: 23,
        total_tokens: 163,
        output_tokens_details: { reasoning_tokens: 6 },
      },
    })
    expect(response?.output).toMatchObject([
      { type: 'message', id: 'msg_mock1' },
      { type: 'reasoning', encrypted_content: 'enc_mock2' },
      { type: 'message', id: 'msg_mock2' },
      { type: 'message', id: 'msg_mock3' },
    ])
    if (how !== 'as raw events') expect(response?.output_text).toBe('First 世界.Second.Third 👋.')
    await seen(b, 'input')
    expect((await b.engine.end(1)).summary.usage).toEqual(allUsage)
    expect(JSON.parse(b.mock.turns()[2]?.body.toString() ?? '')).toMatchObject({
      input: [
        { role: 'user' },
        { id: 'msg_mock1' },
        { content: 'go on 1' },
        { type: 'reasoning', encrypted_content: 'enc_mock2' },
        { id: 'msg_mock2' },
        { content: 'go on 2' },
      ],
    })
  })

  it('of a bare text become a list of items', async () => {
    const b = await open('openai-responses', 1)
    b.mock.queue(say('A'), say('B'))
    expect((await openaiOf(b).responses.create({ model: 'm-1', input: 'Hi' })).output_text).toBe('AB')
    expect((await b.mock.turn(2)).json).toMatchObject({
      input: [{ role: 'user', content: 'Hi' }, { id: 'msg_mock1' }, { role: 'user', content: 'go on 1' }],
    })
  })
})

describe('Messages', () => {
  const asked = {
    model: 'm-1',
    max_tokens: 100,
    thinking: { type: 'enabled' as const, budget_tokens: 50 },
    messages: hello,
  }
  it.each(['whole', 'by the stream helper', 'as raw events'])('are one message: %s', async (how) => {
    const b = await open('anthropic')
    b.mock.queue(...three)
    const anthropic = anthropicOf(b)
    if (how === 'as raw events') {
      const events: Anthropic.RawMessageStreamEvent[] = []
      for await (const event of await anthropic.messages.create({ ...asked, stream: true })) events.push(event)
      expect(
        events
          .filter((e) => e.type === 'message_start' || e.type === 'message_delta' || e.type === 'message_stop')
          .map((e) => e.type),
      ).toEqual(['message_start', 'message_delta', 'message_stop'])
      expect(
        events.filter((e) => e.type === 'content_block_start').map((e) => [e.index, e.content_block.type]),
      ).toEqual([
        [0, 'text'],
        [1, 'thinking'],
        [2, 'text'],
        [3, 'text'],
      ])
    } else {
      const message =
        how === 'whole' ? await anthropic.messages.create(asked) : await anthropic.messages.stream(asked).finalMessage()
      expect(message).toMatchObject({
        id: 'msg_mock1',
        stop_reason: 'end_turn',
        content: [
          { type: 'text', text: 'First 世界.' },
          { type: 'thinking', thinking: 'Hm, "so".', signature: 'sig_mock2' },
          { type: 'text', text: 'Second.' },
          { type: 'text', text: 'Third 👋.' },
        ],
        usage: { input_tokens: 20, cache_read_input_tokens: 120, output_tokens: 23 },
      })
    }
    await seen(b, 'messages')
    expect((await b.engine.end(1)).summary.usage).toEqual(allUsage)
    expect(JSON.parse(b.mock.turns()[2]?.body.toString() ?? '')).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant' },
        { content: 'go on 1' },
        { role: 'assistant', content: [{ type: 'thinking', signature: 'sig_mock2' }, { type: 'text' }] },
        { content: 'go on 2' },
      ],
    })
  })
})

describe('every protocol', () => {
  const doors = [
    ['openai-chat', '/v1/chat/completions', { messages: hello }],
    ['openai-responses', '/v1/responses', { input: hello }],
    ['anthropic', '/v1/messages', { max_tokens: 10, messages: hello }],
  ] as const
  const post = (b: Bench, path: string, body: object, more: RequestInit = {}): Promise<Response> =>
    fetch(b.engine.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'm-1', ...body }),
      ...more,
    })

  it.each(doors)('passes a single round on byte for byte: %s', async (type, path, body) => {
    const b = await open(type, 0)
    const odd = [
      ': hm\n\n',
      'event: made_up\ndata: {"a":  1}\n\n',
      'data: {"type":"message_delta","choices":[{"finish_reason":"stop"}]}\n\n',
      'data: {"type":"message_stop"}\r\n\r\n',
      'data: {"type":"response.completed","response":{}}\n\n',
      'data: [DONE]\n\n',
      'data: the end without a blank line',
    ]
    b.mock.queue(
      raw(odd, { headers: { 'content-type': 'text/event-stream' } }),
      raw(' {"x" : 1e3}\n', { headers: { 'content-type': 'application/json', 'x-odd': 'kept' } }),
    )
    expect(await (await post(b, path, { ...body, stream: true })).text()).toBe(odd.join(''))
    const json = await post(b, path, body)
    expect(json.headers.get('x-odd')).toBe('kept')
    expect(json.headers.get('content-length')).toBe('13')
    expect(await json.text()).toBe(' {"x" : 1e3}\n')
  })

  it.each(doors)('does not name the inner request as the client named its own: %s', async (type, path, body) => {
    const b = await open(type, 1)
    b.mock.queue(say('A'), say('B'))
    await (await post(b, path, body)).text()
    expect(b.mock.turns().map((t) => t.headers['idempotency-key'])).toEqual(['once', undefined])
  })

  it.each(doors)('stays with the key that answered first: %s', async (type, path, body) => {
    const b = await open(type, 1)
    b.mock.queue(fail(429), say('A'), say('B'))
    expect((await post(b, path, body)).status).toBe(200)
    expect(b.mock.turns().map((t) => (t.headers['authorization'] ?? t.headers['x-api-key'] ?? '').slice(-4))).toEqual([
      'sk-1',
      'sk-2',
      'sk-2',
    ])
  })

  it.each(doors)(
    'hands a refusal of the first round on and asks for no followup after it: %s',
    async (type, path, body) => {
      const b = await open(type)
      b.mock.queue(fail(400, { message: 'no such thing' }))
      const refused = await post(b, path, body)
      expect(refused.status).toBe(400)
      expect(await refused.text()).toContain('no such thing')
      expect(b.asked.map((a) => a.summary.finish)).toEqual(['error'])
      expect(await b.engine.end(1)).toMatchObject({ status: 400, reenter: { rounds: 1, failure: null } })
    },
  )

  it.each(doors)('ends a tool call at once, without a followup: %s', async (type, path, body) => {
    const b = await open(type)
    b.mock.queue(say('A'), callTool('look', { at: 1 }, { text: 'B' }))
    const answer = await (await post(b, path, { ...body, stream: true })).text()
    expect(answer).toContain('look')
    expect(b.asked.map((a) => a.summary.finish)).toEqual(['stop', 'tool-calls'])
    expect(await b.engine.end(1)).toMatchObject({
      summary: { finish: 'tool-calls', toolNames: ['look'] },
      reenter: { rounds: 2, failure: null },
    })
  })

  describe.each(['streaming', 'whole'] as const)('when a later round fails, %s', (how) => {
    const failures: [string, MockReply, RegExp][] = [
      ['it is refused', fail(429, { message: 'slow down' }), /rate_limit_error/],
      ['its provider is gone', { kind: 'garbage', bytes: 'nonsense\r\n\r\n' }, /upstream-/],
      ['it breaks off', say('Second answer', { piece: 3, breakOff: { after: 6, how: 'cut' } }), /upstream-broke-off/],
      [
        'it ends without its end',
        say('Second answer', { piece: 3, breakOff: { after: 6, how: 'end' } }),
        /upstream-broke-off/,
      ],
    ]
    it.each(failures.flatMap((f) => doors.map((d) => [f[0], d[0], f[1], f[2], d[1], d[2]] as const)))(
      '%s: the client gets the answer it has, properly ended: %s',
      async (_what, type, reply, code, path, body) => {
        const b = await open(type)
        b.mock.queue(say('First.', usage(100, 10, 5, 1)), reply)
        const response = await post(b, path, {
          ...body,
          ...(how === 'streaming'
            ? { stream: true, ...(type === 'openai-chat' ? { stream_options: { include_usage: true } } : {}) }
            : {}),
        })
        expect(response.status).toBe(200)
        const text = await response.text()
        expect(text).toContain(
          how === 'streaming' && type === 'anthropic'
            ? 'message_stop'
            : type === 'openai-chat'
              ? '"stop"'
              : type === 'anthropic'
                ? 'end_turn'
                : '"completed"',
        )
        expect(text).not.toMatch(/slow down|"error":\{|event: error/)
        expect(text).toContain('First.')
        if (type === 'openai-chat' && how === 'streaming') expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
        const end = await b.engine.end(1)
        expect(end).toMatchObject({
          status: 200,
          clientLeft: false,
          summary: { finish: 'stop', text: 'First.' },
          reenter: { rounds: 1, failure: { round: 2 } },
        })
        expect(end.reenter?.failure?.code).toMatch(code)
        expect(b.asked.length).toBe(1)
      },
    )
  })

  it.each(doors)('stops at once when the client leaves in the middle of round 2: %s', async (type, path, body) => {
    const b = await open(type)
    const never = gate()
    b.mock.queue(
      say('First.'),
      say('Second answer', { piece: 3, hold: { at: 6, until: never } }),
      say('never asked for'),
    )
    const leaving = new AbortController()
    const response = await post(b, path, { ...body, stream: true }, { signal: leaving.signal })
    const reader = response.body?.getReader()
    let got = ''
    while (reader && !got.includes('Sec')) got += Buffer.from((await reader.read()).value ?? []).toString()
    leaving.abort()
    const second = await b.mock.turn(2)
    expect(await second.over).toBe('left')
    expect(await b.engine.end(1)).toMatchObject({
      clientLeft: true,
      summary: { finish: 'broken-off', complete: false },
      reenter: { rounds: 1, failure: null },
    })
    expect(b.mock.turns().length).toBe(2)
    expect(b.asked.length).toBe(1)
    never.open()
  })

  it.each(doors)(
    'stops at once when the client leaves before it has anything, in round 2: %s',
    async (type, path, body) => {
      const b = await open(type)
      const never = gate()
      b.mock.queue(say('First.'), say('Second.', { hold: { at: 'head', until: never } }))
      const leaving = new AbortController()
      const answer = post(b, path, body, { signal: leaving.signal })
      answer.catch(() => undefined)
      const second = await b.mock.turn(2)
      leaving.abort()
      await expect(answer).rejects.toThrow()
      expect(await second.over).toBe('left')
      expect(await b.engine.end(1)).toMatchObject({ clientLeft: true, reenter: { rounds: 1, failure: null } })
      never.open()
    },
  )

  it.each(doors)('sends nothing more when the client left while it was decided: %s', async (type, path, body) => {
    const leaving = new AbortController()
    const b = await open(type, async () => {
      leaving.abort()
      await waitFor(
        'the gateway to see the client leave',
        () => bench?.engine.sent[0]?.turn.call.reply.left || undefined,
      )
      return { text: 'go on' }
    })
    b.mock.queue(say('First.'))
    await expect(post(b, path, body, { signal: leaving.signal })).rejects.toThrow()
    expect(await b.engine.end(1)).toMatchObject({ clientLeft: true, reenter: { rounds: 1, failure: null } })
    expect(b.engine.sent.length).toBe(1)
  })

  it.each(doors)('keeps the answer when the decision itself fails: %s', async (type, path, body) => {
    const b = await open(type, () => Promise.reject(new Error('the disk is full')))
    b.mock.queue(say('First.'))
    const text = await (await post(b, path, { ...body, stream: true })).text()
    expect(text).toMatch(/message_stop|\[DONE\]|response\.completed/)
    expect(await b.engine.end(1)).toMatchObject({
      summary: { finish: 'stop' },
      reenter: { rounds: 1, failure: { round: 1, code: 'internal', message: 'the disk is full' } },
    })
  })
})

it('does not go on from several choices, which are no one answer', async () => {
  const b = await open('openai-chat')
  b.mock.queue(say('A'))
  expect((await openaiOf(b).chat.completions.create({ model: 'm-1', messages: hello, n: 2 })).choices.length).toBe(1)
  expect(await b.engine.end(1)).toMatchObject({ reenter: { rounds: 1, failure: { code: 'several-choices' } } })
  expect(b.asked).toEqual([])
})
