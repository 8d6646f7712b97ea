import { X509Certificate } from 'node:crypto'
import { get, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { selfSigned } from '../base/network/self-signed.ts'
import { systemRandom } from '../base/ids.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { createPhoneListener, type PhoneListener, type PhoneListenerDeps } from './phone-listener.ts'

let listener: PhoneListener | null = null
afterEach(() => listener?.dispose())

type Wanted = ReturnType<PhoneListenerDeps['wanted']>

function scene(first: Wanted = { host: '127.0.0.1', port: 0 }) {
  const wanted: Wanted = { ...first }
  const [files, clock] = [memoryFiles(), virtualClock(Date.now())]
  const made = createPhoneListener({
    home: '/home',
    files,
    wanted: () => wanted,
    allowedHosts: () => [],
    tailscale: {
      self: () => Promise.reject(new OnwardError('tailscale-down', 'It does not run.')),
      certificate: () => Promise.reject(new Error('not asked')),
    },
    staticPage(req, res) {
      if (req.url !== '/dashboard/') return false
      res.end('the page')
      return true
    },
    upgrade: () => false,
    clock,
    random: systemRandom(),
    log: silentLog,
  })
  listener = made
  return { wanted, files, clock, made }
}
const ask = (made: PhoneListener, more: RequestOptions = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const { host, port } = made.listening() ?? { host: '127.0.0.1', port: 1 }
    get({ host, port, path: '/dashboard/', rejectUnauthorized: false, agent: false, ...more }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      res.on('end', () => resolve({ status: res.statusCode, text }))
    }).on('error', reject)
  })

describe('the port for phones', () => {
  it('is closed until a person names an address, and when none is named any more', async () => {
    const { wanted, made } = scene({ host: null, port: 0 })
    await made.look()
    expect([made.listening(), made.problem()]).toEqual([null, null])
    wanted.host = '127.0.0.1'
    await made.look()
    expect((await ask(made)).text).toBe('the page')
    const { port = 0 } = made.listening() ?? {}
    wanted.host = null
    await made.look()
    expect(made.listening()).toBeNull()
    await expect(ask(made, { port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('serves the page over TLS with the certificate that it tells of, and nothing for agents', async () => {
    const { made, files } = scene()
    await made.look()
    const { cert } = JSON.parse(files.content.get('/home/phone-tls.json') ?? '') as { cert: string }
    expect(made.listening()?.fingerprint).toBe(new X509Certificate(cert).fingerprint256)
    expect((await ask(made, { ca: cert, rejectUnauthorized: true })).text).toBe('the page')
    for (const path of ['/v1/messages', '/v1/models', '/turns/x', '/control'])
      expect((await ask(made, { path })).status, path).toBe(404)
  })

  it('answers no plain HTTP', async () => {
    const { made } = scene()
    await made.look()
    const { host = '', port = 0 } = made.listening() ?? {}
    const heard = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(port, host, () => socket.write('GET /dashboard/ HTTP/1.1\r\nhost: x\r\n\r\n'))
      socket.on('data', (data) => (text += data.toString('latin1')))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
    })
    expect(heard).not.toContain('HTTP/1.1 200')
  })

  it('refuses a page of another origin and a name that leads here', async () => {
    const { made } = scene()
    await made.look()
    expect((await ask(made, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await ask(made, { headers: { host: 'evil.example' } })).status).toBe(403)
  })

  it('keeps its certificate over starts, and makes it anew before it ends or for another address', async () => {
    const { made, clock, files, wanted } = scene()
    const prints: (string | null | undefined)[] = []
    const again = async () => {
      const { host } = wanted
      wanted.host = null
      await made.look()
      wanted.host = host
      await made.look()
      prints.push(made.listening()?.fingerprint)
    }
    await again()
    await again()
    expect(prints[1]).toBe(prints[0])
    await clock.advance(780 * 24 * 3_600_000)
    await again()
    expect(prints[2]).not.toBe(prints[0])
    wanted.host = '127.0.0.2'
    await again()
    expect(prints[3]).not.toBe(prints[2])
    files.content.set('/home/phone-tls.json', '{"key":"x","cert":"y"}')
    await again()
    expect(prints[4]).toMatch(/^[0-9A-F:]{95}$/)
  })

  it('is at an address of IPv6 as at any other, in brackets', async () => {
    const { made, files } = scene({ host: '::1', port: 0 })
    await made.look()
    const { port = 0 } = made.listening() ?? {}
    expect(made.listening()).toMatchObject({ host: '::1', origin: `https://[::1]:${port}` })
    const { cert } = JSON.parse(files.content.get('/home/phone-tls.json') ?? '') as { cert: string }
    const headers = { host: `[::1]:${port}`, origin: `https://[::1]:${port}` }
    expect((await ask(made, { ca: cert, rejectUnauthorized: true, headers })).text).toBe('the page')
  })

  it('takes a person’s own certificate anew when its file changes, and keeps it over a bad one', async () => {
    const of = (address: string) => selfSigned(address, Buffer.alloc(16, 7), Date.now() - 1e9, Date.now() + 1e11)
    const [first, second] = [of('127.0.0.1'), of('127.0.0.1')]
    const { made, files, clock } = scene({ host: '127.0.0.1', port: 0, cert: '/tls/both.pem' })
    await made.look()
    expect(made.listening()).toBeNull()
    expect(made.problem()).toEqual({
      code: 'certificate-unreadable',
      said: 'There is no /tls/both.pem.',
      facts: { path: '/tls/both.pem' },
    })
    const seenWith = async ({ cert }: { cert: string }) =>
      (await ask(made, { ca: cert, rejectUnauthorized: true })).text
    const become = async (text: string) => {
      files.content.set('/tls/both.pem', text)
      await clock.advance(60_000)
      await made.look()
    }
    await become(first.cert + first.key)
    const { port } = made.listening() ?? {}
    expect(await seenWith(first)).toBe('the page')
    await become(second.cert + first.key)
    expect(made.problem()?.code).toBe('certificate-mismatch')
    expect(await seenWith(first)).toBe('the page')
    await become(second.cert + second.key)
    expect([made.problem(), made.listening()?.port]).toEqual([null, port])
    expect(await seenWith(second)).toBe('the page')
  })

  it('is not left at an old address when Tailscale is wanted and does not run', async () => {
    const { made, wanted } = scene()
    await made.look()
    wanted.host = 'tailscale'
    await made.look()
    expect(made.listening()).toBeNull()
    expect(made.problem()).toEqual({ code: 'tailscale-down', said: 'It does not run.', facts: {} })
  })

  it('says why it could not be opened, and is tried again', async () => {
    const { made, wanted, clock } = scene({ host: '203.0.113.77', port: 0 })
    await made.look()
    expect(made.listening()).toBeNull()
    expect(made.problem()).toMatchObject({ code: 'phone-address-gone', facts: { host: '203.0.113.77' } })
    wanted.host = '127.0.0.1'
    await clock.advance(60_000)
    await made.look()
    expect(made.problem()).toBeNull()
    expect((await ask(made)).text).toBe('the page')
  })
})
