import { sseEvent } from '../sse/write.ts'
import type { AnswerInput } from '../types.ts'

/** Returns a whole answer with one text: one object, one event, or a list of one. */
export function geminiAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const response = {
    candidates: [{ content: { parts: [{ text: input.text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: noTokens,
    modelVersion: input.model,
    responseId: input.id,
  }
  const json = 'application/json; charset=UTF-8'
  if (!input.stream) return { contentType: json, body: Buffer.from(JSON.stringify(response)) }
  if (input.streamForm === 'json-array') return { contentType: json, body: Buffer.from(JSON.stringify([response])) }
  return { contentType: 'text/event-stream', body: Buffer.from(sseEvent(response)) }
}

/** No provider was asked, so nothing was used. */
const noTokens = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }
