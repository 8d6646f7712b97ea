import { kindOfFailure, type FailureKind } from '../failure-kinds.ts'
import { openaiErrorType } from '../openai-error-type.ts'
import { sseEvent } from '../sse/write.ts'

export function chatError(input: { status: number; code: string; message: string; requestId: string }): Buffer {
  return Buffer.from(JSON.stringify({ error: errorObject(input, openaiErrorType(input.status)) }))
}

const typeOfKind: Readonly<Record<FailureKind, string>> = {
  overflow: 'invalid_request_error',
  request: 'invalid_request_error',
  login: 'authentication_error',
  quota: 'insufficient_quota',
  rate: 'rate_limit_error',
  overload: 'server_error',
  other: 'server_error',
}

/** OpenAI's SDKs fail on a chunk with an `error` member; without a finish reason or `[DONE]` it is no stop. */
export function chatErrorEvent(input: { code: string; message: string; requestId?: string }): Buffer {
  return Buffer.from(sseEvent({ error: errorObject(input, typeOfKind[kindOfFailure(input.code)]) }))
}

const errorObject = (input: { code: string; message: string; requestId?: string }, type: string) => ({
  message: input.message,
  type,
  param: null,
  code: input.code,
  request_id: input.requestId,
})
