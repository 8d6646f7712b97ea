import { convertToBody, convertToStream } from '../../canonical/testing/convert-bytes.ts'
import type { AnswerConversion, WholeAnswer } from '../../canonical/index.ts'
import type { WireProtocol } from '../../canonical/request.ts'
import { conversionOf } from '../../conversions.ts'
import type { Golden } from './load.ts'
import { plainRequest } from '../plain-request.ts'

const request = { ...plainRequest, model: 'asked-model' }

/** The way of an answer to a client; `dropped` collects what is put on record. */
export function conversionFor(golden: Golden, client: WireProtocol, dropped = new Set<string>()): AnswerConversion {
  let ids = 0
  return {
    from: conversionOf[golden.protocol],
    to: conversionOf[client],
    restore: (emit) => emit,
    context: {
      model: 'asked-model',
      request,
      nowMs: Date.UTC(2026, 10, 23),
      newId: (prefix) => `${prefix}${++ids}`,
      dropped: (name) => dropped.add(name),
    },
  }
}

/** As the client streams it, from pieces of the provider's bytes. */
export function asStream(golden: Golden, client: WireProtocol, chunks = [golden.bytes], dropped?: Set<string>): string {
  const converter = convertToStream(conversionFor(golden, client, dropped))
  if (golden.form === 'body') return converter.whole(Buffer.concat(chunks)).toString()
  const out = chunks.map((chunk) => converter.push(chunk))
  return Buffer.concat([...out, converter.end()]).toString()
}

/** As the client gets it in one body. */
export function asBody(
  golden: Golden,
  client: WireProtocol,
  chunks = [golden.bytes],
  dropped?: Set<string>,
): WholeAnswer {
  const converter = convertToBody(conversionFor(golden, client, dropped))
  if (golden.form === 'body') return converter.whole(Buffer.concat(chunks))
  for (const chunk of chunks) converter.push(chunk)
  return converter.end()
}
