import type { ConversionCodec } from '../../canonical/codec.ts'
import { readBody, readError, readStream } from './read-stream.ts'
import { readRequest } from './read-request.ts'
import { writeBody, writeStream } from './write-stream.ts'
import { writeRequest } from './write-request.ts'
import { takesSearch } from './write-tools.ts'

export const chatConversion: ConversionCodec = {
  protocol: 'chat',
  // OpenAI has them; most servers with a compatible API don't.
  customTools: false,
  namespaces: false,
  interleaves: true,
  // OpenAI's API reference, `function.name`
  takesSearch,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  readRequest,
  writeRequest,
  readStream,
  readBody,
  readError,
  writeStream,
  writeBody,
}
