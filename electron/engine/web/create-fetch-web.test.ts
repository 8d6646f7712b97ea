import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { testCertificate, testKey } from '../providers/testing/certificate.ts'
import { createFetchWeb, type FetchWebDeps } from './create-fetch-web.ts'
import { webServer, type WebServer } from './testing/web-server.ts'
import type { WebAsk } from './types.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const site = async (answer: Parameters<typeof webServer>[0]): Promise<WebServer> => {
  const server = await webServer(answer)
  open.push(server)
  return server
}
function web(deps: Partial<FetchWebDeps> = {}) {
  const made = createFetchWeb({ clock: virtualClock(), ...deps })
  open.push({ close: made.dispose })
  return (ask: Partial<WebAsk> & { url: string }) =>
    made.fetch({
      timeoutMs: 5000,
      maxBytes: 10_000,
      allow: ['127.0.0.1'],
      signal: new AbortController().signal,
      ...ask,
    })
}
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )

describe('an answer from the web', () => {
  it('is given whole, with its headers and where it came from', async () => {
    const { origin, heard } = await site((_heard, _request, response) =>
      response.writeHead(404, { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=1', 'b=2'] }).end('nothing here'),
    )
    const answer = await web()({ url: `${origin}/a b?q=ü#part` })
    expect({ ...answer, body: String(answer.body) }).toMatchObject({
      status: 404,
      url: `${origin}/a%20b?q=%C3%BC#part`,
      body: 'nothing here',
      cut: false,
      headers: { 'content-type': 'text/plain' },
    })
    expect(heard[0]?.url).toBe('/a%20b?q=%C3%BC')
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (body: Buffer) => brotliCompressSync(gzipSync(body))],
    ['identity', (body: Buffer) => body],
  ] as const)('is unpacked from %s, however much of it came', async (encoding, pack) => {
    const text = 'many words '.repeat(500)
    const { origin } = await site((_heard, _request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(Buffer.from(text))),
    )
    const answer = await web()({ url: origin })
    expect([String(answer.body) === text, answer.cut]).toEqual([true, false])
    expect(await web()({ url: origin, maxBytes: 100 })).toMatchObject({ body: { length: 100 }, cut: true })
  })

  it('keeps what a packed body holds that ends too early', async () => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ')))
    const { origin } = await site((_heard, _request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 200)),
    )
    expect(String((await web()({ url: origin })).body)).toMatch(/^word0 word1 /)
  })

  it.each([
    ['gzip', 'plain text'],
    ['br', '\x7f'.repeat(50)],
    ['zstd', 'x'],
    ['gzip, gzip, gzip', 'x'],
  ])('says so when %s is not what came', async (encoding, body) => {
    const { origin } = await site((_heard, _request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    )
    await expect(web()({ url: origin })).rejects.toMatchObject({
      code: 'web-unreachable',
      message: expect.stringContaining('unpacked'),
    })
  })

  it('is cut where it is unpacked to more than was asked for, bombs in bombs included', async () => {
    // Whatever is packed in parts unpacks as one.
    const part = gzipSync(Buffer.alloc(1024 * 1024))
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 200 }, () => part)))
    const { origin } = await site((_heard, _request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb),
    )
    const before = process.memoryUsage().rss
    const answer = await web()({ url: origin, maxBytes: 1024 * 1024 })
    expect([answer.body.length, answer.cut]).toEqual([1024 * 1024, true])
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })

  it('is cut where it never ends, and the connection with it', async () => {
    let closed = (): void => undefined
    const gone = new Promise<void>((done) => {
      closed = done
    })
    const { origin } = await site((_heard, _request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more).on('close', closed)
      more()
    })
    expect(await web()({ url: origin })).toMatchObject({ body: { length: 10_000 }, cut: true })
    await gone
  })
})

describe('redirects', () => {
  it('are followed, up to five, by relative addresses too, and the part of the page is kept', async () => {
    const { origin, heard } = await site(({ url }, _request, response) => {
      const step = Number(url.slice(1))
      return step < 5
        ? response.writeHead([301, 302, 303, 307, 308][step] ?? 302, { location: `./${step + 1}` }).end()
        : response.end('there')
    })
    const answer = await web()({ url: `${origin}/0#here` })
    expect([String(answer.body), answer.url, heard.length]).toEqual(['there', `${origin}/5#here`, 6])
  })

  it('take no headers of the caller to another origin, nor back home again', async () => {
    const home = await site(({ url }, _request, response) =>
      url === '/' ? response.writeHead(302, { location: `${away.origin}/back` }).end() : response.end(),
    )
    const away = await site((_heard, _request, response) =>
      response.writeHead(302, { location: `${home.origin}/end` }).end(),
    )
    await web()({
      url: `${home.origin}/`,
      headers: { authorization: 'Bearer key', 'x-subscription-token': 'key', cookie: 'a=1', 'user-agent': 'me' },
    })
    expect(
      [...home.heard, ...away.heard].map(({ headers }) => [
        headers.authorization,
        headers['x-subscription-token'],
        headers.cookie,
        headers['user-agent'],
      ]),
    ).toEqual([
      ['Bearer key', 'key', 'a=1', 'me'],
      [undefined, undefined, undefined, 'me'],
      [undefined, undefined, undefined, 'me'],
    ])
  })

  it('keep headers within the origin, and no cookies that were set', async () => {
    const { origin, heard } = await site(({ url }, _request, response) =>
      url === '/' ? response.writeHead(302, { location: '/next', 'set-cookie': 'a=1' }).end() : response.end(),
    )
    await web()({ url: `${origin}/`, headers: { authorization: 'key' } })
    expect(heard.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
      ['key', undefined],
      ['key', undefined],
    ])
  })

  it.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('behind a POST with %d ask with %s', async (status, method, body) => {
    const { origin, heard } = await site(({ url }, _request, response) =>
      url === '/' ? response.writeHead(status, { location: '/next' }).end() : response.end(),
    )
    await web()({ url: `${origin}/`, method: 'POST', body: 'body', headers: { 'content-type': 'text/plain' } })
    expect(heard[1]).toMatchObject({ method, body })
    expect(heard[1]?.headers['content-type']).toBe(method === 'POST' ? 'text/plain' : undefined)
  })

  it('carry no body to another origin', async () => {
    const away = await site((_heard, _request, response) => response.end())
    const { origin } = await site((_heard, _request, response) =>
      response.writeHead(307, { location: away.origin }).end(),
    )
    expect(await codeOf(web()({ url: origin, method: 'POST', body: 'secret' }))).toBe('address-refused')
    expect(away.heard).toEqual([])
  })
})

describe('the end of waiting', () => {
  const silent = () =>
    site((_heard, _request, response) => {
      response.writeHead(200).write('a')
    })

  it('comes for all hops together', async () => {
    const clock = virtualClock()
    let heard = (): void => undefined
    const second = new Promise<void>((done) => {
      heard = done
    })
    const { origin } = await site(({ url }, _request, response) =>
      url === '/' ? response.writeHead(302, { location: '/slow' }).end() : heard(),
    )
    const code = codeOf(web({ clock })({ url: `${origin}/`, timeoutMs: 1000 }))
    await second
    await clock.advance(1000)
    expect([await code, clock.pending()]).toEqual(['timed-out', 0])
  })

  it('comes for a name server too', async () => {
    const clock = virtualClock()
    const code = codeOf(
      web({ clock, resolve: () => new Promise(() => undefined) })({ url: 'http://x.example/', timeoutMs: 1000 }),
    )
    await clock.advance(1000)
    expect(await code).toBe('timed-out')
  })

  it('comes when the caller leaves, before and after it began', async () => {
    const { origin } = await silent()
    const leaving = new AbortController()
    const code = codeOf(web()({ url: origin, signal: leaving.signal }))
    leaving.abort()
    expect(await code).toBe('aborted')
    expect(await codeOf(web()({ url: origin, signal: leaving.signal }))).toBe('aborted')
  })

  it('comes when Onward ends', async () => {
    const { origin, heard } = await silent()
    const made = createFetchWeb({ clock: systemClock() })
    const code = codeOf(
      made.fetch({
        url: origin,
        timeoutMs: 60_000,
        maxBytes: 10,
        allow: ['127.0.0.1'],
        signal: new AbortController().signal,
      }),
    )
    await made.dispose()
    expect([await code, heard.length <= 1]).toEqual(['aborted', true])
  })
})

describe("what can't be reached", () => {
  it.each([
    ['nothing listens', ''],
    ['something that is not HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['a hang-up in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf'],
  ])('says so: %s', async (_name, said) => {
    const server = createRawServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(said))
    })
    await new Promise<void>((ready) => {
      server.listen(0, '127.0.0.1', ready)
    })
    const { port } = server.address() as AddressInfo
    if (said === '')
      await new Promise((closed) => {
        server.close(closed)
      })
    else open.push(server)
    await expect(web()({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      code: 'web-unreachable',
      message: expect.stringContaining('127.0.0.1'),
    })
  })

  it('asks secure hosts by their name, and trusts only who can prove it', async () => {
    let name: unknown
    const server = createSecureServer({ key: testKey, cert: testCertificate }, (request, response) => {
      name = 'servername' in request.socket ? request.socket.servername : null
      response.end('safe')
    })
    await new Promise<void>((ready) => {
      server.listen(0, '127.0.0.1', ready)
    })
    open.push(server)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const url = `https://upstream.test.:${(server.address() as AddressInfo).port}/`
    expect(String((await web({ resolve, ca: testCertificate })({ url })).body)).toBe('safe')
    expect(name).toBe('upstream.test')
    await expect(web({ resolve })({ url })).rejects.toMatchObject({
      code: 'web-unreachable',
      message: expect.stringContaining('secure'),
    })
    expect(
      await codeOf(web({ resolve, ca: testCertificate })({ url: url.replace('upstream.test.', 'other.test') })),
    ).toBe('web-unreachable')
  })
})
