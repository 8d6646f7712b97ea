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
