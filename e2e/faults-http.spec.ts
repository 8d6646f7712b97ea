/**
 * What arrives from outside and is wrong: each a clear error in the caller's own shape, the engine alive, the provider
 * not bothered.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { rawClient } from '../electron/engine/gateway/testing/raw-client.ts'
import { bodyOf, bodyEntries, providersFor, type TestEntry } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { post, type Answer } from './support/post.ts'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let mock: MockUpstream
let engine: EngineForTest
/** requests the provider should have had by now */
let good = 0
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('All is well.')
  engine = await startEngineForTest(providersFor(mock))
})
afterAll(async () => {
  await engine?.dispose()
  await mock?.dispose()
  removeHomes()
})

interface Fault {
  what: string
  status: number
  code: string
  message: RegExp
  /** of the error, in the words of OpenAI's and Anthropic's APIs */
  types: readonly [openai: string, anthropic: string]
  body?: (door: TestEntry) => string | Buffer
  path?: (door: TestEntry) => string
  headers?: Readonly<Record<string, string>>
}
const MiB = 1024 * 1024
const invalid = ['invalid_request_error', 'invalid_request_error'] as const
const notAllowed = ['authentication_error', 'authentication_error'] as const
const foreign = ['permission_error', 'permission_error'] as const

const faults: readonly Fault[] = [
  {
    what: 'JSON that is cut off',
    body: (door) => bodyOf(door, ['Hi']).slice(0, -3),
    status: 400,
    code: 'bad-json',
    message: /^The body is not valid JSON: .* at byte \d+\.$/,
    types: invalid,
  },
  {
    what: 'JSON that is no object',
    body: () => '["model"]',
    status: 400,
    code: 'bad-request',
    message: /object/,
    types: invalid,
  },
  {
    what: 'no body at all',
    body: () => '',
    status: 400,
    code: 'bad-json',
    message: /^The body is not valid JSON: .* at byte 0\.$/,
    types: invalid,
  },
  {
    what: 'text that is not UTF-8',
    body: (door) => Buffer.from(bodyOf(door, ['Hi \u00ff']), 'latin1'),
    status: 400,
    code: 'bad-utf8',
    message: /^The body is not valid UTF-8: a broken character at byte \d+\.$/,
    types: invalid,
  },
  {
    what: 'a body of 65 MiB',
    body: () => Buffer.alloc(65 * MiB, 0x20),
    status: 413,
    code: 'body-too-large',
    message: /^This request body is larger than 67108864 bytes, the limit server\.maxBodyBytes sets\.$/,
    types: ['invalid_request_error', 'request_too_large'],
  },
  {
    what: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'unsupported-media-type',
    message: /^Onward reads application\/json, not "application\/x-www-form-urlencoded"\.$/,
    types: invalid,
  },
  {
    what: 'an unknown packing',
    headers: { 'content-encoding': 'lzma' },
    status: 415,
    code: 'unsupported-encoding',
    message: /lzma/,
    types: invalid,
  },
  {
    what: 'a packing that does not unpack',
    headers: { 'content-encoding': 'gzip' },
    status: 400,
    code: 'bad-encoding',
    message: /gzip/,
    types: invalid,
  },
  {
    what: 'a path nobody serves',
    path: ({ path }) => path.replace(/^\/v1/, '/v1/nothing'),
    status: 404,
    code: 'unknown-path',
    message: /^Onward serves nothing at POST \/v1\/nothing\/.* It serves \/v1\/chat\/completions, /,
    types: ['not_found_error', 'not_found_error'],
  },
  {
    what: 'a bad key',
    headers: { authorization: 'Bearer wrong' },
    status: 401,
    code: 'bad-key',
    message: /^This API key is not one of server\.keys/,
    types: notAllowed,
  },
  {
    what: 'no key',
    headers: { authorization: '' },
    status: 401,
    code: 'missing-key',
    message: /^This call carries no API key\. Send one of server\.keys/,
    types: notAllowed,
  },
  {
    what: 'a foreign Host',
    headers: { host: 'evil.example:5520' },
    status: 403,
    code: 'foreign-host',
    message: /^Onward does not answer to the host name "evil\.example:5520".* server\.allowedHosts/,
    types: foreign,
  },
  {
    what: 'a foreign Origin',
    headers: { origin: 'https://evil.example' },
    status: 403,
    code: 'foreign-origin',
    message: /^A page of "https:\/\/evil\.example" may not talk to Onward.* server\.allowedHosts/,
    types: foreign,
  },
  {
    what: 'the Origin of a file',
    headers: { origin: 'null' },
    status: 403,
    code: 'foreign-origin',
    message: /^A page of "null" may not talk to Onward/,
    types: foreign,
  },
]

const cases = bodyEntries.flatMap((door) => faults.map((fault) => ({ ...fault, door, entry: door.entry })))

describe('a bad request', () => {
  it.each(cases)(
    'over $entry: $what',
    async ({ door, status, code, message, types: [openai, anthropic], ...fault }) => {
      const answer = await post(engine, fault.path?.(door) ?? door.path, fault.body?.(door) ?? bodyOf(door, ['Hi']), {
        headers: { ...door.headers, ...fault.headers },
      })
      expect(answer.status).toBe(status)
      expect(answer.whole).toBe(true)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      const told = errorOf(door, answer)
      expect(told).toMatchObject({
        code,
        type: door.entry === 'messages' ? anthropic : openai,
        message: expect.stringMatching(message),
        requestId: answer.headers['x-request-id'],
      })
      expect(mock.requests).toHaveLength(good)
    },
  )

  it.each(bodyEntries)('a broken chunk over $entry is told, and its connection ends', async (door) => {
    const client = rawClient(engine.port)
    client.send(
      `POST ${door.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${engine.key}` +
        '\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      'zzz\r\nnot a chunk\r\n',
    )
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 .*"code":"bad-http"/s)
  })

  it.each([
    ['noise', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad-http'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${'x'.repeat(70_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
  ])('%s', async (_what, bytes, status, code) => {
    const client = rawClient(engine.port)
    client.send(Buffer.from(bytes, 'latin1'))
    const told = await client.closed
    expect(told).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(told).toContain(`"code":"${code}"`)
  })

  it('a client that leaves in the middle of its body reaches no provider', async () => {
    const client = rawClient(engine.port)
    client.send(
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${engine.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    )
    await client.until(/^HTTP\/1\.1 100 Continue/)
    client.send('{"half":')
    client.destroy()
    await client.closed
    expect(mock.requests).toHaveLength(good)
  })

  it.each(bodyEntries)('does no harm to the next good one over $entry', async (door) => {
    const answer = await post(engine, door.path, bodyOf(door, ['Hi']), { headers: door.headers })
    good += 1
    expect(answer.status).toBe(200)
    expect(answer.body.toString()).toContain('All is well.')
    expect(mock.requests).toHaveLength(good)
    expect((await engine.control.api.status.query()).pid).toBe(engine.pid)
  })
})

describe('the control API', () => {
  const url = () => `ws://127.0.0.1:${engine.port}/control`

  it.each([
    [
      'somebody it does not know',
      JSON.stringify({ type: 'auth-hello', id: 'x'.repeat(22), nonce: 'x'.repeat(43) }),
      'nobody of that id',
    ],
    [
      'a call in place of the hello',
      JSON.stringify({ id: 1, method: 'query', params: { path: 'status' } }),
      'the first message is no hello',
    ],
    ['noise in place of the hello', '{"method"', 'the first message is no hello'],
  ])('closes on %s, and says why', async (_what, first, why) => {
    expect(await talk(new WebSocket(url()), first)).toEqual({ messages: [], code: 4401, reason: why })
    await waitFor('its line in the log', async () =>
      (await engine.control.api.logs.query(200)).some(
        (line) => line.includes('control connection refused') && line.includes(why),
      ),
    )
  })

  it.each([
    ['a foreign Origin', { headers: { origin: 'https://evil.example' } }, 'foreign-origin'],
    ['a foreign Host', { headers: { host: 'evil.example' } }, 'foreign-host'],
  ])('is not there for %s', async (_what, options, code) => {
    const refused = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const socket = new WebSocket(url(), options)
      socket.on('unexpected-response', (_request, response) => {
        let body = ''
        response
          .setEncoding('utf8')
          .on('data', (text: string) => {
            body += text
          })
          .on('end', () => resolve({ status: response.statusCode, body }))
      })
      socket.on('open', () => reject(new Error('it was let in')))
      socket.on('error', reject)
    })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code } })
  })

  it('has no memory for whoever has proved nothing', unless(notOnLinux), async () => {
    const most = () => Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1])
    const before = most()
    const callers = Array.from({ length: 100 }, () => new WebSocket(url(), { maxPayload: 1024 }))
    const ends = await Promise.all(
      callers.map(
        (socket) =>
          new Promise((resolve) => {
            socket.on('error', () => undefined)
            socket.on('open', () => socket.send(Buffer.alloc(8 * MiB - 1), { fin: false }))
            socket.on('close', () => resolve('ended'))
          }),
      ),
    )
    expect(new Set(ends)).toEqual(new Set(['ended']))
    expect(most() - before).toBeLessThan(100_000)
    expect((await engine.control.api.status.query()).pid).toBe(engine.pid)
  })

  it('answers a call it does not understand with an error, and goes on', async () => {
    await expect(engine.control.api.turns.query(-1)).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } })
    await expect(engine.control.api.session.query('nobody')).rejects.toMatchObject({
      data: { onwardCode: 'session-unknown' },
      message: 'No session “nobody” is known. `onward sessions` lists them.',
    })
    expect(await engine.control.api.status.query()).toMatchObject({ pid: engine.pid, today: { turns: good } })
  })
})

/** The error in the shape its protocol has for it, nothing more and nothing less. */
function errorOf(
  { entry }: TestEntry,
  { body }: Answer,
): { code: string; type: string; message: string; requestId: string } {
  const told: unknown = JSON.parse(body.toString())
  const text = expect.any(String)
  if (entry === 'messages') {
    expect(told).toEqual({ type: 'error', error: { type: text, message: text, code: text }, request_id: text })
    const { error, request_id: requestId } = told as {
      error: { type: string; message: string; code: string }
      request_id: string
    }
    return { ...error, requestId }
  }
  expect(told).toEqual({ error: { message: text, type: text, param: null, code: text, request_id: text } })
  const {
    error: { code, type, message, request_id: requestId },
  } = told as { error: { code: string; type: string; message: string; request_id: string } }
  return { code, type, message, requestId }
}

/** Says one thing on a control connection and listens until it is closed. */
function talk(socket: WebSocket, first: string): Promise<{ messages: string[]; code: number; reason: string }> {
  return new Promise((resolve, reject) => {
    const messages: string[] = []
    socket.on('open', () => socket.send(first))
    socket.on('message', (data) => messages.push(String(data)))
    socket.on('error', reject)
    socket.on('close', (code, reason) => resolve({ messages, code, reason: reason.toString() }))
  })
}
