import { Readable, type Duplex } from 'node:stream'
import { encodingsIn, unpacking } from '../base/unpack.ts'

export interface Unpacked {
  body: Buffer
  cut: boolean
}

/** Some servers encode twice; more layers than that are an attack. */
const MOST_LAYERS = 2

/**
 * The body without its `content-encoding`, no byte more than asked for: a bomb is stopped where it grows past that. A
 * packed body that ends too early gives what it has.
 * @throws Error for an encoding that is not known, or data that does not follow it
 */
export async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Unpacked> {
  const layers = encodingsIn(encoding)
  if (layers.length > MOST_LAYERS) throw new Error(`it is encoded ${layers.length} times`)
  if (layers.length === 0 || packed.length === 0) return bounded([packed], maxBytes)
  let stream: Readable = Readable.from([packed])
  const steps: Duplex[] = []
  for (const name of layers) {
    const step = unpacking(name, packed[0], 'early')
    if (!step) throw new Error(`its encoding ${JSON.stringify(name.slice(0, 20))} is not known`)
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
