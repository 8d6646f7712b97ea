import { createServer, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { testCertificate, testKey } from '../testing/certificate.ts'
import { ask } from '../testing/wire.ts'
import { undiciTransport } from './transport.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(resolve)
      }),
  )
  return (server.address() as AddressInfo).port
}

/** The upstream has a name that only the proxy knows: reaching it proves the way taken. */
const upstreamName = 'upstream.test'

async function upstream(): Promise<number> {
  return listening(
    createSecure({ key: testKey, cert: testCertificate }, (request, response) => {
      request.resume().on('end', () => response.end(`secure ${request.method} ${request.url} ${request.headers.host}`))
    }),
  )
}

interface Proxy {
  port: number
  seen: string[]
  connects: number
}
async function proxy(answer: 'open' | 'refuse' | 'hang-up', target: number): Promise<Proxy> {
  const seen: string[] = []
  const state: Proxy = { port: 0, seen, connects: 0 }
  const server = createServer((request, response) => {
    seen.push(
      `${request.method} ${request.url} host=${request.headers.host} ` +
        `auth=${request.headers['proxy-authorization'] ?? '-'}`,
    )
    request.resume().on('end', () => response.end('from the proxy'))
  })
  server.on('connect', (request, socket: Socket) => {
    state.connects++
    seen.push(`CONNECT ${request.url} auth=${request.headers['proxy-authorization'] ?? '-'}`)
    socket.on('error', () => socket.destroy())
    if (answer === 'hang-up') {
      socket.destroy()
      return
    }
    if (answer === 'refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const through = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    through.on('error', () => socket.destroy())
  })
  state.port = await listening(server)
  return state
}

function transport(env: Record<string, string>) {
  const made = undiciTransport({ clock: systemClock(), env, ca: testCertificate })
  closing.push(() => made.dispose())
  return made
}

describe('through an HTTP proxy', () => {
  it('plain http is asked for in absolute form, with the proxy’s credential', async () => {
    const p = await proxy('open', 0)
    const told = await ask(transport({ HTTP_PROXY: `http://me:pa%20ss@127.0.0.1:${p.port}` }), {
      url: 'http://models.test:8080/v1/x?y=1',
    })
    expect(told.body.toString()).toBe('from the proxy')
    expect(p.seen).toEqual([
      'POST http://models.test:8080/v1/x?y=1 host=models.test:8080 ' +
        `auth=Basic ${Buffer.from('me:pa ss').toString('base64')}`,
    ])
  })

  it('https goes through a tunnel that is kept, the upstream’s name verified', async () => {
    const port = await upstream()
    const p = await proxy('open', port)
    const t = transport({ https_proxy: `127.0.0.1:${p.port}` })
    for (let i = 0; i < 3; i++) {
      const told = await ask(t, { url: `https://${upstreamName}:${port}/v1/messages` })
      expect(told.error).toBeNull()
      expect(told.body.toString()).toBe(`secure POST /v1/messages ${upstreamName}:${port}`)
    }
    expect(p.seen).toEqual([`CONNECT ${upstreamName}:${port} auth=-`])
  })

  it.each(['refuse', 'hang-up'] as const)('a proxy that does %s is named, and asked once', async (answer) => {
    const p = await proxy(answer, 0)
    const told = await ask(transport({ HTTPS_PROXY: `http://127.0.0.1:${p.port}` }), {
      url: 'https://upstream.test/v1',
    })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).toContain(`The proxy 127.0.0.1:${p.port} opened no way to upstream.test`)
    expect(p.connects).toBe(1)
  })

  it('a proxy that is not there is named', async () => {
    const told = await ask(transport({ HTTPS_PROXY: 'http://127.0.0.1:1' }), { url: 'https://upstream.test/v1' })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).toContain('127.0.0.1:1')
  })
})

describe('https', () => {
  it('reaches a trusted upstream directly', async () => {
    const port = await upstream()
    const told = await ask(transport({ HTTPS_PROXY: 'http://127.0.0.1:1' }), { url: `https://127.0.0.1:${port}/a` })
    expect(told.body.toString()).toBe(`secure POST /a 127.0.0.1:${port}`)
  })

  it('refuses a certificate nobody vouches for', async () => {
    const port = await upstream()
    const made = undiciTransport({ clock: systemClock(), env: {} })
    closing.push(() => made.dispose())
    const told = await ask(made, { url: `https://127.0.0.1:${port}/a` })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).toContain('certificate')
  })
})
