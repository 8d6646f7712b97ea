import type { ReadContext, StreamReader } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { answerChunks } from './read-answer.ts'

export function readStream(context: ReadContext): StreamReader {
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

export function readBody(body: JsonObject, context: ReadContext): void {
  const answer = answerChunks(context)
  answer.chunk(body)
  answer.end()
}

/**
 * A stream without `alt=sse` is a list of the same chunks, and some gateways ignore that parameter
 * (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent).
 */
export function readList(chunks: readonly JsonObject[], context: ReadContext): void {
  const answer = answerChunks(context)
  for (const chunk of chunks) answer.chunk(chunk)
  answer.end()
}
