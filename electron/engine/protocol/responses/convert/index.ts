import type { ConversionCodec } from '../../canonical/codec.ts'
import { readBody, readError } from './read-body.ts'
import { readRequest } from './read-request.ts'
import { readStream } from './read-stream.ts'
import { writeBody } from './write-body.ts'
import { writeRequest } from './write-request.ts'
import { takesSearch } from './web-search.ts'
import { writeStream } from './write-stream.ts'

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
