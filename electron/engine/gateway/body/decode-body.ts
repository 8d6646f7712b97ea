import type { Duplex } from 'node:stream'
import { OnwardError, messageOf } from '../../base/errors.ts'
import { encodings, encodingsIn, unpacking } from '../../base/unpack.ts'
import { noRoom, type BodyShare } from './read-body.ts'
import type { Refusal } from '../access/allowed-host.ts'

/**
 * Undoes `content-encoding`, piece by piece: each piece that comes out is counted before the next is made, against the
 * limit of one body, so that a small bomb stays small, and against what all bodies may hold. The share then has what
 * came out in place of what went in.
 * @throws OnwardError `unsupported-encoding` (415), `bad-encoding` (400), `body-too-large` (413), `bodies-in-flight`
 *   (503)
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  limit: number,
  share: BodyShare,
): Promise<Buffer> {
  let plain = body
  for (const name of encodingsIn(contentEncoding)) {
    const decoder = unpacking(name, plain[0])
    if (!decoder) {
      throw new OnwardError(
        'unsupported-encoding',
        `Onward can't read a body with content-encoding "${name.slice(0, 40)}". It reads: ${encodings.join(', ')}.`,
        { status: 415 },
      )
    }
    const packed = plain
    plain = await decodeOnce(decoder, packed, name, limit, share)
    share.give(packed.length)
  }
  return plain
}

function decodeOnce(decoder: Duplex, body: Buffer, name: string, limit: number, share: BodyShare): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = (error: OnwardError) => {
      chunks.length = 0
      decoder.destroy()
      reject(error)
    }
    decoder.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limit) stop(tooLarge(limit))
      else if (!share.take(chunk.length)) stop(noRoom())
      else chunks.push(chunk)
    })
    decoder.on('end', () => resolve(Buffer.concat(chunks, bytes)))
    decoder.on('error', (error: unknown) =>
      stop(
        new OnwardError('bad-encoding', `The body is not valid ${name}: ${messageOf(error)}.`, {
          status: 400,
          cause: error,
        }),
      ),
    )
    decoder.end(body)
  })
}

export const tooLarge = (limit: number): OnwardError =>
  new OnwardError(
    'body-too-large',
    `This request body is larger than ${limit} bytes, the limit server.maxBodyBytes sets.`,
    { status: 413 },
  )

/**
 * null when the body is declared as JSON text in UTF-8. Only a declared JSON body is read: no form of a web page can
 * send one.
 */
export function refuseMediaType(contentType: string | undefined): Refusal | null {
  if (contentType === 'application/json') return null
  if (contentType === undefined) return unsupported('This call has no content-type. Send the body as application/json.')
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== 'application/json' && !/^application\/[\w.+-]+\+json$/.test(type)) {
    return unsupported(`Onward reads application/json, not "${type.slice(0, 100)}".`)
  }
  const charset = parameters
    .find((p) => p.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
    ? null
    : unsupported(`Onward reads JSON in UTF-8, not in "${charset.slice(0, 40)}".`)
}

const unsupported = (message: string): Refusal => ({ status: 415, code: 'unsupported-media-type', message })
