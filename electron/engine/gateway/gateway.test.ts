import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import { answerOk, openGateway, type OpenGateway } from './testing/open-gateway.ts'

let gateway: OpenGateway
afterEach(() => gateway.dispose())

const json = { 'content-type': 'application/json' }
const send = (path: string, headers: Record<string, string> = {}, body = '{"model":"m"}') =>
  fetch(gateway.base + path, { method: 'POST', headers: { ...json, ...headers }, body })

describe('a call for the pipeline', () => {
  it.each([
    ['/v1/chat/completions', 'chat', 'generate', '/v1/chat/completions'],
    ['/chat/completions', 'chat', 'generate', '/v1/chat/completions'],
    ['/v1/responses', 'responses', 'generate', '/v1/responses'],
    ['/v1/responses/compact', 'responses', 'compact', '/v1/responses/compact'],
    ['/v1/messages?beta=true', 'messages', 'generate', '/v1/messages?beta=true'],
    ['/v1/v1/messages?beta=true', 'messages', 'generate', '/v1/messages?beta=true'],
    ['/v1/messages/count_tokens', 'messages', 'count', '/v1/messages/count_tokens'],
    ['/t/terminal-key-1/v1/messages?a=%20b', 'messages', 'generate', '/v1/messages?a=%20b'],
  ])('%s', async (path, entry, endpoint, given) => {
    gateway = await openGateway()
    const before = performance.now()
    const answer = await send(path, { 'X-Odd': 'Ä', 'anthropic-beta': 'a,b' }, '{"model": "m"}\n')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ok: true })
    const [call] = gateway.calls
    expect(call).toMatchObject({
      entry,
      endpoint,
      method: 'POST',
      path: given,
      headers: { 'x-odd': 'Ä', 'anthropic-beta': 'a,b', host: `127.0.0.1:${gateway.port}` },
    })
    expect(call?.body.toString()).toBe('{"model": "m"}\n')
    expect(call?.callingProcess).not.toBeNull()
    expect(call?.receivedAt).toBeGreaterThanOrEqual(before)
    expect(call?.receivedAt).toBeLessThanOrEqual(performance.now())
    expect(answer.headers.get('x-request-id')).toBe(call?.requestId)
  })

  it('carries its caller', async () => {
    gateway = await openGateway()
    await send('/v1/messages', { 'x-api-key': 'any::rcc-session:work' })
    await send('/t/terminal-key-1/v1/messages', { authorization: 'Bearer vendor' })
    await send('/v1/chat/completions', { authorization: 'Bearer terminal-key-1' })
    expect(gateway.calls.map((c) => c.caller)).toEqual([
      { kind: 'local', suffix: { tmuxSessionId: 'work', daemonId: null } },
      { kind: 'terminal', terminalId: 'term-1' },
      { kind: 'terminal', terminalId: 'term-1' },
    ])
  })

  it('has an id of its own', async () => {
    gateway = await openGateway()
    await Promise.all(Array.from({ length: 50 }, () => send('/v1/messages').then((a) => a.text())))
    expect(new Set(gateway.calls.map((c) => c.requestId)).size).toBe(50)
  })

  it("keeps an upstream's request id", async () => {
    gateway = await openGateway({
      runTurn: async ({ reply }) => {
        reply.head(200, { 'x-request-id': 'req_upstream' })
        reply.end()
      },
    })
    expect((await send('/v1/messages')).headers.get('x-request-id')).toBe('req_upstream')
  })

  it('obeys a changed config at once', async () => {
    gateway = await openGateway()
    expect((await send('/v1/messages')).status).toBe(200)
    gateway.configure({ keys: ['k'] })
    expect((await send('/v1/messages')).status).toBe(401)
    expect((await send('/v1/messages', { 'x-api-key': 'k' })).status).toBe(200)
  })
})

describe('an error of the pipeline', () => {
  const failing = (error: unknown) => openGateway({ runTurn: () => Promise.reject(error) })

  it.each([
    ['/v1/chat/completions', 'chat'],
    ['/v1/responses', 'responses'],
    ['/v1/messages', 'messages'],
    ['/v1/messages/count_tokens', 'messages'],
  ])('is answered in the shape of %s', async (path, shape) => {
    gateway = await failing(new OnwardError('bad-json', 'This is no JSON.', { status: 400 }))
    const answer = await send(path)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual({
      shape,
      status: 400,
      code: 'bad-json',
      message: 'This is no JSON.',
      requestId: answer.headers.get('x-request-id'),
    })
  })

  it.each([
    [2.4, '3'],
    ['Sat, 21 Nov 2026 14:00:00 GMT', 'Sat, 21 Nov 2026 14:00:00 GMT'],
    [undefined, null],
    ['a\r\nb: c', null],
    [Number.NaN, null],
  ])('passes retry-after on: %s', async (retryAfter, expected) => {
    gateway = await failing(new OnwardError('rate-limited', 'Later.', { status: 429, details: { retryAfter } }))
    const answer = await send('/v1/messages')
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe(expected)
  })

  it.each([[new TypeError('secret detail')], ['a string'], [undefined]])(
    'of another kind says nothing of its inside: %s',
    async (error) => {
      gateway = await failing(error)
      const answer = await send('/v1/messages')
      const body = await answer.text()
      expect(answer.status).toBe(500)
      expect(body).toContain('internal-error')
      expect(body).not.toContain('secret')
    },
  )

  it('thrown at once is answered too', async () => {
    gateway = await openGateway({
      runTurn: () => {
        throw new OnwardError('sync', 'At once.', { status: 418 })
      },
    })
    expect((await send('/v1/messages')).status).toBe(418)
  })

  it('after the head breaks the answer off', async () => {
    gateway = await openGateway({
      runTurn: async ({ reply }) => {
        reply.head(200, {})
        reply.write(Buffer.from('half'))
        throw new Error('too late')
      },
    })
    const answer = await send('/v1/messages')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  it.each([
    ['before the head', async () => undefined, 500],
    [
      'after the head',
      async ({ reply }: Parameters<typeof answerOk>[0]) => {
        reply.head(200, {})
      },
      200,
    ],
  ] as const)('is a turn that ends without an answer: %s', async (_when, runTurn, status) => {
    gateway = await openGateway({ runTurn })
    const answer = await send('/v1/messages')
    expect(answer.status).toBe(status)
    if (status === 500) expect(await answer.json()).toMatchObject({ code: 'turn-without-answer' })
    else await expect(answer.text()).rejects.toThrow()
  })
})

describe('a key in the query', () => {
  const url = (key: string): string => `${gateway.base}/v1beta/models/m:generateContent?alt=sse&key=${key}`
  const ask = (key: string, headers: Record<string, string> = {}) =>
    fetch(url(key), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' })

  it('counts, and is gone from what the pipeline gets but for Google’s own header', async () => {
    gateway = await openGateway({ server: { keys: ['local'] } })
    expect((await ask('wrong')).status).toBe(401)
    expect((await ask('local')).status).toBe(200)
    expect((await ask('terminal-key-1')).status).toBe(200)
    expect((await ask('theirs', { 'x-onward-key': 'local' })).status).toBe(200)
    expect(gateway.calls.map((call) => [call.path, call.headers['x-goog-api-key'], call.caller.kind])).toEqual([
      ['/v1beta/models/m:generateContent?alt=sse', 'local', 'local'],
      ['/v1beta/models/m:generateContent?alt=sse', 'terminal-key-1', 'terminal'],
      ['/v1beta/models/m:generateContent?alt=sse', 'theirs', 'local'],
    ])
  })
})

describe('GET /v1/models', () => {
  it('has the shape of the asking client', async () => {
    gateway = await openGateway()
    const openai = await (await fetch(`${gateway.base}/v1/models`)).json()
    expect(openai).toMatchObject({ object: 'list', data: [{ id: 'glm.glm-5', object: 'model', owned_by: 'glm' }, {}] })
    const anthropic = await (
      await fetch(`${gateway.base}/v1/models?limit=20`, { headers: { 'anthropic-version': '2023-06-01' } })
    ).json()
    expect(anthropic).toMatchObject({
      data: [{ type: 'model', id: 'glm.glm-5', display_name: 'glm.glm-5', created_at: '1970-01-01T00:00:00.000Z' }, {}],
      has_more: false,
      first_id: 'glm.glm-5',
      last_id: 'a/b:c',
    })
  })

  it.each([
    ['/v1beta/models', {}],
    ['/v1beta/models?pageSize=50&key=k', {}],
    ['/v1/models', { 'x-goog-api-key': 'k' }],
  ])('has Google’s shape at %s', async (path, headers) => {
    gateway = await openGateway()
    const google = await (await fetch(gateway.base + path, { headers: { ...headers } })).json()
    expect(google).toMatchObject({
      models: [
        {
          name: 'models/glm.glm-5',
          displayName: 'glm.glm-5',
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        },
        { name: 'models/a/b:c' },
      ],
    })
  })

  it('knows single models', async () => {
    gateway = await openGateway()
    expect(await (await fetch(`${gateway.base}/v1beta/models/a%2Fb:c`)).json()).toMatchObject({ name: 'models/a/b:c' })
    expect((await fetch(`${gateway.base}/v1beta/models/none`)).status).toBe(404)
    expect(await (await fetch(`${gateway.base}/v1/models/a%2Fb:c`)).json()).toMatchObject({ id: 'a/b:c' })
    const answer = await fetch(`${gateway.base}/v1/models/none`, { headers: { 'x-api-key': 'k' } })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ shape: 'messages', code: 'unknown-model' })
  })

  it('asks for the key', async () => {
    gateway = await openGateway({ server: { keys: ['k'] } })
    expect((await fetch(`${gateway.base}/v1/models`)).status).toBe(401)
    expect((await fetch(`${gateway.base}/v1/models`, { headers: { authorization: 'Bearer k' } })).status).toBe(200)
  })
})

describe('the small pages', () => {
  it('answer without a key', async () => {
    let ready = false
    gateway = await openGateway({
      server: { keys: ['k'] },
      unreadable: () => (ready ? null : 'config'),
      ready: () => ready,
    })
    expect(await (await fetch(`${gateway.base}/health`)).json()).toEqual({ name: 'onward', status: 'ok' })
    expect((await fetch(`${gateway.base}/ready`)).status).toBe(503)
    ready = true
    expect((await fetch(`${gateway.base}/ready`)).status).toBe(200)
    for (const path of ['/', '/health', '/ready', '/api/hello', '/t/some-key/api/hello']) {
      const answer = await fetch(gateway.base + path, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe('')
    }
  })

  it('lead a browser to the dashboard and a client nowhere', async () => {
    gateway = await openGateway()
    const browser = await fetch(gateway.base, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard/'])
    expect(await (await fetch(gateway.base)).json()).toMatchObject({ name: 'onward' })
  })
})

describe('what is not served', () => {
  it.each([
    ['POST', '/v1/embeddings', {}, 404, { shape: 'chat', code: 'unknown-path' }],
    ['POST', '/v1/messages/batches', {}, 404, { shape: 'messages', code: 'unknown-path' }],
    ['GET', '/v1/files', { 'anthropic-version': '2023-06-01' }, 404, { shape: 'messages', code: 'unknown-path' }],
    ['GET', '/v1/responses/resp_1', {}, 404, { shape: 'responses', code: 'responses-operation-not-served' }],
    ['POST', '/v1/responses/resp_1/cancel', {}, 404, { shape: 'responses', code: 'responses-operation-not-served' }],
    ['GET', '/v1/messages', {}, 405, { shape: 'messages', code: 'method-not-allowed' }],
    ['POST', '/v1/models', {}, 405, { shape: 'chat', code: 'method-not-allowed' }],
    ['OPTIONS', '/v1/chat/completions', {}, 405, { shape: 'chat', code: 'method-not-allowed' }],
    ['POST', '/v1beta/models/g:embedContent', {}, 404, { shape: 'gemini', code: 'gemini-operation-not-served' }],
    ['GET', '/v1beta/models/g:generateContent', {}, 405, { shape: 'gemini', code: 'method-not-allowed' }],
    ['POST', '/nowhere', { 'x-goog-api-key': 'k' }, 404, { shape: 'gemini', code: 'unknown-path' }],
  ])('%s %s %j', async (method, path, headers, status, body) => {
    gateway = await openGateway()
    const answer = await fetch(gateway.base + path, { method, headers: { ...(headers as Record<string, string>) } })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject(body)
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(gateway.calls).toEqual([])
  })

  it('is offered to the dashboard first', async () => {
    gateway = await openGateway({
      staticPage: (req, res) => {
        if (req.url !== '/dashboard/') return false
        res.end('page')
        return true
      },
    })
    expect(await (await fetch(`${gateway.base}/dashboard/`)).text()).toBe('page')
    expect((await fetch(`${gateway.base}/elsewhere`)).status).toBe(404)
  })

  it('may not cost the process when the engine fails at it', async () => {
    gateway = await openGateway({
      staticPage: () => {
        throw new Error('broken')
      },
      listModels: () => {
        throw new OnwardError('no-list', 'No list.', { status: 503 })
      },
    })
    expect((await fetch(`${gateway.base}/elsewhere`)).status).toBe(500)
    expect((await fetch(`${gateway.base}/v1/models`)).status).toBe(503)
    expect((await send('/v1/messages')).status).toBe(200)
  })
})

describe('starting', () => {
  const deps = async (server: object) => {
    gateway = await openGateway()
    return openGateway({ server })
  }

  it('says which port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    await expect(deps({ port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining(String(port)),
    })
    other.close()
  })

  it('on a name tells the address it has: another one of that name may be somebody else’s', async () => {
    gateway = await openGateway({ server: { host: 'localhost' } })
    expect(['127.0.0.1', '::1']).toContain(gateway.host)
  })

  it.each(['0.0.0.0', '::', '192.168.1.1'])('on %s needs keys', async (host) => {
    await expect(deps({ host, port: 0 })).rejects.toMatchObject({ code: 'keys-required' })
  })

  it('on an address this machine does not have says so', async () => {
    await expect(deps({ host: '203.0.113.1', port: 0, keys: ['k'] })).rejects.toMatchObject({ code: 'listen-failed' })
  })

  it('is undone by dispose, open connections included', async () => {
    gateway = await openGateway({
      runTurn: async ({ reply }) => {
        reply.head(200, {})
        reply.write(Buffer.from('a'))
        await new Promise(() => undefined)
      },
    })
    const answer = await send('/v1/messages')
    gateway.dispose()
    gateway.dispose()
    await expect(answer.text()).rejects.toThrow()
    await expect(fetch(gateway.base)).rejects.toThrow()
  })
})
