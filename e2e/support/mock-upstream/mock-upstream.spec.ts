import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  callTool,
  fail,
  garbage,
  gate,
  raw,
  say,
  startMockUpstream,
  type MockOptions,
  type MockUpstream,
} from './index.ts'

let mock: MockUpstream
const start = async (options?: MockOptions) => {
  await mock.dispose()
  mock = await startMockUpstream({ gaps: [0], ...options })
}
beforeEach(async () => {
  mock = await startMockUpstream({ gaps: [0] })
})
afterEach(() => mock.dispose())

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
const post = (path: string, body: unknown, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(mock.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer k', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
const turn = (text: string, stream = false) =>
  post('/v1/chat/completions', { ...chat, stream, messages: [{ role: 'user', content: text }] })
const text = async (answer: Promise<Response>) => (await answer).text()

describe('the script', () => {
  it('comes first, then the queue, then the rest', async () => {
    mock.queue(say('one'), say('two'))
    mock.script((request) => (request.lastUserText === 'special' ? say('scripted') : undefined))
    mock.otherwise = say('rest')
    const said = []
    for (const ask of ['a', 'special', 'b', 'c']) said.push(/"content":"(\w+)"/.exec(await text(turn(ask)))?.[1])
    expect(said).toEqual(['one', 'scripted', 'two', 'rest'])
  })

  it('may take its time', async () => {
    const wait = gate()
    mock.script(async () => {
      await wait.opened
      return say('late')
    })
    const answer = text(turn('a'))
    await mock.turn(1)
    wait.open()
    expect(await answer).toContain('late')
  })
})

describe('the record', () => {
  it('keeps every byte', async () => {
    const body = '{ "model":"m",\n"x-unknown":[1e2], "messages" : [{"role":"user","content":"\\u00e4"}]}'
    await text(post('/v1/chat/completions?a=1&b', body, { 'x-odd': 'yes' }))
    const request = await mock.turn(1)
    expect(request.body.toString()).toBe(body)
    expect(request).toMatchObject({
      n: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      query: '?a=1&b',
      endpoint: 'chat',
      stream: false,
      auxiliary: null,
      lastUserText: 'ä',
      headers: { 'x-odd': 'yes' },
    })
    expect(await request.over).toBe('answered')
  })

  it.each([
    [
      '/v1/chat/completions',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'c' },
              { type: 'text', text: 'd' },
            ],
          },
        ],
      },
      'c\nd',
    ],
    [
      '/v1/chat/completions',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'system', content: 's' },
        ],
      },
      'a',
    ],
    [
      '/v1/chat/completions',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
      null,
    ],
    ['/v1/responses', { model: 'm', input: 'a' }, 'a'],
    [
      '/v1/responses',
      {
        model: 'm',
        input: [
          { role: 'developer', content: 'x' },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
        ],
      },
      'a',
    ],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
      'a',
    ],
  ])('reads the last user text of %s', async (path, body, expected) => {
    await text(post(path, body, { 'anthropic-version': '2023-06-01' }))
    expect((await mock.turn(1)).lastUserText).toBe(expected)
    expect(mock.problems).toEqual([])
  })

  it('says when a wait was in vain, and what came instead', async () => {
    await text(turn('hello'))
    await expect(mock.turn(2, 20)).rejects.toThrow(/turn 2 did not come within 20 ms. Came: 1 chat "hello"/)
    const never = mock.turn(3)
    void mock.dispose()
    await expect(never).rejects.toThrow(/disposed before turn 3/)
  })

  it('tells when the caller left', async () => {
    mock.queue(say('a long story', { hold: { at: 2, until: gate() } }))
    const control = new AbortController()
    const answer = await post('/v1/chat/completions', { ...chat, stream: true }, {}, { signal: control.signal })
    expect(answer.status).toBe(200)
    control.abort()
    expect(await (await mock.turn(1)).over).toBe('left')
  })
})

describe('delivery', () => {
  it('waits where it is told to', async () => {
    const head = gate()
    const middle = gate()
    mock.queue(
      say('abc def', { hold: { at: 'head', until: head } }),
      say('abc', { piece: 1, hold: { at: 3, until: middle } }),
      say('json', { hold: { at: 'head', until: gate() } }),
    )
    let answered = false
    const first = turn('a', true).then((a) => {
      answered = true
      return a.text()
    })
    await mock.turn(1)
    expect(answered).toBe(false)
    head.open()
    expect(await first).toContain('[DONE]')
    const reader = (await turn('b', true)).body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('"content":"b"')) seen += (await reader?.read())?.value ?? ''
    expect(seen).not.toContain('"content":"c"')
    middle.open()
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) seen += chunk.value
    expect(seen).toContain('[DONE]')
  })

  it.each(['cut', 'reset'] as const)('breaks off by %s after some events', async (how) => {
    mock.queue(say('one two three', { piece: 4, breakOff: { after: 2, how } }))
    const answer = await turn('a', true)
    await expect(answer.text()).rejects.toThrow()
    expect(await (await mock.turn(1)).over).toBe('broke-off')
  })

  it('ends early without the last events', async () => {
    mock.queue(say('one two', { piece: 4, breakOff: { after: 2, how: 'end' } }))
    const body = await text(turn('a', true))
    expect(body.match(/data: /g)).toHaveLength(2)
    expect(body).toContain('one ')
    expect(body).not.toContain('finish_reason":"stop"')
  })

  it('breaks a whole body off', async () => {
    mock.queue(say('half', { breakOff: { after: 0, how: 'cut' } }))
    const answer = await turn('a')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  it('takes pauses between events', async () => {
    mock.queue(say('abc', { piece: 1, pauseMs: 1 }))
    expect((await text(turn('a', true))).match(/"content":"[abc]"/g)).toEqual([
      '"content":"a"',
      '"content":"b"',
      '"content":"c"',
    ])
  })

  it('sends any bytes', async () => {
    const until = gate()
    mock.queue(
      raw(['data: a\r\n', { pauseMs: 1 }, Buffer.from([0xff, 0x00]), { until }, 'b'], {
        headers: { 'content-type': 'text/event-stream', 'x-extra': '1' },
      }),
      raw('{"half":', { status: 206, afterwards: 'cut' }),
      garbage('\x00\x01 not http at all\r\n\r\n'),
      fail(418, { body: '<html>', headers: { 'content-type': 'text/html' } }),
    )
    const first = await turn('a')
    expect(first.headers.get('x-extra')).toBe('1')
    until.open()
    expect(Buffer.from(await first.arrayBuffer())).toEqual(
      Buffer.concat([Buffer.from('data: a\r\n'), Buffer.from([0xff, 0]), Buffer.from('b')]),
    )
    const second = await turn('b')
    expect(second.status).toBe(206)
    await expect(second.text()).rejects.toThrow()
    await expect(turn('c')).rejects.toThrow()
    const fourth = await turn('d')
    expect([fourth.status, fourth.headers.get('content-type'), await fourth.text()]).toEqual([
      418,
      'text/html',
      '<html>',
    ])
  })

  it('hangs until the mock ends', async () => {
    mock.queue(raw('data: a\n\n', { afterwards: 'hang' }))
    const answer = await turn('a')
    const body = answer.text()
    await mock.dispose()
    await expect(body).rejects.toThrow()
  })
})

describe('side requests of agents', () => {
  const codex = (metadata: object) => ({ 'x-codex-turn-metadata': JSON.stringify(metadata) })
  const responses = { model: 'm', input: [{ role: 'user', content: 'Hi' }] }
  const messages = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
  const anthropic = { 'anthropic-version': '2023-06-01' }
  const titleSchema = { type: 'object', properties: { title: { type: 'string', maxLength: 6 } } }
  it.each([
    [
      'title',
      '/v1/responses',
      { ...responses, text: { format: { type: 'json_schema', name: 'codex_output_schema', schema: titleSchema } } },
      codex({ request_kind: 'turn', thread_source: 'thread_title' }),
      '{\\"title\\":\\"Mock s\\"}',
    ],
    [
      'title',
      '/v1/messages',
      {
        ...messages,
        system: [
          { type: 'text', text: 'x-anthropic-billing-header' },
          { type: 'text', text: 'You are naming a coding session' },
        ],
        output_config: { format: { type: 'json_schema', schema: titleSchema } },
      },
      anthropic,
      '{\\"title\\":\\"Mock s\\"}',
    ],
    [
      'title',
      '/v1/chat/completions',
      { ...chat, messages: [{ role: 'system', content: 'You are a title generator. …' }, ...chat.messages] },
      {},
      'Mock session',
    ],
    [
      'compaction',
      '/v1/messages',
      {
        ...messages,
        messages: [{ role: 'user', content: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. …' }],
      },
      anthropic,
      '<summary>',
    ],
    ['compaction', '/v1/responses', responses, codex({ request_kind: 'compaction' }), '<summary>'],
    ['compaction', '/v1/responses/compact', responses, {}, 'response.compaction'],
    ['count', '/v1/messages/count_tokens', { model: 'm', messages: messages.messages }, anthropic, 'input_tokens'],
    [
      'warm-up',
      '/v1/messages',
      { ...messages, messages: [{ role: 'user', content: 'Warmup' }] },
      anthropic,
      'Mock session',
    ],
    [
      'suggestion',
      '/v1/chat/completions',
      { ...chat, messages: [{ role: 'user', content: '[SUGGESTION MODE: …' }] },
      {},
      'Mock session',
    ],
  ])('%s at %s', async (kind, path, body, headers, expected) => {
    mock.queue(say('for a turn'))
    expect(await text(post(path, body, headers as Record<string, string>))).toContain(expected)
    expect(mock.requests[0]?.auxiliary).toBe(kind)
    expect(mock.turns()).toEqual([])
    expect(await text(turn('a'))).toContain('for a turn')
    expect(mock.problems).toEqual([])
  })

  it('may be scripted too', async () => {
    await start({ auxiliary: 'script' })
    mock.script((request) => (request.auxiliary === 'count' ? fail(500) : undefined))
    expect(
      (await post('/v1/messages/count_tokens', { model: 'm', messages: messages.messages }, anthropic)).status,
    ).toBe(500)
  })
})

describe('what is wrong with a request', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const user = { role: 'user', content: 'a' }
  const tool = { role: 'tool', tool_call_id: 'c1', content: 'r' }
  const anthropic = { 'anthropic-version': '2023-06-01' }
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'r' }] }
  it.each([
    ['/v1/chat/completions', '{"model":', {}, 'the body is no JSON'],
    ['/v1/chat/completions', { messages: [user] }, {}, 'model: '],
    ['/v1/chat/completions', { model: 'm', messages: [] }, {}, 'messages: '],
    ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: null }] }, {}, 'messages.0.content: '],
    ['/v1/chat/completions', { model: 'm', messages: [{ role: 'bot', content: 'x' }] }, {}, 'messages.0.role: '],
    ['/v1/chat/completions', { model: 'm', messages: [user], stream_options: {} }, {}, 'stream_options without stream'],
    ['/v1/chat/completions', { model: 'm', messages: [user, tool] }, {}, 'which nobody called'],
    [
      '/v1/chat/completions',
      { model: 'm', messages: [user, { role: 'assistant', tool_calls: [call] }, user] },
      {},
      'tool calls without a result: c1',
    ],
    [
      '/v1/chat/completions',
      { model: 'm', messages: [user, { role: 'assistant', tool_calls: [call] }] },
      {},
      'ends with tool calls',
    ],
    ['/v1/chat/completions', chat, { 'x-onward-key': 'k' }, 'header x-onward-key was not taken off'],
    ['/v1/chat/completions', chat, { 'x-rcc-session-id': 'k' }, 'header x-rcc-session-id was not taken off'],
    ['/v1/chat/completions', chat, { authorization: 'Bearer k::rcc-session:a' }, 'still has its ::rcc- suffix'],
    ['/v1/chat/completions', chat, { 'content-type': 'text/plain' }, 'content-type is "text/plain"'],
    ['/v1/messages', { model: 'm', max_tokens: 1, messages: [user] }, {}, 'no anthropic-version'],
    ['/v1/messages', { model: 'm', messages: [user] }, anthropic, 'max_tokens: '],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      anthropic,
      'text blocks may not be empty',
    ],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content: 'a' }] },
      anthropic,
      "the first one is not the user's",
    ],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [user, use, user] },
      anthropic,
      'tool_use without tool_result: t1',
    ],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [user, result] },
      anthropic,
      'which the message before did not call',
    ],
    ['/v1/messages', { model: 'm', max_tokens: 1, messages: [user, use] }, anthropic, 'ends with tool_use'],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'video' }] }] },
      anthropic,
      'messages.0.content.0.type: ',
    ],
    ['/v1/responses', { model: 'm' }, {}, 'neither input nor previous_response_id'],
    [
      '/v1/responses',
      { model: 'm', input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: {} }] },
      {},
      'input.0.arguments: ',
    ],
    [
      '/v1/responses',
      { model: 'm', input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] },
      {},
      'no output for call "c"',
    ],
    [
      '/v1/responses',
      { model: 'm', input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] },
      {},
      'not in the input before it',
    ],
    ['/v1/responses', { model: 'm', input: [{ type: 'made_up' }] }, {}, 'input.0.type: '],
    ['/v1/embeddings', { model: 'm' }, {}, 'nothing is served at POST /v1/embeddings'],
  ])('%s %j %j', async (path, body, headers, sentence) => {
    await text(post(path, body, headers as Record<string, string>))
    expect(mock.problems.join('\n')).toContain(sentence)
  })

  it('is nothing where it is right', async () => {
    await text(
      post('/v1/chat/completions', {
        ...chat,
        messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, tool, user],
      }),
    )
    await text(
      post(
        '/v1/messages',
        { model: 'm', max_tokens: 1, messages: [user, use, result, { role: 'assistant', content: 'b' }, user] },
        anthropic,
      ),
    )
    await text(
      post('/v1/responses', {
        model: 'm',
        previous_response_id: 'r',
        input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] }],
      }),
    )
    expect(mock.problems).toEqual([])
  })

  it('is a missing credential, a wrong host, a wrong length', async () => {
    await text(fetch(`${mock.baseUrl}/v1/models`))
    expect(mock.problems.join()).toContain('no credential')
    const socket = connect(mock.port, '127.0.0.1')
    socket.write('GET /v1/models HTTP/1.1\r\nHost: elsewhere\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n')
    await new Promise((resolve) => {
      socket.resume()
      socket.on('close', resolve)
    })
    expect(mock.problems.join()).toContain('host is "elsewhere"')
  })

  it('can be what the test says', async () => {
    await start({ check: (request) => (request.body.includes('<**') ? ['a marker'] : []) })
    await text(turn('ok'))
    await text(turn('<**sm:on**>'))
    expect(mock.problems).toEqual(['request 2 POST /v1/chat/completions: a marker'])
  })
})

describe('credentials and connections', () => {
  it('refuses other keys', async () => {
    await start({ keys: ['right'] })
    expect((await turn('a')).status).toBe(401)
    expect((await post('/v1/chat/completions', chat, { authorization: 'Bearer right' })).status).toBe(200)
    expect(
      (
        await post(
          '/v1/messages',
          { model: 'm', max_tokens: 1, messages: chat.messages },
          { authorization: '', 'x-api-key': 'right', 'anthropic-version': '2023-06-01' },
        )
      ).status,
    ).toBe(200)
  })

  it('numbers connections, and refuses WebSockets', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const look = () =>
      new Promise((resolve) =>
        get(`${mock.baseUrl}/v1/models`, { agent, headers: { authorization: 'Bearer k' } }, (res) =>
          res.resume().on('end', resolve),
        ),
      )
    await look()
    await look()
    agent.destroy()
    await text(turn('a'))
    expect(mock.requests.map((r) => r.connection)).toEqual([1, 1, 2])
    const socket = connect(mock.port, '127.0.0.1')
    socket.write('GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    const answer = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))
    expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  })

  it('can be started again and again', async () => {
    for (let i = 0; i < 20; i++) {
      await text(turn('a'))
      await start()
    }
    await mock.dispose()
    await expect(turn('a')).rejects.toThrow()
  })

  it('makes tool calls for whoever asks', async () => {
    mock.queue(callTool('shell', { command: ['ls'] }))
    expect(await text(post('/v1/responses', { model: 'm', input: 'Hi' }))).toContain('"name":"shell"')
  })
})
