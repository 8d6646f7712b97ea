/** Bodies as browsers take them over a slow link. Each is compressed once and kept in memory, up to a bound. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compress: Readonly<Record<Encoding, (data: Buffer) => Promise<Buffer>>> = {
  // The first page waits for it: the best would be a tenth smaller and take thirty times as long.
  br: (data) =>
    brotli(data, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
  gzip: (data) => gzipped(data, { level: 9 }),
}

/** The best of ours that is asked for; null: none is. An encoding that is not named is not sent. */
export function encodingFor(accepted: string | undefined): Encoding | null {
  const weights = new Map(
    (accepted ?? '').split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const wanted = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  if (wanted('br') > 0 && wanted('br') >= wanted('gzip')) return 'br'
  return wanted('gzip') > 0 ? 'gzip' : null
}

/**
 * @param mostBytes of what is kept; the longest unused goes first, and what is larger is made anew each time
 * @param run only tests give another
 */
export function compressor(mostBytes: number, run = compress) {
  const kept = new Map<string, Promise<Buffer>>()
  const sizes = new Map<string, number>()
  let bytes = 0
  const forget = (key: string) => {
    kept.delete(key)
    bytes -= sizes.get(key) ?? 0
    sizes.delete(key)
  }
  /** @param hash of the data: the same data is compressed once */
  return async (hash: string, data: Buffer, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${hash}`
    const known = kept.get(key)
    if (known) {
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const made = run[encoding](data)
    kept.set(key, made)
    try {
      const { length } = await made
      sizes.set(key, length)
      bytes += length
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) break
        if (sizes.has(oldest)) forget(oldest)
      }
      return await made
    } catch (error) {
      forget(key)
      throw error
    }
  }
}
