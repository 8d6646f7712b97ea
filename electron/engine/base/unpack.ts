import { Duplex } from 'node:stream'
import * as zlib from 'node:zlib'
import { unzstd } from './unzstd.ts'

/** The values of `content-encoding` that can be undone. */
export const encodings = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'] as const

/** The names in a `content-encoding` header, the last that was applied first. */
export const encodingsIn = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()

/** of what comes out at a time, in bytes */
const chunkSize = 64 * 1024
/** what is cut off gives what it has */
const early = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
const earlyBr = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
// Node has zstd since 22.15; the types of the oldest Node we support don't know it.
const nativeZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')

/**
 * Undoes one encoding, at the pace of its reader. Returns null for an unknown one.
 * @param first byte of what is packed
 */
export function unpacking(name: string, first: number | undefined, ends: 'whole' | 'early' = 'whole'): Duplex | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ chunkSize, ...(ends === 'early' && early) })
    case 'deflate': {
      const options = { chunkSize, ...(ends === 'early' && early) }
      // Named after zlib's format and sent by some without its head: the first byte tells (RFC 1950: method 8).
      return ((first ?? 0) & 0x0f) === 8 ? zlib.createInflate(options) : zlib.createInflateRaw(options)
    }
    case 'br':
      return zlib.createBrotliDecompress({ chunkSize, ...(ends === 'early' && earlyBr) })
    case 'zstd':
      return typeof nativeZstd === 'function' ? (nativeZstd as () => Duplex)() : Duplex.from(unzstd)
    default:
      return null
  }
}
