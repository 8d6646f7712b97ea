/**
 * What a push service is sent: a message that only the subscriber's browser can read (RFC 8291, aes128gcm of RFC 8188),
 * and the proof that it comes from where its browser subscribed (VAPID, RFC 8292).
 */
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** Both in base64url. */
export interface VapidKeys {
  /** a point, uncompressed: what a browser subscribes with */
  publicKey: string
  privateKey: string
}

/** The subscriber's, as its browser gives them out. */
export interface PushKeys {
  p256dh: string
  auth: string
}

/** one record: what is longer, no service has to take */
const recordBytes = 4096
/** the record's padding delimiter and tag, and the header before it */
export const mostPlainBytes = recordBytes - 16 - 1 - 86

const curve = 'prime256v1'
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

export function newVapidKeys(): VapidKeys {
  const ecdh = createECDH(curve)
  const publicKey = ecdh.generateKeys().toString('base64url')
  return { publicKey, privateKey: padded(ecdh.getPrivateKey()).toString('base64url') }
}

/**
 * @param salt 16 random bytes @param own a private key for this message alone
 * @throws Error for a key that is no point of the curve
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  salt: Buffer,
  own = newVapidKeys().privateKey,
): Buffer {
  const ecdh = createECDH(curve)
  ecdh.setPrivateKey(bytesOf(own))
  const [theirs, ours] = [bytesOf(p256dh), ecdh.getPublicKey()]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(ecdh.computeSecret(theirs), bytesOf(auth), info, 32)
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  )
  const size = Buffer.alloc(5)
  size.writeUInt32BE(recordBytes)
  size[4] = ours.length
  // 2: this is the last record
  const body = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, size, ours, ...body])
}

const validMs = 12 * 3_600_000
/** Apple's service refuses a push without a `sub`, which RFC 8292 only recommends; this one is nobody's. */
const nobody = 'mailto:onward@example.com'

/**
 * The `authorization` of one message.
 * @param now epoch milliseconds @param contact whom the service may write to, a `mailto:` or `https:` URL
 */
export function vapidHeader(
  endpoint: string,
  { publicKey, privateKey }: VapidKeys,
  now: number,
  contact = nobody,
): string {
  const point = bytesOf(publicKey)
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
  })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + validMs) / 1000), sub: contact }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}

const padded = (key: Buffer): Buffer => Buffer.concat([Buffer.alloc(32 - key.length), key])
