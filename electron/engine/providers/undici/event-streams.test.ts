import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { testCertificate, testKey } from '../testing/certificate.ts'
import { ask } from '../testing/wire.ts'
import { undiciTransport } from './transport.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const events = Array.from({ length: 300 }, (_, i) => `data: {"n":${i}}\n\n`)

/** Each event is a write of its own, in its own turn of the loop. */
const streams =
  (end: 'whole' | 'cut'): RequestListener =>
  (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    let next = 0
    const more = () => {
      const event = events[next++]
      if (event !== undefined) {
        response.write(event)
        setImmediate(more)
      } else if (end === 'whole') response.end()
      else response.write('', () => request.socket.destroy())
    }
    request.resume().on('end', more)
  }

const made = {
  plain: { protocol: 'http', create: (listener: RequestListener) => createPlain(listener) },
  secure: {
    protocol: 'https',
    create: (listener: RequestListener) => createSecure({ key: testKey, cert: testCertificate }, listener),
  },
} as const

async function serve(kind: keyof typeof made, listener: RequestListener) {
  const { protocol, create } = made[kind]
  const server: Server = create(listener)
  let connections = 0
  server.on(kind === 'secure' ? 'secureConnection' : 'connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const transport = undiciTransport({ clock: systemClock(), env: {}, ca: testCertificate })
  closing.push(
    () => new Promise((done) => server.close(done)),
    () => transport.dispose(),
  )
  const { port } = server.address() as AddressInfo
  return { transport, url: `${protocol}://localhost:${port}/`, connections: () => connections }
}

describe.each(['plain', 'secure'] as const)('a burst of events over a %s connection', (kind) => {
  it('comes whole and in order, and its connection serves the next', async () => {
    const { transport, url, connections } = await serve(kind, streams('whole'))
    for (let i = 0; i < 5; i++) {
      const told = await ask(transport, { url })
      expect([told.error, told.body.toString()]).toEqual([null, events.join('')])
    }
    expect(connections()).toBe(1)
  })

  it('that is cut is told with all that came of it', async () => {
    const { transport, url } = await serve(kind, streams('cut'))
    const told = await ask(transport, { url })
    expect([told.error?.code, told.body.toString()]).toEqual(['upstream-broke-off', events.join('')])
  })

  it('keeps its order where the reader pauses in it', async () => {
    const { transport, url } = await serve(kind, streams('whole'))
    const told = await ask(transport, { url }, (event, call) => {
      if (event !== 'data') return
      setImmediate(() => call.resume())
      return false
    })
    expect([told.error, told.body.toString()]).toEqual([null, events.join('')])
  })
})
