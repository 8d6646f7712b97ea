import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import type { Asked } from './judge.ts'
import { encodeRequest, readReply, type Reply } from './packet.ts'
import type { ServerAddress } from './server-address.ts'
import type { Udp, UdpSocket } from './udp.ts'

export interface QueryDeps {
  udp: Udp
  clock: Clock
  random: Random
}

export type QueryResult =
  /** `skew`: wall minus monotonic time when it was asked; the answer holds as long as that stays */
  | { kind: 'answered'; reply: Exclude<Reply, { kind: 'foreign' }>; asked: Asked; skew: number }
  | { kind: 'unreachable'; error: unknown }
  | { kind: 'silent' }

/**
 * One request and its answer. Ends `silent` with the signal; what does not answer this very request is not heard. Never
 * rejects.
 */
export function query({ udp, clock, random }: QueryDeps, to: ServerAddress, signal: AbortSignal): Promise<QueryResult> {
  return new Promise((resolve) => {
    const nonce = nonceOf(random)
    let socket: UdpSocket | null = null
    let sent: { wall: number; monotonic: number } | null = null
    let over = false
    const end = (how: QueryResult) => {
      if (over) return
      over = true
      signal.removeEventListener('abort', silent)
      socket?.close()
      resolve(how)
    }
    const silent = () => end({ kind: 'silent' })
    if (signal.aborted) return silent()
    signal.addEventListener('abort', silent, { once: true })
    udp
      .open(to, {
        datagram(bytes) {
          if (sent === null) return
          // Measured before anything else is done, and by the clock that can't be set meanwhile.
          const took = clock.monotonic() - sent.monotonic
          const reply = readReply(bytes, nonce)
          if (reply.kind !== 'foreign')
            end({
              kind: 'answered',
              reply,
              asked: { sent: sent.wall, heard: sent.wall + took },
              skew: sent.wall - sent.monotonic,
            })
        },
        failed: (error) => end({ kind: 'unreachable', error }),
      })
      .then((opened) => {
        socket = opened
        if (over) return opened.close()
        const request = encodeRequest(nonce)
        sent = { wall: clock.now(), monotonic: clock.monotonic() }
        opened.send(request)
      })
      .catch((error: unknown) => end({ kind: 'unreachable', error }))
  })
}

/** 63 random bits, never all zero: zeros are what a server sends back that did not read the request. */
function nonceOf(random: Random): Uint8Array {
  const nonce = new Uint8Array(8)
  nonce.set(Buffer.from(random.token(8), 'base64url').subarray(0, 8))
  nonce[7] = (nonce[7] ?? 0) | 1
  return nonce
}
