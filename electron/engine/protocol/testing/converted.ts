import { convertToBody, convertToStream } from '../canonical/testing/convert-bytes.ts'
import type { AnswerConversion } from '../canonical/index.ts'
import type { WireProtocol } from '../canonical/request.ts'
import { conversionOf } from '../conversions.ts'
import { plainRequest } from './plain-request.ts'

/** Returns a provider's answer in another protocol, and what was recorded as lost; a failed body is an error text. */
export function converted(
  from: WireProtocol,
  to: WireProtocol,
  bytes: string,
  form: 'stream' | 'body',
): { bytes: string; dropped: string[] } {
  const dropped = new Set<string>()
  let ids = 0
  const conversion: AnswerConversion = {
    from: conversionOf[from],
    to: conversionOf[to],
    restore: (emit) => emit,
    context: {
      model: 'm',
      request: plainRequest,
      nowMs: 0,
      newId: (prefix) => `${prefix}${ids++}`,
      dropped: (name) => dropped.add(name),
    },
  }
  return { bytes: form === 'stream' ? asStream(conversion, bytes) : asBody(conversion, bytes), dropped: [...dropped] }
}

function asStream(conversion: AnswerConversion, bytes: string): string {
  const converter = convertToStream(conversion)
  return Buffer.concat([converter.push(Buffer.from(bytes)), converter.end()]).toString('utf8')
}

function asBody(conversion: AnswerConversion, bytes: string): string {
  const whole = convertToBody(conversion).whole(Buffer.from(bytes))
  return whole.kind === 'body'
    ? whole.body.toString('utf8')
    : JSON.stringify({ error: { code: whole.code, message: whole.message } })
}
