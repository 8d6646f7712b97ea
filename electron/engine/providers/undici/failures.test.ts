import { describe, expect, it } from 'vitest'
import type { Socket } from 'node:net'
import { eachTransport } from '../testing/each-transport.ts'
import { ask, onRequests, rawServer } from '../testing/wire.ts'

const { server, transport } = eachTransport()

describe('failures are named', () => {
  it.each([
    ['garbage status line', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'upstream-protocol', true],
    ['nothing, then closed', (socket: Socket) => socket.end(), 'upstream-broke-off', true],
    ['half a head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'), 'upstream-broke-off', true],
    [
      'reset in the body',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf', () => socket.resetAndDestroy())
      },
      'upstream-broke-off',
      false,
    ],
    [
      'closed before the announced length',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf'),
      'upstream-broke-off',
      false,
    ],
    [
      'closed between chunks',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
      'upstream-broke-off',
      false,
    ],
    [
      'garbage between chunks',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n'),
      'upstream-protocol',
      false,
    ],
    [
      'headers without end',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(8000)}\r\n`.repeat(40)}`),
      'upstream-protocol',
      true,
    ],
  ])('%s', async (_name, misbehave, code, retryable) => {
    const s = await server((socket) => onRequests(socket, () => misbehave(socket)))
    const told = await ask(transport(), { url: `${s.url}/secret?key=hidden` })
    expect([told.error?.code, told.error?.retryable]).toEqual([code, retryable])
    expect(told.error?.message).toContain(`127.0.0.1:${s.port}`)
    expect(told.error?.message).not.toContain('hidden')
  })

  it('an end of the connection ends an answer that announced no length', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')))
    const told = await ask(transport(), { url: `${s.url}/` })
    expect([told.body.toString(), told.order.at(-1)]).toEqual(['all of it', 'end'])
  })

  it('refused', async () => {
    const s = await rawServer(() => undefined)
    await s.close()
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).toMatch(/Nothing listens at 127\.0\.0\.1:\d+/)
    expect(told.error?.details['systemCode']).toBe('ECONNREFUSED')
  })

  it('no TLS at the other end', async () => {
    const s = await server((socket) => socket.end('HTTP/1.1 400 no\r\n\r\n'))
    const told = await ask(transport(), { url: `https://127.0.0.1:${s.port}/` })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).toMatch(/secure connection|closed the connection while/)
  })

  it.each(['not an address', 'ftp://127.0.0.1/', 'http://user:word@'])('no address: %s', async (url) => {
    const told = await ask(transport(), { url })
    expect(told.error?.code).toBe('upstream-unreachable')
    expect(told.error?.message).not.toContain('word')
  })

  it('a header that can not be written', async () => {
    const s = await server(() => undefined)
    const told = await ask(transport(), { url: `${s.url}/`, headers: { authorization: 'Bearer a\nb' } })
    expect(told.error?.code).toBe('upstream-protocol')
    expect(told.error?.message).not.toContain('Bearer a')
  })
})
