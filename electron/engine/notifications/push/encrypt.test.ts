import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { subscriber } from '../testing/subscriber.ts'
import { encryptPush, mostPlainBytes, newVapidKeys, vapidHeader } from './encrypt.ts'

describe('a pushed message', () => {
  it('is the very bytes of the example in RFC 8291, section 5', () => {
    const body = encryptPush(
      Buffer.from('When I grow up, I want to be a watermelon'),
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    )
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P' +
        'Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('is read by its subscriber alone, up to the most that a service takes', () => {
    const [one, other] = [subscriber(), subscriber()]
    const plain = Buffer.alloc(mostPlainBytes, '字')
    const body = encryptPush(plain, one.keys, Buffer.alloc(16, 3))
    expect(body.length).toBe(4096)
    expect(one.read(body).equals(plain)).toBe(true)
    expect(() => other.read(body)).toThrow()
  })

  it('is refused for a key that is no point', () => {
    const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
    expect(() => encryptPush(Buffer.from('x'), keys, Buffer.alloc(16))).toThrow()
  })

  it('says who sends it, for that service and half a day', () => {
    const keys = newVapidKeys()
    const now = Date.UTC(2026, 10, 28)
    const header = vapidHeader('https://push.example.net:8443/send/abc', keys, now)
    const [, head = '', claims = '', signature = '', k] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=(.+)$/.exec(header) ?? []
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(head)).toEqual({ typ: 'JWT', alg: 'ES256' })
    expect(read(claims)).toEqual({
      aud: 'https://push.example.net:8443',
      exp: now / 1000 + 12 * 3600,
      sub: 'mailto:onward@example.com',
    })
    expect(k).toBe(keys.publicKey)
    const point = Buffer.from(keys.publicKey, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
    const given = Buffer.from(signature, 'base64url')
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, given)).toBe(true)
  })
})
