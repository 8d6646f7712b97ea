import { afterEach, describe, expect, it } from 'vitest'
import type { Socket } from 'node:net'
import { systemClock } from '../../base/clock.ts'
import { virtualClock } from '../../base/virtual-clock.ts'
import { answer, ask, onRequests, rawServer, until, type RawServer } from '../testing/wire.ts'
import type { Transport, UpstreamCall } from '../types.ts'
import { undiciTransport } from './transport.ts'

const open: { dispose(): Promise<void> }[] = []
afterEach(async () => { for (const one of open.splice(0).reverse()) await one.dispose() })

function transport(clock = systemClock()): Transport {
  const made = undiciTransport({ clock, env: {} })
  open.push(made)
  return made
}
async function server(onConnection: (socket: Socket, index: number) => void): Promise<RawServer> {
  const made = await rawServer(onConnection)
  open.push({ dispose: () => made.close() })
  return made
}

describe('a request goes out as it is', () => {
  it('path, query, headers and bytes; a body of several buffers as one', async () => {
    const seen: { head: string; body: Buffer }[] = []
    const s = await server((socket) => onRequests(socket, (head, body) => { seen.push({ head, body }); socket.write(answer('ok')) }))
    const t = transport()
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    await ask(t, { url: `${s.url}/v1/messages?beta=true`, headers: { 'anthropic-beta': 'a,b', 'x-odd': 'ü' }, body: bytes })
    await ask(t, { url: `${s.url}/v1/messages`, body: [Buffer.from('{"a"'), Buffer.alloc(0), Buffer.from(':1}')] })
    await ask(t, { url: `${s.url}/v1/models`, method: 'GET', body: null })
    expect(seen[0]?.head).toContain('POST /v1/messages?beta=true HTTP/1.1')
    expect(seen[0]?.head).toContain('anthropic-beta: a,b')
    expect(seen[0]?.head).toContain('x-odd: ü')
    expect(seen[0]?.body).toEqual(bytes)
    expect(seen[1]?.body.toString()).toBe('{"a":1}')
    expect(seen[1]?.head).toContain('content-length: 7')
    expect(seen[1]?.head).not.toContain('transfer-encoding')
    expect(seen[2]?.head).toMatch(/^GET \/v1\/models HTTP\/1\.1/)
    expect(seen[2]?.head).not.toMatch(/content-length/)
  })

  it('sends a body larger than the socket takes at once', async () => {
    const big = Buffer.alloc(3_000_000, 'x')
    let got = 0
    const s = await server((socket) => onRequests(socket, (_head, body) => { got = body.length; socket.write(answer('ok')) }))
    const told = await ask(transport(), { url: `${s.url}/`, body: [big, big] })
    expect(told.body.toString()).toBe('ok')
    expect(got).toBe(6_000_000)
  })
})

describe('an answer comes as it is', () => {
  it('status, headers, repeated headers and compressed bytes untouched', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff])
    const s = await server((socket) => onRequests(socket, () => {
      socket.write('HTTP/1.1 429 Too Many\r\nContent-Encoding: gzip\r\nX-A: 1\r\nX-A: 2\r\nRetry-After: 4\r\ncontent-length: 5\r\n\r\n')
      socket.write(bytes)
    }))
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.status).toBe(429)
    expect(told.headers).toMatchObject({ 'content-encoding': 'gzip', 'retry-after': '4', 'x-a': ['1', '2'] })
    expect(told.body).toEqual(bytes)
    expect(told.order.at(-1)).toBe('end')
  })

  it('passes each piece on when it arrives', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nfirst \r\n')))
    const told = await ask(transport(), { url: `${s.url}/` }, (event, _call, soFar) => {
      if (event === 'data' && soFar.chunks.length === 1) s.connections[0]?.write('6\r\nsecond\r\n0\r\n\r\n')
    })
    expect(told.chunks.map(String)).toEqual(['first ', 'second'])
  })

  it('overlooks informational answers', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${answer('ok')}`)))
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.order).toEqual(['head', 'data', 'end'])
    expect(told.status).toBe(200)
  })
})

describe('connections', () => {
  it('are kept and used again, one request at a time on each', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(answer('ok'))))
    const t = transport()
    for (let i = 0; i < 5; i++) expect((await ask(t, { url: `${s.url}/` })).status).toBe(200)
    expect(s.connections.length).toBe(1)
    await Promise.all([1, 2, 3].map(() => ask(t, { url: `${s.url}/` })))
    expect(s.connections.length).toBeGreaterThan(1)
  })

  it('that went stale are replaced once, without the caller noticing', async () => {
    const bodies: string[] = []
    // The second request on a connection is read and then the connection is cut: a keep-alive race.
    const s = await server((socket) => onRequests(socket, (_head, body, count) => {
      bodies.push(body.toString())
      if (count === 0) socket.write(answer('ok'))
      else socket.destroy()
    }))
    const t = transport()
    await ask(t, { url: `${s.url}/`, body: Buffer.from('one') })
    const told = await ask(t, { url: `${s.url}/`, body: Buffer.from('two') })
    expect(told.order).toEqual(['head', 'data', 'end'])
    expect(bodies).toEqual(['one', 'two', 'two'])
    expect(s.connections.length).toBe(2)
  })

  it('that are new are not tried again: the upstream may be at work', async () => {
    let requests = 0
    const s = await server((socket) => onRequests(socket, () => { requests++; socket.destroy() }))
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.error?.code).toBe('upstream-broke-off')
    expect(told.error?.retryable).toBe(true)
    expect(requests).toBe(1)
  })

  it('a second stale one is an error, not a loop', async () => {
    let requests = 0
    const s = await server((socket) => onRequests(socket, (_head, _body, count) => {
      requests++
      if (count === 0 && requests < 3) socket.write(answer('ok'))
      else socket.destroy()
    }))
    const t = transport()
    await ask(t, { url: `${s.url}/` })
    const told = await ask(t, { url: `${s.url}/` })
    expect(told.error?.code).toBe('upstream-broke-off')
    expect(requests).toBe(3)
  })
})

describe('failures are named', () => {
  it.each([
    ['garbage status line', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'upstream-protocol', true],
    ['nothing, then closed', (socket: Socket) => socket.end(), 'upstream-broke-off', true],
    ['half a head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'), 'upstream-broke-off', true],
    ['reset in the body', (socket: Socket) => { socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf', () => socket.resetAndDestroy()) }, 'upstream-broke-off', false],
    ['closed before the announced length', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf'), 'upstream-broke-off', false],
    ['closed between chunks', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'), 'upstream-broke-off', false],
    ['garbage between chunks', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n'), 'upstream-protocol', false],
    ['headers without end', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(8000)}\r\n`.repeat(40)}`), 'upstream-protocol', true],
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

describe('patience', () => {
  it('ends when no first byte comes', async () => {
    const clock = virtualClock()
    let asked = false
    const s = await server((socket) => onRequests(socket, () => { asked = true }))
    const done = ask(transport(clock), { url: `${s.url}/`, timeouts: { connectMs: 1000, firstByteMs: 60_000, idleMs: 1000 } })
    await until(() => asked, 'the request arrived')
    await clock.advance(60_001)
    const told = await done
    expect(told.error?.code).toBe('upstream-timeout')
    expect(told.error?.message).toBe(`127.0.0.1:${s.port} did not begin to answer within 60 s.`)
    expect(told.error?.retryable).toBe(true)
    await until(() => s.connections[0]?.destroyed === true, 'the connection was closed')
  })

  it('ends when the answer falls silent, counted from the last byte', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')))
    let pieces = 0
    const done = ask(transport(clock), { url: `${s.url}/`, timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 10_000 } }, (event) => { if (event === 'data') pieces++ })
    await until(() => pieces === 1, 'one byte arrived')
    await clock.advance(9000)
    s.connections[0]?.write('2')
    await until(() => pieces === 2, 'another byte arrived')
    await clock.advance(9000)
    s.connections[0]?.write('3')
    await until(() => pieces === 3, 'a third byte arrived')
    await clock.advance(10_001)
    const told = await done
    expect(told.error?.message).toBe(`127.0.0.1:${s.port} fell silent in the middle of its answer for 10 s.`)
    expect(told.error?.retryable).toBe(false)
  })

  it('does not count a slow reader as a silent upstream', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n1')))
    const paused: UpstreamCall[] = []
    const done = ask(transport(clock), { url: `${s.url}/`, timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 10_000 } }, (event, call, told) => {
      if (event !== 'data' || told.chunks.length > 1) return
      paused.push(call)
      return false
    })
    await until(() => paused.length === 1, 'paused')
    await clock.advance(100_000)
    paused[0]?.resume()
    s.connections[0]?.write('2')
    expect((await done).body.toString()).toBe('12')
  })

  it('ends when the connection does not come to stand', async () => {
    const clock = virtualClock()
    // A TLS handshake that is never answered.
    const s = await server(() => undefined)
    const done = ask(transport(clock), { url: `https://127.0.0.1:${s.port}/`, timeouts: { connectMs: 3000, firstByteMs: 0, idleMs: 0 } })
    await until(() => s.connections.length === 1, 'connected')
    await clock.advance(3001)
    const told = await done
    expect(told.error?.code).toBe('upstream-timeout')
    expect(told.error?.message).toMatch(/did not take the connection in time/)
  })

  it('leaves no timer behind', async () => {
    const clock = virtualClock()
    const s = await server((socket) => onRequests(socket, () => socket.write(answer('ok'))))
    await ask(transport(clock), { url: `${s.url}/` })
    expect(clock.pending()).toBe(0)
  })
})

describe('abort', () => {
  it('in the middle of an answer reaches the upstream', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')))
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => { if (event === 'data') call.abort() })
    expect(told.error?.code).toBe('upstream-aborted')
    await until(() => s.connections[0]?.destroyed === true, 'the upstream saw it')
  })

  it('before a connection stands sends nothing', async () => {
    let bytes = 0
    const s = await server((socket) => socket.on('data', (chunk) => { bytes += chunk.length }))
    const t = transport()
    let end: string | null = null
    const call = t.send({ url: `${s.url}/`, method: 'POST', headers: {}, body: Buffer.from('x'), timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 } }, {
      onHead: () => undefined, onData: () => true, onEnd: () => { end = 'end' }, onError: (error) => { end = error.code },
    })
    call.abort()
    call.abort()
    expect(end).toBeNull()
    await until(() => end !== null, 'told')
    expect(end).toBe('upstream-aborted')
    await until(() => s.connections.length === 0 || s.connections[0]?.destroyed === true, 'given up')
    expect(bytes).toBe(0)
  })

  it('while waiting for the first byte, while paused, and after the end', async () => {
    let mode: 'silent' | 'pause' | 'done' = 'silent'
    const s = await server((socket) => onRequests(socket, () => {
      if (mode === 'pause') socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\nabc')
      if (mode === 'done') socket.write(answer('ok'))
    }))
    const t = transport()
    const calls: UpstreamCall[] = []
    const silent = new Promise<string>((resolve) => {
      const call = t.send({ url: `${s.url}/`, method: 'POST', headers: {}, body: Buffer.from('x'), timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 } }, {
        onHead: () => undefined, onData: () => true, onEnd: () => resolve('end'), onError: (error) => resolve(error.code),
      })
      calls.push(call)
    })
    await until(() => s.connections.length === 1, 'connected')
    calls[0]?.abort()
    expect(await silent).toBe('upstream-aborted')
    mode = 'pause'
    const paused = await ask(t, { url: `${s.url}/` }, (event, call) => { if (event === 'data') { setTimeout(() => call.abort(), 5); return false } })
    expect(paused.error?.code).toBe('upstream-aborted')
    mode = 'done'
    const done = await ask(t, { url: `${s.url}/` }, (event, call) => { if (event === 'end') call.abort() })
    expect(done.order).toEqual(['head', 'data', 'end'])
  })

  it('dispose ends what runs', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1')))
    const t = transport()
    const told = await ask(t, { url: `${s.url}/` }, (event) => { if (event === 'data') void t.dispose() })
    expect(told.error?.code).toBe('upstream-aborted')
    expect(told.error?.message).toMatch(/shutting down/)
  })
})

describe('backpressure', () => {
  it('a slow reader holds the upstream back: memory stays flat', async () => {
    const total = 64 * 1024 * 1024
    let written = 0
    const s = await server((socket) => onRequests(socket, () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`)
      const piece = Buffer.alloc(64 * 1024, 'z')
      const more = () => {
        while (written < total) {
          written += piece.length
          if (!socket.write(piece)) { socket.once('drain', more); return }
        }
      }
      more()
    }))
    let read = 0
    let mostAhead = 0
    const t = transport()
    await new Promise<void>((resolve, reject) => {
      const call = t.send({ url: `${s.url}/`, method: 'POST', headers: {}, body: Buffer.from('x'), timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0 } }, {
        onHead: () => undefined,
        onData(chunk) {
          read += chunk.length
          mostAhead = Math.max(mostAhead, written - read)
          setImmediate(() => call.resume())
          return false
        },
        onEnd: resolve,
        onError: reject,
      })
    })
    expect(read).toBe(total)
    // What is between the two: kernel socket buffers and one read, never the answer.
    expect(mostAhead).toBeLessThan(16 * 1024 * 1024)
  })

  it('a resume within onData does not stall', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(50)}0\r\n\r\n`)))
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => { if (event === 'data') { call.resume(); return false } })
    expect(told.body.toString()).toBe('a'.repeat(50))
  })

  it('a pause at the last piece still ends', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.end('HTTP/1.1 200 OK\r\n\r\nlast')))
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => { if (event === 'data') { setTimeout(() => call.resume(), 20); return false } })
    expect(told.order).toEqual(['head', 'data', 'end'])
  })

  it.each([
    ['ends', (socket: Socket) => { socket.end() }, 'end'],
    ['resets', (socket: Socket) => { socket.resetAndDestroy() }, null],
  ])('an upstream that %s while its last piece waits disturbs nobody', async (_name, leave, end) => {
    // undici's own pause fails an assertion here, which would end the process.
    const s = await server((socket) => onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nlast')))
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => {
      if (event !== 'data') return
      const socket = s.connections[0]
      if (socket) leave(socket)
      setTimeout(() => call.resume(), 30)
      return false
    })
    expect(told.body.toString()).toBe('last')
    if (end !== null) expect(told.order.at(-1)).toBe(end)
    expect(told.order.length).toBe(3)
  })

  it('what arrived before a break-off is delivered before it is told', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(20)}`)))
    let first = true
    const told = await ask(transport(), { url: `${s.url}/` }, (event, call) => {
      if (event !== 'data' || !first) return
      first = false
      s.connections[0]?.destroy()
      setTimeout(() => call.resume(), 30)
      return false
    })
    expect([told.body.toString(), told.error?.code]).toEqual(['a'.repeat(20), 'upstream-broke-off'])
  })

  it('a connection whose reader paused serves the next request all the same', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(20)}0\r\n\r\n`)))
    const t = transport()
    for (let i = 0; i < 3; i++) {
      const told = await ask(t, { url: `${s.url}/` }, (event, call) => { if (event === 'data') { setTimeout(() => call.resume(), 1); return false } })
      expect(told.body.length).toBe(20)
    }
    expect(s.connections.length).toBe(1)
  })

  it('an answer resumed from within another answer’s data does not disturb either', async () => {
    const s = await server((socket) => onRequests(socket, () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'3\r\nabc\r\n'.repeat(200)}0\r\n\r\n`)))
    const t = transport()
    let wake: (() => void) | null = null
    const first = ask(t, { url: `${s.url}/1` }, (event, call) => { if (event === 'data') { wake = () => call.resume(); return false } })
    await until(() => wake !== null, 'the first is paused')
    const second = ask(t, { url: `${s.url}/2` }, (event) => { if (event === 'data') wake?.() })
    const pump = setInterval(() => wake?.(), 1)
    const [a, b] = await Promise.all([first, second])
    clearInterval(pump)
    expect([a.body.length, b.body.length]).toEqual([600, 600])
  })
})
