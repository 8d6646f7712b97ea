import type { ConversionCodec, ReadContext, StreamReader } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { answerChunks } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import { writeBody, writeStream } from './write-answer.ts'
import { writeRequest, takesSearch } from './write-request.ts'

function readStream(context: ReadContext): StreamReader {
  const answer = answerChunks(context)
  return {
    event(frame) {
      const value = frame.value()
      if (value) answer.chunk(value)
      // some gateways close a stream as OpenAI does
      else if (frame.latin1 !== '[DONE]')
        answer.fail(
          'bad-answer',
          frame.truncated
            ? 'The provider sent an event that is too large.'
            : 'The provider sent an event that is no JSON object.',
        )
    },
    whole: () => answer.whole(),
    end: () => answer.end(),
  }
}

function readBody(body: JsonObject, context: ReadContext): void {
  const answer = answerChunks(context)
  answer.chunk(body)
  answer.end()
}

/**
 * A stream without `alt=sse` is a list of the same chunks, and some gateways ignore that parameter
 * (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent).
 */
function readList(chunks: readonly JsonObject[], context: ReadContext): void {
  const answer = answerChunks(context)
  for (const chunk of chunks) answer.chunk(chunk)
  answer.end()
}

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
