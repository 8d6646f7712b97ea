/** A certificate that a home signs itself, as X.509 wants it (RFC 5280): node:crypto reads them and makes none. */
import { generateKeyPairSync, sign } from 'node:crypto'
import ipaddr from 'ipaddr.js'

export interface Certificate {
  /** PEM */
  key: string
  cert: string
}

/** @param address an IP address, without a zone @param serial 16 random bytes */
export function selfSigned(address: string, serial: Buffer, from: number, until: number): Certificate {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = seq(set(seq(oid('550403'), der(0x0c, Buffer.from('Onward')))))
  const facts = seq(
    der(0xa0, integer(Buffer.from([2]))),
    // positive, and not zero
    integer(Buffer.from([0x40 | ((serial[0] ?? 0) % 0x40), ...serial.subarray(1)])),
    ecdsaSha256,
    name,
    seq(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      seq(
        // basicConstraints: it vouches for nothing else
        extension('551d13', seq(), true),
        // keyUsage: digitalSignature
        extension('551d0f', der(0x03, Buffer.from([7, 0x80])), true),
        // extendedKeyUsage: serverAuth
        extension('551d25', seq(oid('2b06010505070301'))),
        // subjectAltName: iPAddress
        extension('551d11', seq(der(0x87, bytes))),
      ),
    ),
  )
  const signature = sign('sha256', facts, privateKey)
  const whole = seq(facts, ecdsaSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const seq = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))
const set = (part: Buffer): Buffer => der(0x31, part)
const integer = (bytes: Buffer): Buffer => der(0x02, bytes)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaSha256 = seq(oid('2a8648ce3d040302'))
const extension = (id: string, value: Buffer, critical = false): Buffer =>
  seq(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value))
/** UTCTime, which RFC 5280 wants until 2049 */
const time = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/^..|[-:T]|\.\d+/g, '')}`))
