import type { Redactor } from '../../base/redact.ts'
import { encodingsIn } from '../../base/unpack.ts'
import { unreadableError } from '../../providers/unpacked-transport.ts'
import type { UpstreamHandler } from '../../providers/types.ts'

/**
 * Takes secrets out of an upstream's answers with a status of 400 and above, head and body, before they are read,
 * recorded or relayed. Other answers go by untouched. `redactor` is called at the first error.
 */
export function redactErrors(handler: UpstreamHandler, redactor: () => Redactor): UpstreamHandler {
  let body: ErrorBody | null = null
  return {
    onHead(status, headers) {
      if (status < 400) return handler.onHead(status, headers)
      const { 'content-encoding': encoding, 'content-length': _length, ...rest } = redactor().value(headers)
      body = encodingsIn(String(encoding ?? '')).length === 0 ? redactor().stream() : unreadable
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

/** A body that can't be read may contain anything. */
const unreadable: ErrorBody = { push: () => Buffer.alloc(0), end: () => unreadableError }
