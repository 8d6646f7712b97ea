import { readCanonical, writeCanonical } from '../canonical/index.ts'
import type { WireProtocol } from '../canonical/request.ts'
import { conversionOf } from '../conversions.ts'
import { parseObject, type JsonObject } from '../values.ts'

/** Returns a client's request as a provider of another protocol gets it, and what was recorded as lost. */
export function asked(
  from: WireProtocol,
  to: WireProtocol,
  body: JsonObject,
  path = '/v1beta/models/m:generateContent',
): { body: JsonObject; dropped: readonly string[] } {
  const request = readCanonical(conversionOf[from], body, path)
  const written = writeCanonical(request, conversionOf[to], { model: 'm', maxOutput: null })
  return { body: parseObject(written.body) ?? {}, dropped: written.dropped }
}
