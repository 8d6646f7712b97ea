import * as zlib from 'node:zlib'
import type { Redactor } from '../../base/redact.ts'
import type { UpstreamHandler } from '../../providers/types.ts'

/** An error that came compressed is held and read up to this size. */
const mostEncodedBytes = 1024 * 1024

/**
 * Takes secrets out of what an upstream answers with a status of 400 and above, head and body, before anybody reads,
 * records or relays it. Other answers go by untouched. `redactor` is asked for with the first error.
 */
export function redactErrors(handler: UpstreamHandler, redactor: () => Redactor): UpstreamHandler {
  let body: ErrorBody | null = null
  return {
    onHead(status, headers) {
      if (status < 400) return handler.onHead(status, headers)
      const { 'content-encoding': encoding, 'content-length': _length, ...rest } = redactor().value(headers)
      const name = String(encoding ?? '').trim()
      body = /^(?:identity)?$/i.test(name) ? redactor().stream() : encodedBody(name, redactor())
      handler.onHead(status, rest)
    },
    onData(chunk) {
      if (body === null) return handler.onData(chunk)
      const clean = body.push(chunk)
      return clean.length === 0 || handler.onData(clean)
    },
    onEnd() {
      end()
      handler.onEnd()
    },
    onError(error) {
      end()
      handler.onError(error)
    },
  }
  function end(): void {
    const rest = body?.end()
    if (rest && rest.length > 0) handler.onData(rest)
  }
}

type ErrorBody = ReturnType<Redactor['stream']>

/** Compressed though nobody asked for it: nobody can see what is in there, so it goes on in plain or not at all. */
function encodedBody(encoding: string, redactor: Redactor): ErrorBody {
  const held: Buffer[] = []
  let bytes = 0
  return {
    push(chunk) {
      bytes += chunk.length
      if (bytes <= mostEncodedBytes) held.push(chunk)
      return Buffer.alloc(0)
    },
    end() {
      const plain = bytes > mostEncodedBytes ? null : decoded(encoding.toLowerCase(), Buffer.concat(held))
      return plain === null ? unreadable : redactor.bytes(plain)
    },
  }
}

const unreadable = Buffer.from(
  JSON.stringify({ error: { message: 'The provider sent its error in an encoding that Onward can’t read.' } }),
)

function decoded(encoding: string, body: Buffer): Buffer | null {
  const limits = { maxOutputLength: mostEncodedBytes }
  try {
    switch (encoding) {
      case 'gzip':
      case 'x-gzip':
        return zlib.gunzipSync(body, limits)
      case 'deflate':
        return zlib.inflateSync(body, limits)
      case 'br':
        return zlib.brotliDecompressSync(body, limits)
      default:
        return null
    }
  } catch {
    // Cut off, no such encoding after all, or far larger than any error: what it says is not known.
    return null
  }
}
