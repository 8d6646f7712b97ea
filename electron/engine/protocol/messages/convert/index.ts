import type { ConversionCodec } from '../../canonical/codec.ts'
import { readMessagesBody, readMessagesError, readMessagesStream } from './read-stream.ts'
import { readMessagesRequest } from './read-request.ts'
import { writeMessagesBody, writeMessagesStream } from './write-stream.ts'
import { writeMessagesRequest } from './write-request.ts'
import { takesSearch } from './web-search.ts'

/** Anthropic Messages: all its blocks come one after the other, and every tool is a function. */
export const messagesConversion: ConversionCodec = {
  protocol: 'messages',
  customTools: false,
  namespaces: false,
  interleaves: false,
  takesSearch,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  readRequest: readMessagesRequest,
  writeRequest: writeMessagesRequest,
  readStream: readMessagesStream,
  readBody: readMessagesBody,
  readError: readMessagesError,
  writeStream: writeMessagesStream,
  writeBody: writeMessagesBody,
}
