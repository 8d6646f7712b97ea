import { connect } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { lingerMs } from './answer.ts'
import { openGateway, type OpenGateway } from './testing/open-gateway.ts'
import { post, rawClient } from './testing/raw-client.ts'

let gateway: OpenGateway
afterEach(() => gateway.dispose())

const upgrade = (path: string, ...headers: string[]) =>
  [
    `GET ${path} HTTP/1.1`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ].join('\r\n') + '\r\n\r\n'
const host = 'Host: 127.0.0.1'

describe('a WebSocket upgrade', () => {
  it.each([
    '/v1/responses',
    '/responses',
    '/v1/v1/responses',
    '/t/terminal-key-1/v1/responses?x=1',
    '/v1/chat/completions',
  ])('on %s is answered 426', async (path) => {
    gateway = await openGateway({
      upgrade: () => {
        throw new Error('not for the control API')
      },
    })
    const client = rawClient(gateway.port)
    client.send(upgrade(path, host, 'openai-beta: responses_websockets=2026-02-06'))
    const answer = await client.closed
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
    expect(answer).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/)
    expect(answer).toMatch(/\r\nx-request-id: req_/)
    expect(answer).toMatch(/\{"shape":"(responses|chat)","status":426,"code":"no-websocket"/)
  })

  it('is refused as such by a WebSocket client', async () => {
    gateway = await openGateway()
    const status = await new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/v1/responses`)
      socket.on('unexpected-response', (_req, res) => {
        resolve(res.statusCode)
        socket.terminate()
      })
      socket.on('open', () => reject(new Error('open')))
      socket.on('error', () => undefined)
    })
    expect(status).toBe(426)
  })

  it.each([
    [['Host: evil.example'], 'foreign-host'],
    [[host, 'Origin: https://evil.example'], 'foreign-origin'],
    [[host, 'Origin: http://127.0.0.1:1'], 'foreign-origin'],
  ])('from elsewhere is refused: %j', async (headers, code) => {
    gateway = await openGateway({
      upgrade: () => {
        throw new Error('must not be asked')
      },
    })
    for (const path of ['/control', '/v1/responses']) {
      const client = rawClient(gateway.port)
      client.send(upgrade(path, ...headers))
      expect(await client.closed).toMatch(new RegExp(`^HTTP/1\\.1 403 .*${code}`, 's'))
    }
  })

  it.each([
    ['other', [], /^HTTP\/1\.1 403 .*"code":"other-user"/s],
    ['gone', [], /^$/],
    ['own', [], /^HTTP\/1\.1 101 /],
    // the proof decides
    ['untold', [], /^HTTP\/1\.1 101 /],
    ['other', ['a-key-for-others'], /^HTTP\/1\.1 101 /],
  ] as const)('for the control API by a program of user %s, with server.keys %j', async (user, keys, answer) => {
    gateway = await openGateway({
      peers: { userOf: async () => user, processOf: async () => null },
      server: { keys: [...keys] },
      upgrade: (_req, socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
        return true
      },
    })
    const client = rawClient(gateway.port)
    client.send(upgrade('/control', host))
    if (user === 'gone') expect(await client.closed).toMatch(answer)
    else await client.until(answer)
    client.destroy()
  })

  it.each([
    ['an upgrade that is refused', () => upgrade('/v1/responses', host), /^HTTP\/1\.1 426 /],
    ['bytes that are no request', () => 'noise\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('leaves no socket open to whoever does not leave after %s', async (_what, bytes, answer) => {
    const clock = virtualClock()
    gateway = await openGateway({ clock })
    const client = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true })
    const told = new Promise<string>((resolve) => client.once('data', (data) => resolve(data.toString())))
    const closed = new Promise((resolve) => client.once('close', resolve))
    client.on('error', () => undefined)
    client.write(bytes())
    expect(await told).toMatch(answer)
    await clock.advance(lingerMs)
    // what is written to a connection that is gone is answered by a reset
    const more = setInterval(() => client.write('more'), 1)
    onTestFinished(() => clearInterval(more))
    await closed
  })

  it('that nobody takes is answered 404, one that fails 500', async () => {
    gateway = await openGateway({
      upgrade: (req) => {
        if (req.url === '/broken') throw new Error('broken')
        return false
      },
    })
    const nobody = rawClient(gateway.port)
    nobody.send(upgrade('/nowhere', host))
    expect(await nobody.closed).toMatch(/^HTTP\/1\.1 404 /)
    const broken = rawClient(gateway.port)
    broken.send(upgrade('/broken', host))
    expect(await broken.closed).toMatch(/^HTTP\/1\.1 500 /)
  })

  it('for the control API goes through, and ends with the gateway', async () => {
    const sockets = new WebSocketServer({ noServer: true })
    gateway = await openGateway({
      upgrade: (req, socket, head) => {
        if (req.url !== '/control') return false
        sockets.handleUpgrade(req, socket, head, (ws) => ws.on('message', (data) => ws.send(`heard ${String(data)}`)))
        return true
      },
    })
    const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/control`, {
      origin: `http://127.0.0.1:${gateway.port}`,
    })
    const heard = new Promise((resolve) => client.on('message', (data) => resolve(String(data))))
    client.on('open', () => client.send('hello'))
    expect(await heard).toBe('heard hello')
    const closed = new Promise((resolve) => client.on('close', resolve))
    client.on('error', () => undefined)
    gateway.dispose()
    await closed
  })
})

describe('an upgrade to something else, offered with an ordinary call', () => {
  it('is ignored and the call answered, on the same connection as the next', async () => {
    gateway = await openGateway({
      runTurn: async ({ reply, body, headers }) => {
        reply.head(200, {})
        reply.end(Buffer.from(`<${body.length} ${headers['upgrade']} ${headers['x-kept']}>`))
      },
    })
    const client = rawClient(gateway.port)
    const body = 'x'.repeat(100_000)
    client.send(
      `POST /v1/messages HTTP/1.1\r\n${host}\r\nConnection: Upgrade, ` +
        'HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nX-Kept: yes\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      body.slice(0, 700),
    )
    client.send(body.slice(700))
    await client.until(/<100000 undefined yes>/)
    client.send(`GET /health HTTP/1.1\r\n${host}\r\n\r\n`)
    await client.until(/"status":"ok"/)
    client.destroy()
  })

  it.each([
    ['h2c', /"status":"ok"/],
    ['websocket', /^HTTP\/1\.1 404 /m],
  ])('to %s behind an open answer waits until that is whole, however slowly it is read', async (to, next) => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    let begun = () => {}
    const beginning = new Promise<void>((resolve) => (begun = resolve))
    const left: boolean[] = []
    gateway = await openGateway({
      async runTurn({ reply }) {
        reply.onClose(() => left.push(reply.left))
        reply.head(200, {})
        begun()
        for (let i = 0; i < 300; i++) if (!reply.write(piece)) await new Promise<void>((go) => reply.onDrain(go))
        reply.end(Buffer.from('the last words'))
      },
    })
    const client = rawClient(gateway.port)
    client.pause()
    client.send(post('/v1/messages', '{"model":"m"}'))
    await beginning
    client.send(`GET /health HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: ${to}\r\n\r\n`)
    client.resume()
    const all = await client.until(next)
    expect(all.indexOf('the last words')).toBeGreaterThan(300 * piece.length)
    expect(all.search(next)).toBeGreaterThan(all.indexOf('the last words'))
    expect(left).toEqual([false])
    client.destroy()
  })

  it('behind an answer that never comes is over when its client leaves', async () => {
    const left: boolean[] = []
    gateway = await openGateway({
      runTurn: ({ reply }) =>
        new Promise((done) =>
          reply.onClose(() => {
            left.push(reply.left)
            done()
          }),
        ),
    })
    const client = rawClient(gateway.port)
    client.send(post('/v1/messages', '{"model":"m"}'))
    await waitFor('the turn', () => gateway.calls.length === 1)
    client.send(`GET /health HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`)
    gateway.dispose()
    await client.closed
    await waitFor('the end', () => left.length === 1)
    expect(left).toEqual([true])
  })
})
