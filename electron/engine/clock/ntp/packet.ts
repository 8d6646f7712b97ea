/** SNTP's 48 bytes (RFC 4330, 4; RFC 5905, 7.3). Nothing here throws, whatever a datagram holds. */

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

export type Reply =
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
