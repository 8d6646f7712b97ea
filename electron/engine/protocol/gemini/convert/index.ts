import type { ConversionCodec } from '../../canonical/codec.ts'
import * as facts from '../facts.ts'
import { readRequest } from './read-request.ts'
import { readBody, readList, readStream } from './read-stream.ts'
import { writeBody, writeStream } from './write-answer.ts'
import { writeRequest, takesSearch } from './write-request.ts'

/** Gemini generateContent. */
export const geminiConversion: ConversionCodec = {
  protocol: 'gemini',
  customTools: false,
  namespaces: false,
  // calls come whole
  interleaves: false,
  // FunctionDeclaration.name; newer models take up to 128, all of them 64
  takesSearch,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  readRequest,
  writeRequest,
  readStream,
  readBody,
  readList,
  readError: (body) => facts.error(body) ?? { code: null, message: null },
  writeStream,
  writeBody,
}
