import type { Clock } from '../../base/clock.ts'
import { messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { ServerAddress, Udp, UdpSocket } from './udp.ts'

export type Said =
  | { kind: 'offset'; offsetMs: number; delayMs: number; skew: number }
  | { kind: 'kiss'; why: string }
  | { kind: 'failed'; why: string }

export interface AskHow {
  /** for name, way and answer together */
  timeoutMs: number
  /** how often it failed in a row: another address comes first then */
  failures: number
  signal: AbortSignal
}

/** Asks one server once. Never rejects. */
export async function askServer(
  deps: QueryDeps,
  { host, port }: ServerAddress,
  { timeoutMs, failures, signal }: AskHow,
): Promise<Said> {
  const ends = new AbortController()
  const stop = () => ends.abort()
  const timer = deps.clock.after(timeoutMs, stop)
  signal.addEventListener('abort', stop, { once: true })
  try {
    let said: Said = { kind: 'failed', why: 'has no address' }
    for (const address of turned(await deps.udp.addresses(host, ends.signal), failures)) {
      const result = await query(deps, { host: address, port }, ends.signal)
      said = understood(result, timeoutMs)
      // A family without a way out fails at once, which leaves time for the other.
      if (result.kind !== 'unreachable') break
    }
    return said
  } catch (error) {
    return { kind: 'failed', why: ends.signal.aborted ? noAnswer(timeoutMs) : unreachable(error) }
  } finally {
    timer.dispose()
    signal.removeEventListener('abort', stop)
  }
}

function understood(result: QueryResult, timeoutMs: number): Said {
  if (result.kind === 'silent') return { kind: 'failed', why: noAnswer(timeoutMs) }
  if (result.kind === 'unreachable') return { kind: 'failed', why: unreachable(result.error) }
  const { reply, asked, skew } = result
  if (reply.kind === 'kiss') return { kind: 'kiss', why: `wants to be left alone (${reply.code})` }
  if (reply.kind === 'unset') return { kind: 'failed', why: 'does not know the time itself' }
  const judged = judge(reply, asked)
  return judged.kind === 'offset' ? { ...judged, skew } : { kind: 'failed', why: judged.why }
}

const noAnswer = (timeoutMs: number): string => `no answer within ${timeoutMs} ms`
const unreachable = (error: unknown): string => `cannot be reached (${systemCodeOf(error) ?? messageOf(error)})`

function turned<T>(list: readonly T[], by: number): readonly T[] {
  const first = list.length === 0 ? 0 : by % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}

export interface QueryDeps {
  udp: Udp
  clock: Clock
  random: Random
}

type QueryResult =
  /** `skew`: wall minus monotonic time when it was asked; the answer holds as long as that stays */
  | { kind: 'answered'; reply: Exclude<Reply, { kind: 'foreign' }>; asked: Asked; skew: number }
  | { kind: 'unreachable'; error: unknown }
  | { kind: 'silent' }

/**
 * One request and its answer. Ends `silent` with the signal; what does not answer this very request is not heard. Never
 * rejects.
 */
function query({ udp, clock, random }: QueryDeps, to: ServerAddress, signal: AbortSignal): Promise<QueryResult> {
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

// SNTP's 48 bytes (RFC 4330, 4; RFC 5905, 7.3). Nothing here throws, whatever a datagram holds.

export const packetBytes = 48
const at = { stratum: 1, reference: 12, origin: 24, receive: 32, transmit: 40 } as const
const mode = { client: 3, server: 4 } as const
const version = 4
/** "alarm condition": the server's own clock is not set */
const unsynchronised = 3

/**
 * Encodes a request. Everything a server does not need is zero, and the field for this computer's time is a random
 * number: a server sends it back unread, so only a server that saw the request can answer it, and it does not reveal
 * what time it is here.
 */
export function encodeRequest(nonce: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(packetBytes)
  bytes[0] = (version << 3) | mode.client
  bytes.set(nonce.subarray(0, 8), at.transmit)
  return bytes
}

type Reply =
  /** not an answer to this question: nothing to go by */
  | { kind: 'foreign' }
  /** the server wants no questions now (RFC 5905, 7.4) */
  | { kind: 'kiss'; code: string }
  /** the server does not know the time itself */
  | { kind: 'unset' }
  /** by the server's clock, epoch milliseconds */
  | { kind: 'time'; received: number; answered: number }

export function readReply(bytes: Uint8Array, nonce: Uint8Array): Reply {
  if (bytes.length < packetBytes) return { kind: 'foreign' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = view.getUint8(0)
  const spoken = (first >> 3) & 7
  if ((first & 7) !== mode.server || (spoken !== 3 && spoken !== version)) return { kind: 'foreign' }
  // First check the part that can't be guessed: a kiss from anyone else would silence the server for us.
  if (!nonce.subarray(0, 8).every((byte, i) => view.getUint8(at.origin + i) === byte)) return { kind: 'foreign' }
  const stratum = view.getUint8(at.stratum)
  if (stratum === 0) return { kind: 'kiss', code: codeAt(view, at.reference) }
  const received = timeAt(view, at.receive)
  const answered = timeAt(view, at.transmit)
  if (first >> 6 === unsynchronised || stratum > 15 || received === null || answered === null) return { kind: 'unset' }
  return { kind: 'time', received, answered }
}

const from1900to1970 = 2_208_988_800
const era = 2 ** 32

/**
 * Zero means "unknown". Seconds without their first bit were counted after the counter ran over in 2036 (RFC 4330, 3).
 */
function timeAt(view: DataView, offset: number): number | null {
  const seconds = view.getUint32(offset)
  const fraction = view.getUint32(offset + 4)
  if (seconds === 0 && fraction === 0) return null
  return (seconds - from1900to1970 + (seconds < era / 2 ? era : 0)) * 1000 + (fraction * 1000) / era
}

/** Four letters; a server could send any bytes here. */
const codeAt = (view: DataView, offset: number): string =>
  [0, 1, 2, 3]
    .map((i) => view.getUint8(offset + i))
    .filter((byte) => byte > 0x20 && byte < 0x7f)
    .map((byte) => String.fromCharCode(byte))
    .join('') || '?'

/** A larger correction is not believed: the server is more likely to be wrong. */
export const mostOffsetMs = 24 * 3_600_000
/** an answer's own times may contradict ours by this much, for clocks that tick coarsely */
const coarseMs = 50

/**
 * One question by this computer's clock, epoch milliseconds; `heard` is `sent` and the monotonic time until the answer.
 */
interface Asked {
  sent: number
  heard: number
}

export type Judged = { kind: 'offset'; offsetMs: number; delayMs: number } | { kind: 'refused'; why: string }

/**
 * Derives the offset of this computer's clock from an answer. The true offset is at most half the delay away (RFC 4330,
 * 5).
 */
export function judge({ received, answered }: Extract<Reply, { kind: 'time' }>, { sent, heard }: Asked): Judged {
  const offsetMs = (received - sent + (answered - heard)) / 2
  const delayMs = heard - sent - (answered - received)
  if (answered < received || delayMs < -coarseMs) return { kind: 'refused', why: 'its answer contradicts itself' }
  if (Math.abs(offsetMs) > mostOffsetMs) {
    return {
      kind: 'refused',
      why:
        "it says that this computer's time is off by " +
        `${(Math.abs(offsetMs) / 3_600_000).toFixed(1)} hours; more than 24 are not believed`,
    }
  }
  return { kind: 'offset', offsetMs, delayMs: Math.max(0, delayMs) }
}
