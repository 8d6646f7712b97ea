import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { selfSigned } from './self-signed.ts'

const from = Date.UTC(2026, 10, 28)
const until = Date.UTC(2028, 10, 28)

describe('a certificate of a home’s own', () => {
  it('says whose it is, for which address and how long, and vouches for nothing else', () => {
    const { cert } = selfSigned('192.168.1.23', Buffer.alloc(16, 7), from, until)
    const read = new X509Certificate(cert)
    expect(read.subject).toBe('CN=Onward')
    expect(read.checkIP('192.168.1.23')).toBe('192.168.1.23')
    expect(read.checkIP('192.168.1.24')).toBeUndefined()
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([from, until])
    expect(read.ca).toBe(false)
    expect(read.verify(read.publicKey)).toBe(true)
  })

  it('is for an IPv6 address, too', () => {
    const read = new X509Certificate(selfSigned('fd00::1:23', Buffer.alloc(16, 7), from, until).cert)
    expect(read.checkIP('fd00::1:23')).toBe('fd00::1:23')
    expect(read.checkIP('fd00::1:24')).toBeUndefined()
  })

  it('has a serial number that is positive, whatever comes out of the dice', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const { cert } = selfSigned('10.0.0.1', Buffer.from(bytes), from, until)
        expect(new X509Certificate(cert).serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
      }),
      runs(20),
    )
  })

  it('is one that a client which knows it takes, checked to the last byte', async () => {
    const { key, cert } = selfSigned('127.0.0.1', Buffer.alloc(16, 7), Date.now() - 60_000, Date.now() + 3_600_000)
    const server = createServer({ key, cert }, (socket) => socket.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const heard = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ca: cert })
      socket.setEncoding('utf8').once('data', resolve).once('error', reject)
    })
    server.close()
    expect(heard).toBe('hello')
  })
})
