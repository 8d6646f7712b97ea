/** A browser that subscribed to a push service, as the other end of RFC 8291: it reads what was meant for it. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushKeys } from '../push/encrypt.ts'

export function subscriber(): { keys: PushKeys; read(body: Buffer): Buffer } {
  const ecdh = createECDH('prime256v1')
  const point = ecdh.generateKeys()
  const auth = randomBytes(16)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  return {
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const [salt, length] = [body.subarray(0, 16), body[20] ?? 0]
      const sender = body.subarray(21, 21 + length)
      const sealed = body.subarray(21 + length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender])
      const secret = derive(ecdh.computeSecret(sender), auth, info, 32)
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(secret, salt, 'Content-Encoding: nonce\0', 12),
      )
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      if (plain.at(-1) !== 2) throw new Error('it is not the last record')
      return plain.subarray(0, -1)
    },
  }
}
