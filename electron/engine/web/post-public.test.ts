import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { selfSigned } from '../base/network/self-signed.ts'
import { publicWeb } from './post-public.ts'

const signal = new AbortController().signal
const push = { headers: { ttl: '60' }, body: Buffer.from([0, 255, 1]) }

describe('a POST to an address that another one named', () => {
  const web = publicWeb({ clock: systemClock(), resolve: async () => [{ address: '10.0.0.5', family: 4 }] })
  it.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest',
    'https://push.localhost/x',
    // a name that leads inside
    'https://push.example.net/x',
    'http://push.example.net/x',
  ])('is refused: %s', async (url) => {
    await expect(web.check(url)).rejects.toMatchObject({ code: 'address-refused' })
    await expect(web.post({ url, ...push }, signal)).rejects.toMatchObject({ code: 'address-refused' })
  })
  it.each(['ftp://push.example.net/', 'https://me:pw@push.example.net/', 'no address'])('is none: %s', async (url) => {
    await expect(web.check(url)).rejects.toMatchObject({ code: 'bad-url' })
  })
})

describe('a push service', () => {
  const made = selfSigned('127.0.0.1', Buffer.alloc(16, 7), Date.now() - 1e6, Date.now() + 1e9)
  const got: { body: Buffer; ttl: string | undefined }[] = []
  const server = createServer({ key: made.key, cert: made.cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ body: Buffer.concat(chunks), ttl: request.headers['ttl'] as string })
      if (request.url === '/away') response.writeHead(307, { location: 'https://127.0.0.1/other' }).end()
      else response.writeHead(201, { 'retry-after': '3' }).end('made')
    })
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

  it('gets the very bytes, and is followed nowhere else', async () => {
    // A public address as far as the checks see; the connection goes to loopback.
    const { port } = server.address() as AddressInfo
    const { hop } = await import('./hop.ts')
    const at = (path: string) => ({
      url: new URL(`https://127.0.0.1:${port}${path}`),
      method: 'POST' as const,
      ...push,
    })
    const how = {
      addresses: [{ address: '127.0.0.1', family: 4 }],
      maxBytes: 100,
      connectMs: 5_000,
      signal,
      ca: made.cert,
    }
    expect(await hop(at('/send'), how)).toMatchObject({ status: 201, headers: { 'retry-after': '3' } })
    expect(got[0]?.body.equals(push.body)).toBe(true)
    expect(got[0]?.ttl).toBe('60')
    expect((await hop(at('/away'), how)).status).toBe(307)
  })
})
