import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export interface Unpacked {
  body: Buffer
  cut: boolean
}

/** Some servers encode twice; more layers than that nobody means well with. */
const MOST_LAYERS = 2

/**
 * The body behind its `content-encoding`, no byte more than asked for: a bomb is stopped where it grows past that. A
 * packed body that ends too early gives what it has.
 * @throws Error for an encoding that is not known or not kept to
 */
export async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Unpacked> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (layers.length > MOST_LAYERS) throw new Error(`it is encoded ${layers.length} times`)
  if (layers.length === 0 || packed.length === 0) return bounded([packed], maxBytes)
  let stream: Readable = Readable.from([packed])
  const steps: Transform[] = []
  for (const name of layers.reverse()) {
    const step = decoder(name, packed)
    stream.on('error', (error) => step.destroy(error))
    stream = stream.pipe(step)
    steps.push(step)
  }
  try {
    return await bounded(stream, maxBytes)
  } finally {
    for (const step of steps) step.destroy()
  }
}

async function bounded(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, maxBytes: number): Promise<Unpacked> {
  const kept: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    kept.push(chunk)
    length += chunk.length
    if (length > maxBytes) return { body: Buffer.concat(kept, length).subarray(0, maxBytes), cut: true }
  }
  return { body: Buffer.concat(kept, length), cut: false }
}

function decoder(name: string, packed: Buffer): Transform {
  const early = { finishFlush: constants.Z_SYNC_FLUSH }
  if (name === 'gzip' || name === 'x-gzip') return createGunzip(early)
  // Named after zlib's format and sent by some servers without its head: the first byte tells (RFC 1950: method 8).
  if (name === 'deflate') return ((packed[0] ?? 0) & 0x0f) === 8 ? createInflate(early) : createInflateRaw(early)
  if (name === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  throw new Error(`its encoding ${JSON.stringify(name.slice(0, 20))} is not known`)
}
