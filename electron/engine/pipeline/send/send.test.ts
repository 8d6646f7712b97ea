import { createRedactor } from '../../secrets/redact.ts'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { codecOf } from '../../protocol/index.ts'
import { routerScene, threeInOrder, ask, targetOf } from '../../router/testing/scene.ts'
import { send } from './send.ts'
import { noOverrides, type Turn, type Reply, draftOf } from '../turn.ts'

const reply: Reply = {
  head: () => undefined,
  write: () => true,
  end: () => undefined,
  abort: () => undefined,
  headSent: false,
  finished: false,
  left: false,
  onDrain: () => undefined,
  onClose: () => undefined,
}
function turnOf(given: { entry?: 'chat' | 'messages'; reply?: Reply; maxTokens?: number } = {}): Turn {
  const entry = given.entry ?? 'chat'
  const codec = codecOf(entry)
  const body = Buffer.from(
    JSON.stringify({
      model: 'any',
      stream: true,
      max_tokens: given.maxTokens,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  )
  return {
    codec,
    draft: draftOf(codec, body),
    bytesIn: body.length,
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId: 's',
      sessionSource: null,
      client: 'other',
      kind: 'turn',
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
    },
    call: {
      requestId: 'r',
      entry,
      endpoint: 'generate',
      method: 'POST',
      path: '/v1/chat/completions',
      headers: {},
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply: given.reply ?? reply,
    },
  }
}

/** `takes`: milliseconds until it comes */
type Answer = { status: number; body: string; sse?: boolean; takes?: number }

/** Sends the turn to providers that answer as `script` says; without one, it can't be said in their protocol. */
async function sendTo(r: ReturnType<typeof routerScene>, script: Partial<Record<string, Answer>> | null, turn: Turn) {
  const asked: string[] = []
  let passed = 0
  const end = await send(turn, {
    clock: { ...virtualClock(), monotonic: () => passed },
    transport: {
      send: ({ url }, handler) => {
        asked.push(url)
        const { status, body, sse, takes = 0 }: Answer = script?.[url] ?? { status: 500, body: '' }
        passed += takes
        handler.onHead(status, { 'content-type': sse ? 'text/event-stream' : 'application/json' })
        handler.onData(Buffer.from(body))
        handler.onEnd()
        return { abort: () => undefined, dump: () => undefined, resume: () => undefined }
      },
      dispose: async () => undefined,
    },
    redactor: () => createRedactor([]),
    choose: r.choose,
    hasRoute: r.hasRoute,
    report: r.report,
    credentialOf: () => null,
    responseHeaders: (headers) => headers,
    prepare: (_turn, { providerId: url }) => {
      if (!script) throw new OnwardError('bad-request', 'It can’t be said.', { status: 400 })
      const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1 }
      const silence = { silentMs: 0, evenAlone: false, wordlessMs: 0, idleMs: 0 }
      return { request: { url, method: 'POST', headers: {}, body: null, timeouts }, conversion: null, silence }
    },
  }).catch((error: unknown) => error)
  return { asked, end }
}

it('refuses a turn that can’t be said, and takes no trial away from those that can', async () => {
  const r = routerScene(threeInOrder)
  const a = r.choose(ask())
  for (let i = 0; i < 3; i++) r.refuse(a, 503)
  await r.clock.advance(30_000)
  const { asked, end } = await sendTo(r, null, turnOf())
  expect(asked).toEqual([])
  expect(end).toMatchObject({ code: 'bad-request', status: 400 })
  expect(targetOf(r.choose(ask()))).toBe('a.m')
})

it.each([
  ['the next candidate', 59_000, ['a', 'b']],
  ['no other', 61_000, ['a']],
])(
  'asks %s where the first has failed after %i ms: a client does not wait longer than a minute for the next',
  async (_, takes, expected) => {
    const failing = { status: 500, body: '', takes }
    const ok = { status: 200, body: '{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"}}]}' }
    const { asked } = await sendTo(routerScene(threeInOrder), { a: failing, b: ok }, turnOf())
    expect(asked).toEqual(expected)
  },
)

describe('a full context window', () => {
  const full = (message: string, more = {}): string => JSON.stringify({ error: { message, ...more } })
  const vllm = full(
    "This model's maximum context length is 8192 tokens. However, you requested 9200 tokens " +
      '(9000 in the messages, 200 in the completion).',
    { code: 400 },
  )
  const openai = full('This model takes less.', { code: 'context_length_exceeded' })
  const good = '{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}'
  const ok = { status: 200, body: good }
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n'

  /** `windows`: context windows, of the providers where they are known */
  async function sent(
    script: Record<string, Answer>,
    windows: Partial<Record<string, number>> = {},
    entry: 'chat' | 'messages' = 'chat',
    maxTokens?: number,
  ) {
    const ids = Object.keys(script)
    const providerOf = (id: string) => ({
      type: entry === 'chat' ? ('openai-chat' as const) : ('anthropic' as const),
      baseUrl: `http://127.0.0.1:1/${id}`,
      auth: 'none' as const,
      models: { m: windows[id] === undefined ? {} : { contextWindow: windows[id] } },
    })
    const r = routerScene({
      providers: Object.fromEntries(ids.map((id) => [id, providerOf(id)])),
      routes: { default: ids.map((id) => `${id}.m`) },
    })
    let heard = ''
    const hear = (chunk?: Uint8Array) => void (heard += chunk ? Buffer.from(chunk).toString() : '')
    const turn = turnOf({
      entry,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      reply: { ...reply, write: (chunk) => (hear(chunk), true), end: hear },
    })
    return { r, turn, ...(await sendTo(r, script, turn)), heard }
  }

  it('goes on to the candidate that holds more, and to no other', async () => {
    const s = await sent(
      { a: { status: 400, body: vllm }, small: ok, unknown: ok, large: ok },
      { a: 8_192, small: 4_096, large: 100_000 },
    )
    expect(s.asked).toEqual(['a', 'large'])
    expect(s.end).toMatchObject({ status: 200, choice: { providerId: 'large' } })
    expect(s.turn.tried).toMatchObject([{ provider: 'a', code: 'context_length_exceeded', status: 400 }])
    expect(s.r.views().find(({ id }) => id === 'a')).toMatchObject({ calls: [] })
  })

  it.each([400, 413, 500])('is told with 400 in the client’s words, whatever its status: %i', async (status) => {
    const s = await sent({ a: { status, body: vllm }, b: ok }, { a: 8_192 })
    expect(s.asked).toEqual(['a'])
    expect(s.end).toMatchObject({
      code: 'context_length_exceeded',
      status: 400,
      message: expect.stringContaining('your messages resulted in 9000 tokens') as string,
    })
    expect(s.heard).toBe('')
    for (let i = 0; i < 9; i++) expect(targetOf(s.r.choose(ask()))).toBe('a.m')
  })

  it('is passed on as it came where the client knows the words', async () => {
    const s = await sent({ a: { status: 400, body: openai } })
    expect([s.heard, s.end]).toMatchObject([openai, { status: 400 }])
    expect(s.r.views().find(({ id }) => id === 'a')).toMatchObject({ calls: [] })
  })

  it('is read in the first event of a stream', async () => {
    const event = `event: error\ndata: ${full('Your request exceeded model token limit: 100 (requested: 120)')}\n\n`
    const s = await sent({ a: { status: 200, body: event, sse: true } }, {}, 'messages')
    expect(s.end).toMatchObject({ status: 400, message: 'prompt is too long: 120 tokens > 100 maximum' })
  })

  it('has the numbers of the request where the vendor has not', async () => {
    const body = full(
      'The estimated number of input and maximum output tokens (90300) exceeded this model context ' +
        'window limit (90280)',
    )
    expect((await sent({ a: { status: 413, body } }, {}, 'messages', 30_000)).end).toMatchObject({
      message: expect.stringContaining('exceed context limit: 60300 + 30000 > 90280') as string,
    })
  })

  it('is said in the client’s words in the middle of a stream', async () => {
    const s = await sent({ a: { status: 200, body: `${begun}data: ${vllm}\n\n`, sse: true } })
    expect(s.heard.startsWith(begun)).toBe(true)
    expect(JSON.parse(s.heard.slice(begun.length + 'data: '.length))).toMatchObject({
      error: { code: 'context_length_exceeded', type: 'invalid_request_error' },
    })
    expect(s.end).toMatchObject({ summary: { finish: 'error' } })
  })

  it('is read in the field of its own in which older llama.cpp tells of it', async () => {
    const event =
      'error: {"code":400,"message":"the request exceeds the available context size. try increasing the context ' +
      'size or enable context shift","type":"invalid_request_error"}\n\n'
    const s = await sent({ a: { status: 200, body: event, sse: true } })
    expect(s.end).toMatchObject({ status: 400, code: 'context_length_exceeded' })
  })

  it('leaves another error in such a field to the next candidate, or to the client in one it reads', async () => {
    const event = 'error: {"code":500,"message":"The slot was lost.","type":"server_error"}\n\n'
    const failed = { status: 200, body: event, sse: true }
    const next = await sent({ a: failed, b: ok })
    expect([next.asked, next.heard]).toEqual([['a', 'b'], good])
    for (const body of [event, begun.repeat(3) + event]) {
      const last = await sent({ a: { ...failed, body } })
      expect(last.heard).toBe(
        body.replace(event, '') +
          'event: error\ndata: {"type":"error","error":{"code":500,"message":"The slot was lost.",' +
          '"type":"server_error"}}\n\n',
      )
      expect(last.end).toMatchObject({ summary: { finish: 'error', error: { message: 'The slot was lost.' } } })
    }
  })
})
