import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import { silentLog } from '../base/log.ts'
import { selfSigned, type Certificate } from '../base/network/self-signed.ts'
import { systemRandom } from '../base/ids.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { phoneCertificate, type PhonePlace } from './phone-certificate.ts'

const now = Date.UTC(2026, 10, 28)
const year = 365 * 24 * 3_600_000
let [mine, other] = [{} as Certificate, {} as Certificate]
beforeAll(() => {
  mine = selfSigned('192.168.1.23', Buffer.alloc(16, 7), now - year, now + year)
  other = selfSigned('192.168.1.24', Buffer.alloc(16, 7), now - year, now + year)
})

function scene() {
  const [files, clock] = [memoryFiles(), virtualClock(now)]
  const says = { cert: mine, fails: null as OnwardError | null }
  const of = (place: Partial<PhonePlace>) =>
    phoneCertificate(
      { host: '192.168.1.23', port: 0, ...place },
      {
        home: '/home',
        files,
        clock,
        random: systemRandom(),
        log: silentLog,
        tailscale: {
          self: async () => ({ name: '192.168.1.23', address: '100.99.1.2' }),
          async certificate() {
            if (says.fails) throw says.fails
            return says.cert
          },
        },
      },
    )
  return { files, clock, says, of }
}

describe('a person’s own certificate', () => {
  it('is read from its files, and links carry its name', async () => {
    const { files, of } = scene()
    files.content.set('/tls/cert.pem', mine.cert)
    files.content.set('/home/key.pem', mine.key)
    const found = await of({ cert: '/tls/cert.pem', key: 'key.pem' })
    expect(found).toMatchObject({ ...mine, host: '192.168.1.23', name: '192.168.1.23' })
    // it vouches for itself: no browser knows it
    expect(found.fingerprint).toBe(new X509Certificate(mine.cert).fingerprint256)
  })

  it('may stand in one file with its key', async () => {
    const { files, of } = scene()
    files.content.set('/tls/both.pem', mine.cert + mine.key)
    expect(await of({ cert: '/tls/both.pem' })).toMatchObject({ name: '192.168.1.23' })
  })

  it.each([
    ['certificate-unreadable', { cert: '/tls/none.pem' }],
    ['certificate-unreadable', { cert: '/tls/text.pem' }],
    ['certificate-unreadable', { cert: '/tls/cert.pem', key: '/tls/text.pem' }],
    ['certificate-mismatch', { cert: '/tls/cert.pem', key: '/tls/other.pem' }],
    ['certificate-name', { cert: '/tls/cert.pem', key: '/tls/key.pem', name: 'desk.example' }],
  ])('%s: %j', async (code, place) => {
    const { files, of } = scene()
    for (const [name, text] of Object.entries({ cert: mine.cert, key: mine.key, other: other.key, text: 'hello' }))
      files.content.set(`/tls/${name}.pem`, text)
    await expect(of(place)).rejects.toMatchObject({ code })
  })

  it('that has ended is refused', async () => {
    const { files, clock, of } = scene()
    files.content.set('/tls/both.pem', mine.cert + mine.key)
    await clock.advance(year)
    await expect(of({ cert: '/tls/both.pem' })).rejects.toMatchObject({ code: 'certificate-over' })
  })
})

describe('a certificate of Tailscale’s', () => {
  it('is for its name there, trusted, kept in the home, and asked for again before its end', async () => {
    const { files, says, of } = scene()
    const found = await of({ host: 'tailscale' })
    expect(found).toMatchObject({ ...mine, host: '100.99.1.2', name: '192.168.1.23', fingerprint: null })
    expect(found.againMs).toBeLessThan(24 * 3_600_000)
    expect(JSON.parse(files.content.get('/home/phone-tls-tailscale.json') ?? '')).toEqual(mine)
    says.cert = other
    expect((await of({ host: 'tailscale' })).cert).toBe(other.cert)
  })

  it('goes on while Tailscale gives none, until it ends', async () => {
    const { clock, says, of } = scene()
    await of({ host: 'tailscale' })
    says.fails = new OnwardError('tailscale-refused', 'not now')
    expect((await of({ host: 'tailscale' })).cert).toBe(mine.cert)
    await clock.advance(year)
    await expect(of({ host: 'tailscale' })).rejects.toMatchObject({ code: 'tailscale-refused' })
  })
})
