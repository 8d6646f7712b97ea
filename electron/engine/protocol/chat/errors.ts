import { errorName, errorOfCode } from '../failures/error-names.ts'
import { sseEvent } from '../sse/write.ts'

export function chatError(input: { status: number; code: string; message: string; requestId: string }): Buffer {
  return Buffer.from(JSON.stringify({ error: errorObject(input, errorName('openai', input.status)) }))
}

/** OpenAI's SDKs fail on a chunk with an `error` member; without a finish reason or `[DONE]` it is no stop. */
export function chatErrorEvent(input: { code: string; message: string; requestId?: string }): Buffer {
  return Buffer.from(sseEvent({ error: errorObject(input, errorOfCode(input.code).openai) }))
}

const errorObject = (input: { code: string; message: string; requestId?: string }, type: string) => ({
  message: input.message,
  type,
  param: null,
  code: input.code,
  request_id: input.requestId,
})
