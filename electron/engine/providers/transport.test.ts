import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { eachTransport } from './testing/each-transport.ts'
import { ask, onRequests } from './testing/wire.ts'
import { transportFor, unpackedTransport } from './transport.ts'
import type { Transport } from './types.ts'

let home = ''
let transport: Transport
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-transport-'))
  await mkdir(join(home, 'inner', 'scenarios'), { recursive: true })
  await writeFile(join(home, 'inner', 'scenarios', 'a.json'), '{"replies":[{"text":"from the file"}]}')
  await writeFile(join(home, 'secret.json'), '{"replies":[{"text":"not this"}]}')
  const read = (path: string) =>
    readFile(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    })
  transport = transportFor({ clock: systemClock(), env: {}, home: join(home, 'inner'), files: { read } })
})
afterAll(async () => {
  await transport.dispose()
  await rm(home, { recursive: true, force: true })
})

const body = Buffer.from('{"messages":[{"role":"user","content":"hi"}]}')

describe('where a request goes', () => {
  it('simulator: to the simulator, with a scenario below the home', async () => {
    expect((await ask(transport, { url: 'simulator://s/v1/messages', body })).body.toString()).toContain(
      'simulator, not a model',
    )
    expect(
      (await ask(transport, { url: 'simulator://s/~scenarios%2Fa.json/v1/messages', body })).body.toString(),
    ).toContain('from the file')
  })

  it.each(['../secret.json', '/etc/passwd', 'a/../../secret.json', 'C:\\x.json'])(
    'never to a file outside the home: %s',
    async (path) => {
      const told = await ask(transport, { url: `simulator://s/~${encodeURIComponent(path)}/v1/messages`, body })
      expect(told.error?.code).toBe('bad-scenario')
    },
  )

  it('http: to the network; anything else nowhere', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('network'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const told = await ask(transport, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, body })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(told.body.toString()).toBe('network')
    expect((await ask(transport, { url: 'file:///etc/passwd', body })).error?.code).toBe('upstream-unreachable')
  })
})

describe('unpacked transport', () => {
  const { server, transport } = eachTransport()
  const text = `{"words":"${'go on '.repeat(2000)}"}`
  /** {"model":"m"}, packed by zstd 1.5.7 */
  const zstd = Buffer.from('KLUv/SANaQAAeyJtb2RlbCI6Im0ifQ==', 'base64')

  const head = (lines: string, status = '200 OK'): string =>
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${lines}connection: close\r\n\r\n`

  async function answered(write: (socket: Socket) => void, during?: Parameters<typeof ask>[2]): ReturnType<typeof ask> {
    const s = await server((socket) => onRequests(socket, () => write(socket)))
    return ask(unpackedTransport(transport()), { url: `${s.url}/` }, during)
  }

  describe('an answer that came compressed though nobody asked for it', () => {
    it.each([
      ['gzip', zlib.gzipSync(text)],
      ['X-Gzip', zlib.gzipSync(text)],
      ['deflate', zlib.deflateSync(text)],
      ['deflate', zlib.deflateRawSync(text)],
      ['br', zlib.brotliCompressSync(text)],
      ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
      ['zstd', zstd],
    ])('goes on plain from %s, and its headers with it', async (encoding, packed) => {
      const told = await answered((socket) => {
        socket.write(
          head(`Content-Encoding: ${encoding}\r\netag: "1"\r\nx-id: 7\r\ncontent-length: ${packed.length}\r\n`),
        )
        for (let i = 0; i < packed.length; i += 7) socket.write(packed.subarray(i, i + 7))
      })
      expect(told.body.toString()).toBe(encoding === 'zstd' ? '{"model":"m"}' : text)
      expect(told.headers).toEqual({ 'content-type': 'application/json', 'x-id': '7', connection: 'close' })
      expect([told.order.at(-1), told.error]).toEqual(['end', null])
    })

    it.each([
      ['gzip', () => zlib.createGzip()],
      ['br', () => zlib.createBrotliCompress()],
      ['deflate', () => zlib.createDeflate()],
    ])('as a stream tells each event when it came (%s)', async (encoding, packer) => {
      const pack = packer()
      const told = await answered(
        (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: ${encoding}\r\n\r\n`)
          pack.pipe(socket)
          pack.write('data: 1\n\n')
          pack.flush()
        },
        // The second is only sent after the first has arrived.
        (event, _call, soFar) => {
          if (event === 'data' && soFar.chunks.length === 1) pack.end('data: 2\n\n')
        },
      )
      expect(told.chunks.map(String)).toEqual(['data: 1\n\n', 'data: 2\n\n'])
    })

    it('that is cut off has said what it said, and is no whole answer', async () => {
      const begun = zlib.gzipSync('data: 1\n\n', { finishFlush: zlib.constants.Z_SYNC_FLUSH })
      const told = await answered((socket) => {
        socket.write(head('content-encoding: gzip\r\ntransfer-encoding: chunked\r\n'))
        socket.write(`${begun.length.toString(16)}\r\n`)
        socket.write(begun)
        socket.end('\r\n')
      })
      expect([told.body.toString(), told.error?.code]).toEqual(['data: 1\n\n', 'upstream-broke-off'])
      const short = await answered((socket) =>
        socket.end(
          Buffer.concat([Buffer.from(head('content-encoding: gzip\r\n')), zlib.gzipSync(text).subarray(0, 30)]),
        ),
      )
      expect(short.error).toMatchObject({ code: 'bad-answer', retryable: true })
    })

    it('in what it is not says so; an error keeps its status', async () => {
      const packed = (status: string) => (socket: Socket) =>
        socket.end(`${head('content-encoding: br\r\n', status)}oh no`)
      expect((await answered(packed('200 OK'))).error).toMatchObject({ code: 'bad-answer', retryable: true })
      const refused = await answered(packed('400 Bad Request'))
      expect([refused.status, refused.error]).toEqual([400, null])
      expect(refused.body.toString()).toContain('an encoding that Onward can’t read')
    })

    it('that only says so goes on plain', async () => {
      const told = await answered((socket) => socket.end(`${head('content-encoding: gzip\r\n')}{}`))
      expect([told.headers['content-encoding'], told.body.toString(), told.error]).toEqual([undefined, '{}', null])
    })

    it.each(['utf-8', 'zz', 'gzip, gzip, gzip'])(
      'goes by as it is where %s is no encoding to undo',
      async (encoding) => {
        const told = await answered((socket) => socket.end(`${head(`content-encoding: ${encoding}\r\n`)}{}`))
        expect([told.headers['content-encoding'], told.body.toString()]).toEqual([encoding, '{}'])
      },
    )

    it('waits for a slow reader, a bomb too', async () => {
      const bomb = zlib.gzipSync(Buffer.alloc(50_000_000, 0x20))
      let read = 0
      let most = 0
      const told = await answered(
        (socket) => socket.end(Buffer.concat([Buffer.from(head('content-encoding: gzip\r\n')), bomb])),
        (event, call, soFar) => {
          if (event !== 'data') return
          const now = soFar.chunks.at(-1)?.length ?? 0
          read += now
          most = Math.max(most, now)
          if (read > 2_000_000) call.abort()
          else setImmediate(() => call.resume())
          return false
        },
      )
      expect([told.error?.code, most]).toEqual(['upstream-aborted', 64 * 1024])
      expect(read).toBeLessThan(2_000_000 + 2 * 64 * 1024)
    })

    it('goes on where its reader asks for it within its data', async () => {
      const told = await answered(
        (socket) => socket.end(Buffer.concat([Buffer.from(head('content-encoding: gzip\r\n')), zlib.gzipSync(text)])),
        (event, call) => {
          if (event !== 'data') return
          call.resume()
          return false
        },
      )
      expect(told.body.toString()).toBe(text)
    })
  })
})
