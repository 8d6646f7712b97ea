import { conversionOf } from '../../conversions.ts'
import type { JsonObject } from '../../values.ts'
import type { WriteContext } from '../codec.ts'
import { convertToBody, convertToStream } from './convert-bytes.ts'
import type { WireProtocol } from '../request.ts'

export interface Converted {
  /** the client's bytes; of an answer that became no body: empty */
  text: string
  /** of a body that failed, or of a stream that ended in an error */
  error: string | null
  dropped: readonly string[]
}

const paths: Readonly<Record<WireProtocol, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/m:generateContent',
}

const asked: Readonly<Record<WireProtocol, JsonObject>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'm', input: 'Hi' },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

/** A provider's answer as a client of another protocol gets it. `cuts`: where a stream's bytes are cut. */
export function converted(
  from: WireProtocol,
  to: WireProtocol,
  bytes: string,
  {
    as,
    wants,
    cuts = [],
    citations,
  }: { as: 'stream' | 'body'; wants: 'stream' | 'body'; cuts?: readonly number[]; citations?: 'append' },
  request: JsonObject = asked[to],
): Converted {
  const dropped = new Set<string>()
  let ids = 0
  const context: WriteContext = {
    model: 'm',
    request: conversionOf[to].readRequest(request, { path: paths[to] }),
    nowMs: 1_790_000_000_000,
    newId: (prefix) => `${prefix}new${++ids}`,
    dropped: (name) => {
      dropped.add(name)
    },
  }
  const conversion = {
    from: conversionOf[from],
    to: conversionOf[to],
    restore: <T>(emit: T) => emit,
    context,
    ...(citations && { citations }),
  }
  const whole = Buffer.from(bytes)
  const marks = [...cuts].map((at) => at % (whole.length + 1)).sort((a, b) => a - b)
  const chunks = [0, ...marks].map((at, i) => whole.subarray(at, marks[i] ?? whole.length))
  if (wants === 'stream') {
    const stream = convertToStream(conversion)
    const out = as === 'body' ? [stream.whole(whole)] : [...chunks.map((chunk) => stream.push(chunk)), stream.end()]
    const text = Buffer.concat(out).toString()
    return { text, error: stream.ended === 'error' ? text : null, dropped: [...dropped] }
  }
  const body = convertToBody(conversion)
  if (as === 'stream') for (const chunk of chunks) body.push(chunk)
  const answer = as === 'body' ? body.whole(whole) : body.end()
  return answer.kind === 'body'
    ? { text: answer.body.toString(), error: null, dropped: [...dropped] }
    : { text: '', error: answer.code, dropped: [...dropped] }
}
