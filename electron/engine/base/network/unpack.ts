import { Duplex } from 'node:stream'
import * as zlib from 'node:zlib'

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

/** RFC 9659, 3: no sender of `content-encoding: zstd` asks for a larger one. */
const mostWindow = 8 * 1024 * 1024
const mostSkipped = 64 * 1024

/**
 * Undoes zstd (RFC 8878) on a Node whose zlib does not know it. Each block goes to the library by itself: it reads
 * what is cut elsewhere wrongly, would make all of a bomb at once, and takes whatever window is asked for. Checksums
 * are not looked at.
 */
export async function* unzstd(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Decompress } = await import('fzstd')
  const bytes = reader(packed)
  while (!(await bytes.atEnd())) {
    const magic = await bytes.take(4)
    if ((magic.readUInt32LE() & 0xfffffff0) >>> 0 === 0x184d2a50) {
      for (let left = (await bytes.take(4)).readUInt32LE(); left > 0; left -= mostSkipped)
        await bytes.take(Math.min(left, mostSkipped))
      continue
    }
    const { header, checksum } = await frameHeader(magic, bytes)
    const out: Uint8Array[] = []
    const decoder = new Decompress((block) => out.push(block))
    let before: Buffer = header
    for (let isLast = false; !isLast;) {
      const head = await bytes.take(3)
      const word = head.readUIntLE(0, 3)
      isLast = (word & 1) === 1
      // A block of one byte that repeats holds just that.
      const size = ((word >> 1) & 3) === 1 ? 1 : word >> 3
      const block = Buffer.concat([before, head, await bytes.take(size + (isLast ? checksum : 0))])
      before = nothing
      decoder.push(block, isLast)
      for (const piece of out.splice(0))
        if (piece.length > 0) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    }
  }
}

/** @throws Error for a frame that asks for too much, or for words that only its sender has */
async function frameHeader(magic: Buffer, bytes: Reader): Promise<{ header: Buffer; checksum: number }> {
  const flags = await bytes.take(1)
  const flag = flags.readUInt8()
  const isSingle = (flag >> 5) & 1
  const dictionaryBytes = [0, 1, 2, 4][flag & 3] ?? 0
  const sizeBytes = [isSingle, 2, 4, 8][flag >> 6] ?? 0
  const rest = await bytes.take((isSingle ? 0 : 1) + dictionaryBytes + sizeBytes)
  const window = isSingle ? contentSize(rest.subarray(dictionaryBytes)) : windowSize(rest.readUInt8())
  if (window > mostWindow) throw new Error(`its window of ${window} bytes is larger than ${mostWindow}`)
  const dictionaryFrom = isSingle ? 0 : 1
  if (rest.subarray(dictionaryFrom, dictionaryFrom + dictionaryBytes).some((byte) => byte !== 0))
    throw new Error('it needs a dictionary')
  return { header: Buffer.concat([magic, flags, rest]), checksum: flag & 4 ? 4 : 0 }
}

const windowSize = (descriptor: number): number => 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)

function contentSize(field: Buffer): number {
  if (field.length === 8) return Number(field.readBigUInt64LE())
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0)
}

type Reader = ReturnType<typeof reader>

function reader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = nothing
  async function fill(least: number): Promise<boolean> {
    const more = [held]
    let length = held.length
    while (length < least) {
      const next = await chunks.next()
      if (next.done) break
      more.push(next.value)
      length += next.value.length
    }
    if (more.length > 1) held = Buffer.concat(more, length)
    return length >= least
  }
  return {
    atEnd: async (): Promise<boolean> => !(await fill(1)),
    /** @throws Error where fewer come */
    async take(length: number): Promise<Buffer> {
      if (!(await fill(length))) throw new Error('it is cut off')
      const taken = held.subarray(0, length)
      held = held.subarray(length)
      return taken
    },
  }
}

const nothing: Buffer = Buffer.alloc(0)
