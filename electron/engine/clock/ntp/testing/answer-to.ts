import { packetBytes } from '../query.ts'

/** A server's answer; times are epoch milliseconds. Left out: a good answer of stratum 2. */
export interface Saying {
  received: number
  answered: number
  leap?: number
  version?: number
  mode?: number
  stratum?: number
  /** the four letters of a kiss */
  code?: string
  /** instead of the request's own transmit timestamp */
  origin?: Uint8Array
}

/** A server's packet to this request. */
export function answerTo(
  request: Uint8Array,
  {
    received,
    answered,
    leap = 0,
    version = 4,
    mode = 4,
    stratum = 2,
    code = '',
    origin = request.subarray(40, 48),
  }: Saying,
): Uint8Array {
  const bytes = new Uint8Array(packetBytes)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, (leap << 6) | (version << 3) | mode)
  view.setUint8(1, stratum)
  bytes.set(Buffer.from(code, 'latin1').subarray(0, 4), 12)
  bytes.set(origin, 24)
  setTime(view, 32, received)
  setTime(view, 40, answered)
  return bytes
}

/** Written apart from the reader, so that one checks the other: BigInt there, floating point here. */
function setTime(view: DataView, at: number, ms: number): void {
  const whole = Math.floor(ms)
  const units = BigInt(whole) * 2n ** 32n + BigInt(Math.round((ms - whole) * 2 ** 32))
  view.setBigUint64(at, BigInt.asUintN(64, units / 1000n + 2_208_988_800n * 2n ** 32n))
}
