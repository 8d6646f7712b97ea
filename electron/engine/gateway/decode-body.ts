import * as zlib from 'node:zlib'
import { OnwardError, messageOf, systemCodeOf } from '../base/errors.ts'

type Decode = (
  body: Buffer,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Buffer) => void,
) => void

// Node has zstd since 22.15; the types of the oldest Node we support don't know it.
const zstd: unknown = Reflect.get(zlib, 'zstdDecompress')
const decoders: Readonly<Record<string, Decode>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress,
  ...(typeof zstd === 'function' ? { zstd: zstd as Decode } : {}),
}

/**
 * Undoes `content-encoding`. The limit counts the bytes that come out, so that a small bomb stays small.
 * @throws OnwardError `unsupported-encoding` (415), `bad-encoding` (400), `body-too-large` (413)
 */
export async function decodeBody(body: Buffer, contentEncoding: string, limit: number): Promise<Buffer> {
  let plain = body
  for (const name of contentEncoding
    .toLowerCase()
    .split(',')
    .map((n) => n.trim())
    .reverse()) {
    if (name === '' || name === 'identity') continue
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    if (!decode) {
      throw new OnwardError(
        'unsupported-encoding',
        `Onward can't read a body with content-encoding "${name.slice(0, 40)}" here. It reads: ${Object.keys(decoders).join(', ')}.`,
        { status: 415 },
      )
    }
    plain = await decodeOnce(decode, plain, name, limit)
  }
  return plain
}

function decodeOnce(decode: Decode, body: Buffer, name: string, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    decode(body, { maxOutputLength: limit }, (error, result) => {
      if (!error) resolve(result)
      else if (systemCodeOf(error) === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(limit))
      else
        reject(
          new OnwardError('bad-encoding', `The body is not valid ${name}: ${messageOf(error)}.`, {
            status: 400,
            cause: error,
          }),
        )
    })
  })
}

export const tooLarge = (limit: number): OnwardError =>
  new OnwardError(
    'body-too-large',
    `This request body is larger than ${limit} bytes, the limit server.maxBodyBytes sets.`,
    { status: 413 },
  )
