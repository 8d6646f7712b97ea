import type { ConversionCodec, ReadContext } from '../../canonical/codec.ts'
import { errorIn } from '../../observe/peek.ts'
import { asName, asObject, asObjects, asText, type JsonObject } from '../../values.ts'
import { noteResponse } from './answer-members.ts'
import { readEnd } from './finish.ts'
import { itemReader } from './read-items.ts'
import { readRequest } from './read-request.ts'
import { readStream } from './read-stream.ts'
import { writeBody } from './write-body.ts'
import { writeRequest } from './write-request.ts'
import { takesSearch } from './web-search.ts'
import { writeStream } from './write-stream.ts'

/** Reads a whole JSON response, or an error that a gateway relays with status 200. */
function readBody(body: JsonObject, context: ReadContext): void {
  const error = asName(body['status']) === null ? errorIn(body) : null
  if (error) return context.emit({ type: 'error', ...error })
  const items = itemReader(context)
  context.emit({ type: 'start', model: asName(body['model']), usage: null })
  for (const [i, item] of asObjects(body['output']).entries()) items.done(i, item)
  noteResponse(body, context.dropped)
  context.emit(readEnd(asText(body['status']) ?? 'completed', body, items.said))
}

/** Reads an error body, in OpenAI's form or as the frameworks of other servers write it. */
function readError(body: JsonObject): { code: string | null; message: string | null } {
  const error = asObject(body['error']) ?? body
  const code = error['code'] ?? error['type']
  const message = asName(body['error']) ?? asName(error['message']) ?? asName(error['detail'])
  return { code: typeof code === 'number' ? String(code) : code === 'error' ? null : asName(code), message }
}

/** OpenAI Responses, as the public reference and Codex use it. */
export const responsesConversion: ConversionCodec = {
  protocol: 'responses',
  customTools: true,
  namespaces: true,
  interleaves: false,
  takesSearch,
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  readRequest: (body) => readRequest(body),
  writeRequest,
  readStream,
  readBody,
  readError,
  writeStream,
  writeBody,
}
