/** What arrives from outside and is wrong: each a clear error, the process alive, the pipeline not bothered. */
import { connect } from 'node:net'
import * as zlib from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { lingerMs } from './answer.ts'
import { openGateway, type OpenGateway } from './testing/open-gateway.ts'
import { post, rawClient } from './testing/raw-client.ts'

let gateway: OpenGateway
afterEach(async () => {
  const alive = await fetch(`${gateway.base}/health`)
  expect(alive.status).toBe(200)
  gateway.dispose()
})

const MiB = 1024 * 1024
const head = (path: string, ...headers: string[]) => `${[`POST ${path} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`
const host = 'Host: 127.0.0.1'
const json = 'Content-Type: application/json'

describe('a body that is too large', () => {
  it('of 65 MiB is answered 413, and the connection goes on', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', host, json, `Content-Length: ${65 * MiB}`))
    const answer = await client.until(/\r\n\r\n\{.*\}/)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"body-too-large"')
    expect(answer).toContain('"shape":"messages"')
    const chunk = Buffer.alloc(MiB, 0x20)
    for (let i = 0; i < 65; i++) client.send(chunk)
    client.send(post('/v1/messages', '{}'))
    await client.until(/\{"ok":true\}/)
    expect(gateway.calls).toHaveLength(1)
    client.destroy()
  })

  it('reaches a client library as 413', async () => {
    gateway = await openGateway()
    const answer = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(65 * MiB, 0x20),
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ shape: 'chat', code: 'body-too-large' })
  })

  it('in chunks without a length is given up at the limit', async () => {
    gateway = await openGateway({ server: { maxBodyBytes: 1000 } })
    const client = rawClient(gateway.port)
    client.send(head('/v1/responses', host, json, 'Transfer-Encoding: chunked'))
    const chunk = `190\r\n${'x'.repeat(400)}\r\n`
    client.send(chunk, chunk, chunk)
    expect(await client.until(/\r\n\r\n\{.*\}/)).toMatch(/^HTTP\/1\.1 413 .*"shape":"responses"/s)
    client.send(chunk, chunk, '0\r\n\r\n', post('/v1/responses', '{}'))
    await client.until(/\{"ok":true\}/)
    client.destroy()
  })

  it('packed small is measured unpacked', async () => {
    gateway = await openGateway({ server: { maxBodyBytes: 100_000 } })
    const body = zlib.gzipSync(Buffer.alloc(10 * MiB, 0x20))
    expect(body.length).toBeLessThan(100_000)
    const answer = await fetch(`${gateway.base}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    })
    expect(answer.status).toBe(413)
  })

  it('does not cost a client that wants the connection closed its answer', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    let open = true
    void client.closed.then(() => {
      open = false
    })
    client.send(head('/v1/messages', host, json, `Content-Length: ${65 * MiB}`, 'Connection: close'))
    const answer = await client.until(/\r\n\r\n\{.*\}/)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close/is)
    const chunk = Buffer.alloc(MiB, 0x20)
    for (let i = 0; i < 64; i++) client.send(chunk)
    expect((await fetch(`${gateway.base}/health`)).status).toBe(200)
    expect(open).toBe(true)
    client.send(chunk)
    expect(await client.closed).toBe(answer)
  })

  it('is not waited for without end', async () => {
    const clock = virtualClock()
    gateway = await openGateway({ clock })
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', host, json, `Content-Length: ${65 * MiB}`), 'x')
    await client.until(/413/)
    await clock.advance(lingerMs)
    expect(await client.closed).toMatch(/^HTTP\/1\.1 413/)
  })

  it('of exactly the limit is taken', async () => {
    gateway = await openGateway({ server: { maxBodyBytes: 1000 } })
    const answer = await fetch(`${gateway.base}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(1000),
    })
    expect(answer.status).toBe(200)
    expect(gateway.calls[0]?.body).toHaveLength(1000)
  })
})

describe('a client that asks before it sends (Expect: 100-continue)', () => {
  it('is told to go on', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', host, json, 'Content-Length: 2', 'Expect: 100-continue'))
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    client.send('{}')
    await client.until(/\{"ok":true\}/)
    client.destroy()
  })

  it.each([
    ['too large', [json, `Content-Length: ${65 * MiB}`], 413],
    ['of a wrong type', ['Content-Type: text/plain', 'Content-Length: 2'], 415],
  ])('is told no before it sends: %s', async (_what, headers, status) => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', host, ...headers, 'Expect: 100-continue'))
    const answer = await client.closed
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/connection: close/i)
  })
})

describe('a body of a wrong kind', () => {
  it.each([
    [{}, 415, 'unsupported-media-type'],
    [{ 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported-media-type'],
    [{ 'content-type': 'application/json', 'content-encoding': 'lzma' }, 415, 'unsupported-encoding'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 400, 'bad-encoding'],
  ])('%j', async (headers, status, code) => {
    gateway = await openGateway()
    const answer = await fetch(`${gateway.base}/v1/messages`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: Buffer.from('{"model":"m"}'),
    })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ shape: 'messages', code })
    expect(gateway.calls).toEqual([])
  })

  it('is unpacked where it is only packed, and loses its byte order mark', async () => {
    gateway = await openGateway()
    for (const [encoding, body] of [
      ['gzip', zlib.gzipSync('{"a":1}')],
      ['deflate', zlib.deflateSync('{"a":1}')],
      ['br', zlib.brotliCompressSync('{"a":1}')],
      ['zstd', Buffer.from('KLUv/SAHOQAAeyJhIjoxfQ==', 'base64')],
      ['gzip', zlib.gzipSync('\uFEFF{"a":1}')],
      ['identity', Buffer.from('\uFEFF{"a":1}')],
    ] as const) {
      const answer = await fetch(`${gateway.base}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body,
      })
      expect(answer.status).toBe(200)
    }
    expect(gateway.calls.map((c) => c.body.toString())).toEqual(Array(6).fill('{"a":1}'))
    expect(gateway.calls.map((c) => c.headers['content-encoding'])).toEqual(Array(6).fill(undefined))
  })
})

describe('a foreign page or machine', () => {
  it.each([
    [['Host: evil.example:5520'], 'foreign-host'],
    [[host, 'Origin: https://evil.example'], 'foreign-origin'],
    [[host, 'Origin: null'], 'foreign-origin'],
    [['Host: evil.example', 'Origin: http://evil.example'], 'foreign-host'],
  ])('is refused: %j', async (headers, code) => {
    gateway = await openGateway()
    for (const path of [
      '/v1/messages',
      '/health',
      '/',
      '/dashboard/',
      '/v1beta/x',
      '/nowhere',
      '/t/terminal-key-1/v1/messages',
    ]) {
      const client = rawClient(gateway.port)
      client.send(head(path, ...headers, json, 'Content-Length: 2', 'Connection: close'), '{}')
      const answer = await client.closed
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toContain(code)
    }
    expect(gateway.calls).toEqual([])
  })

  it('may be listed', async () => {
    gateway = await openGateway({ server: { allowedHosts: ['devbox:5520'] } })
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', 'Host: devbox:5520', json, 'Content-Length: 2'), '{}')
    await client.until(/\{"ok":true\}/)
    client.destroy()
  })

  it('is refused in HTTP/1.0 without a Host as well', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send('GET /health HTTP/1.0\r\n\r\n')
    expect(await client.closed).toMatch(/403 .*foreign-host/s)
  })
})

describe('a bad key', () => {
  it.each([
    ['/v1/chat/completions', 'chat'],
    ['/v1/responses', 'responses'],
    ['/v1/messages', 'messages'],
  ])('is answered 401 in the shape of %s, the body unread', async (path, shape) => {
    gateway = await openGateway({ server: { keys: ['right'] } })
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong::rcc-session:work' }]) {
      const answer = await fetch(gateway.base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
        body: '{}',
      })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ shape, status: 401 })
    }
    expect(gateway.calls).toEqual([])
  })
})

describe('bytes that are no request', () => {
  it.each([
    ['noise', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['no Host in HTTP/1.1', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two lengths', head('/v1/messages', host, json, 'Content-Length: 2', 'Content-Length: 3'), 400],
    ['a length and chunks', head('/v1/messages', host, json, 'Content-Length: 2', 'Transfer-Encoding: chunked'), 400],
    ['a negative length', head('/v1/messages', host, json, 'Content-Length: -1'), 400],
    ['headers without end', `GET / HTTP/1.1\r\n${host}\r\nX-Big: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(Buffer.from(bytes, 'latin1'))
    expect(await client.closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(gateway.calls).toEqual([])
  })

  it('in place of a chunk are told so', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(head('/v1/messages', host, json, 'Transfer-Encoding: chunked'), 'zzz\r\nnot a chunk\r\n')
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 .*bad-http/s)
    expect(gateway.calls).toEqual([])
  })
})

describe('a client that leaves', () => {
  it('in the middle of its body reaches no pipeline', async () => {
    gateway = await openGateway()
    const seen = new Promise<void>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1')
      socket.write(head('/v1/messages', host, json, 'Content-Length: 100'))
      socket.write('{"half":')
      socket.once('ready', () => socket.destroySoon())
      socket.once('close', () => resolve())
    })
    await seen
    // the next request comes after it in the server's own order of events
    expect(
      (
        await fetch(`${gateway.base}/v1/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(200)
    expect(gateway.calls).toHaveLength(1)
  })
})

describe('several requests on one connection', () => {
  it('sent at once are answered in order', async () => {
    gateway = await openGateway({
      runTurn: async ({ reply, body }) => {
        // the first takes longest
        for (let i = Number(body.toString()); i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
        reply.head(200, { 'content-length': String(body.length + 2) })
        reply.end(Buffer.from(`<${body.toString()}>`))
      },
    })
    const client = rawClient(gateway.port)
    client.send(Buffer.concat([1, 2, 3, 4, 5].map((n) => post('/v1/messages', String(n)))))
    const text = await client.until(/<5>/)
    expect(text.match(/<\d>/g)).toEqual(['<1>', '<2>', '<3>', '<4>', '<5>'])
    client.destroy()
  })

  it('end with a broken one, the whole ones answered', async () => {
    gateway = await openGateway()
    const client = rawClient(gateway.port)
    client.send(post('/v1/messages', '{}'))
    await client.until(/\{"ok":true\}/)
    client.send('GARBAGE\r\n\r\n')
    expect(await client.closed).toMatch(/\{"ok":true\}.*HTTP\/1\.1 400 /s)
  })
})
