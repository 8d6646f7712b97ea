import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { openGateway, type OpenGateway } from '../testing/open-gateway.ts'
import { rawClient } from '../testing/raw-client.ts'
import { readFileOrNull, staticFiles, compressor, encodingFor } from './static-files.ts'

let gateway: OpenGateway
let parent: string
const long = 'export const words = "again and again"\n'.repeat(200)
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'onward-static-'))
  await mkdir(join(parent, 'web/assets'), { recursive: true })
  await writeFile(join(parent, 'secret.json'), '{"secret":true}')
  await writeFile(join(parent, 'web/index.html'), '<!doctype html><title>Onward</title>')
  await writeFile(join(parent, 'web/.hidden.json'), '{}')
  await writeFile(join(parent, 'web/program.exe'), 'MZ')
  await writeFile(join(parent, 'web/assets/index-BdKtx9Zq.js'), 'export {}')
  await writeFile(join(parent, 'web/assets/plain.css'), 'a{}')
  await writeFile(join(parent, 'web/assets/long-BdKtx9Zq.js'), long)
  await writeFile(join(parent, 'web/assets/picture.png'), Buffer.alloc(4000))
  gateway = await openGateway({
    staticPage: staticFiles({ folder: join(parent, 'web'), read: readFileOrNull, log: silentLog }),
  })
})
afterEach(async () => {
  gateway.dispose()
  await rm(parent, { recursive: true })
})

/** As it comes over the wire: fetch would unpack it. */
const bare = async (path: string, method: 'GET' | 'HEAD', headers: Record<string, string>) => {
  const { statusCode, headers: got, body } = await request(gateway.base + path, { method, headers })
  return { status: statusCode, headers: got, body: Buffer.from(await body.arrayBuffer()) }
}

const get = (path: string, init: RequestInit = {}) => fetch(gateway.base + path, { redirect: 'manual', ...init })

describe("the dashboard's files", () => {
  it('begin with index.html', async () => {
    const page = await get('/dashboard/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(await page.text()).toContain('<title>Onward</title>')
    const bare = await get('/dashboard')
    expect([bare.status, bare.headers.get('location')]).toEqual([308, '/dashboard/'])
  })

  it('are the same below the folder that a link brings along, which means nothing else', async () => {
    for (const folder of ['~a', '~oujRm7xAYf2_', `~${'x'.repeat(64)}`]) {
      expect(await (await get(`/dashboard/${folder}/`)).text()).toContain('<title>Onward</title>')
      expect(await (await get(`/dashboard/${folder}/assets/index-BdKtx9Zq.js`)).text()).toBe('export {}')
    }
    for (const folder of ['~', '~a/~b', `~${'x'.repeat(65)}`, '~a%2F', '~a.b'])
      expect((await get(`/dashboard/${folder}/index.html`)).status, folder).toBe(404)
  })

  it('carry the policy on every answer', async () => {
    for (const path of ['/dashboard/', '/dashboard', '/dashboard/none.js', '/dashboard/assets/plain.css']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'self'")
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${gateway.port} `)
      expect(policy).toContain("style-src 'self' 'unsafe-inline'")
      expect(policy).toContain("img-src 'self' data:")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain("script-src 'self' 'unsafe")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('with a hash in their name may be kept for ever, others are asked for again', async () => {
    const hashed = await get('/dashboard/assets/index-BdKtx9Zq.js?v=1')
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const plain = await get('/dashboard/assets/plain.css')
    expect(plain.headers.get('cache-control')).toBe('no-cache')
    const etag = plain.headers.get('etag') ?? ''
    const again = await get('/dashboard/assets/plain.css', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await writeFile(join(parent, 'web/assets/plain.css'), 'b{}')
    expect((await get('/dashboard/assets/plain.css', { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('are compressed for who takes that: %s', async (accepted, encoding, decompress) => {
    const ask = (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) =>
      bare('/dashboard/assets/long-BdKtx9Zq.js', method, { 'accept-encoding': accepted, ...headers })
    const answer = await ask('GET')
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(answer.body.length).toBeLessThan(long.length / 10)
    expect(decompress(answer.body).toString()).toBe(long)
    const head = await ask('HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(answer.headers[name])
    const again = await ask('GET', { 'if-none-match': String(answer.headers.etag) })
    expect([again.status, again.body.length, again.headers.vary]).toEqual([304, 0, 'accept-encoding'])
    const plain = await bare('/dashboard/assets/long-BdKtx9Zq.js', 'GET', { 'accept-encoding': 'identity' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([plain.body.toString(), plain.headers.vary]).toEqual([long, 'accept-encoding'])
    expect(plain.headers.etag).not.toBe(answer.headers.etag)
  })

  it('that are short, or are compressed by themselves, are sent as they are', async () => {
    for (const name of ['index-BdKtx9Zq.js', 'picture.png']) {
      const answer = await bare(`/dashboard/assets/${name}`, 'GET', { 'accept-encoding': 'br' })
      expect([answer.status, answer.headers['content-encoding']], name).toEqual([200, undefined])
    }
  })

  it('are looked at without a body by HEAD, and by nothing else', async () => {
    const head = await get('/dashboard/', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '36', ''])
    expect((await get('/dashboard/', { method: 'POST', body: 'x' })).status).toBe(405)
  })

  it.each([
    '/dashboard/../secret.json',
    '/dashboard/%2e%2e/secret.json',
    '/dashboard/..%2fsecret.json',
    '/dashboard/assets/../../secret.json',
    '/dashboard//etc/hosts.txt',
    '/dashboard/..\\secret.json',
    '/dashboard/.hidden.json',
    '/dashboard/program.exe',
    '/dashboard/assets',
    '/dashboard/assets/',
    '/dashboard/index.html%00.js',
    `/dashboard/${'a'.repeat(5000)}.js`,
  ])("don't lead elsewhere: %s", async (path) => {
    const client = rawClient(gateway.port)
    client.send(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    const answer = await client.closed
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).not.toContain('secret":true')
  })

  it('say how to build them where they are missing', async () => {
    await rm(join(parent, 'web'), { recursive: true })
    const answer = await get('/dashboard/')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('npm run build')
  })

  it("that can't be read are a 500, not an end", async () => {
    const broken = await openGateway({
      staticPage: staticFiles({ folder: parent, read: () => Promise.reject(new Error('EIO')), log: silentLog }),
    })
    expect((await fetch(`${broken.base}/dashboard/`)).status).toBe(500)
    broken.dispose()
  })
})

describe('the encoding of a body', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;Q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=nonsense', null],
  ])('%s: %s', (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding))
})

describe('compressed bodies', () => {
  const counted = () => {
    const made: string[] = []
    const run = async (data: Buffer) => {
      made.push(data.toString())
      if (data.toString() === 'bad') throw new Error('no memory')
      return data
    }
    return { made, run: { br: run, gzip: run } }
  }
  const body = (text: string) => Buffer.from(text)

  it('are made once, also for those who ask at the same time', async () => {
    const { made, run } = counted()
    const compressed = compressor(100, run)
    await Promise.all([compressed('h1', body('one'), 'br'), compressed('h1', body('one'), 'br')])
    await compressed('h1', body('one'), 'br')
    expect(made).toEqual(['one'])
    await compressed('h1', body('one'), 'gzip')
    expect(made).toEqual(['one', 'one'])
  })

  it('are kept up to a bound: the longest unused goes', async () => {
    const { made, run } = counted()
    const compressed = compressor(6, run)
    for (const text of ['one', 'two', 'one', 'six', 'one', 'two']) await compressed(text, body(text), 'br')
    expect(made).toEqual(['one', 'two', 'six', 'two'])
    expect((await compressed('large', body('larger than all'), 'br')).toString()).toBe('larger than all')
    await compressed('large', body('larger than all'), 'br')
    expect(made.slice(4)).toEqual(['larger than all', 'larger than all'])
  })

  it('that could not be made are tried again', async () => {
    const { made, run } = counted()
    const compressed = compressor(6, run)
    for (const _ of [1, 2]) await expect(compressed('bad', body('bad'), 'br')).rejects.toThrow('no memory')
    expect(made).toEqual(['bad', 'bad'])
  })
})
