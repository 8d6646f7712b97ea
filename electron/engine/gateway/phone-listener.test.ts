import { X509Certificate } from 'node:crypto'
import { get, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { systemRandom } from '../base/ids.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { createPhoneListener, type PhoneListener } from './phone-listener.ts'

let listener: PhoneListener | null = null
afterEach(() => listener?.dispose())

function scene(first: { host: string | null; port: number } = { host: '127.0.0.1', port: 0 }) {
  const wanted = { ...first }
  const [files, clock] = [memoryFiles(), virtualClock(Date.now())]
  const made = createPhoneListener({
    home: '/home',
    files,
    wanted: () => wanted,
    allowedHosts: () => [],
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
    const prints: (string | undefined)[] = []
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

  it('says why it could not be opened, and is tried again', async () => {
    const { made, wanted, clock } = scene({ host: '203.0.113.77', port: 0 })
    await made.look()
    expect(made.listening()).toBeNull()
    expect(made.problem()).toContain('does not have the address 203.0.113.77')
    wanted.host = '127.0.0.1'
    await clock.advance(60_000)
    await made.look()
    expect(made.problem()).toBeNull()
    expect((await ask(made)).text).toBe('the page')
  })
})
