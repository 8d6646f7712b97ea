import { describe, expect, it } from 'vitest'
import { eachTransport } from '../testing/each-transport.ts'
import { answer, ask, onRequests } from '../testing/wire.ts'
import { outgoing, type Outgoing } from './transport.ts'

const { server, transport } = eachTransport()

describe('a request goes out as it is', () => {
  it('path, query, headers and bytes; a body of several buffers as one', async () => {
    const seen: { head: string; body: Buffer }[] = []
    const s = await server((socket) =>
      onRequests(socket, (head, body) => {
        seen.push({ head, body })
        socket.write(answer('ok'))
      }),
    )
    const t = transport()
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    await ask(t, {
      url: `${s.url}/v1/messages?beta=true`,
      headers: { 'anthropic-beta': 'a,b', 'x-odd': 'ü' },
      body: bytes,
    })
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
    const s = await server((socket) =>
      onRequests(socket, (_head, body) => {
        got = body.length
        socket.write(answer('ok'))
      }),
    )
    const told = await ask(transport(), { url: `${s.url}/`, body: [big, big] })
    expect(told.body.toString()).toBe('ok')
    expect(got).toBe(6_000_000)
  })
})

describe('an answer comes as it is', () => {
  it('status, headers, repeated headers and compressed bytes untouched', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff])
    const s = await server((socket) =>
      onRequests(socket, () => {
        socket.write(
          'HTTP/1.1 429 Too Many\r\nContent-Encoding: gzip\r\nX-A: ' +
            '1\r\nX-A: 2\r\nRetry-After: 4\r\ncontent-length: 5\r\n\r\n',
        )
        socket.write(bytes)
      }),
    )
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.status).toBe(429)
    expect(told.headers).toMatchObject({ 'content-encoding': 'gzip', 'retry-after': '4', 'x-a': ['1', '2'] })
    expect(told.body).toEqual(bytes)
    expect(told.order.at(-1)).toBe('end')
  })

  it('passes each piece on when it arrives', async () => {
    const s = await server((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nfirst \r\n')),
    )
    const told = await ask(transport(), { url: `${s.url}/` }, (event, _call, soFar) => {
      if (event === 'data' && soFar.chunks.length === 1) s.connections[0]?.write('6\r\nsecond\r\n0\r\n\r\n')
    })
    expect(told.chunks.map(String)).toEqual(['first ', 'second'])
  })

  it('overlooks informational answers', async () => {
    const s = await server((socket) =>
      onRequests(socket, () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${answer('ok')}`)),
    )
    const told = await ask(transport(), { url: `${s.url}/` })
    expect(told.order).toEqual(['head', 'data', 'end'])
    expect(told.status).toBe(200)
  })
})

const piecesOf = async (body: Outgoing): Promise<Buffer[]> => {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return pieces
}

describe('a request body on its way', () => {
  it('is its pieces in order, empty ones left out, as often as asked', async () => {
    const body = outgoing([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])
    expect(body.length).toBe(3)
    expect((await piecesOf(body)).map(String)).toEqual(['a', 'bc'])
    expect(Buffer.concat(await piecesOf(body)).toString()).toBe('abc')
  })

  it('is given to the socket a megabyte at a time, between which others have their turn', async () => {
    const whole = Buffer.alloc(40 * 1024 * 1024, 'the quick brown fox ')
    let turns = 0
    let sending = true
    const others = () => {
      turns++
      if (sending) setImmediate(others)
    }
    setImmediate(others)
    const pieces: Buffer[] = []
    for await (const piece of outgoing([whole])) {
      pieces.push(piece)
      const busyUntil = performance.now() + 1
      while (performance.now() < busyUntil);
    }
    sending = false
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(1024 * 1024)
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    expect(turns).toBeGreaterThan(4)
  })

  it('holds nothing once dropped, also in the middle of sending', async () => {
    const body = outgoing([Buffer.alloc(3 * 1024 * 1024), Buffer.from('b')])
    const sending = body[Symbol.asyncIterator]()
    await sending.next()
    body.drop()
    expect((await sending.next()).done).toBe(true)
    expect([body.whole, await piecesOf(body)]).toEqual([false, []])
  })

  it('is one buffer where it is small, and none once dropped', () => {
    const body = outgoing([Buffer.from('a'), Buffer.from('bc')])
    expect(body.small?.toString()).toBe('abc')
    body.drop()
    expect(body.small).toBeNull()
    expect(outgoing(Buffer.alloc(100_000)).small).toBeNull()
  })
})
