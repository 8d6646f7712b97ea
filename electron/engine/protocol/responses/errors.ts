import { openaiErrorType } from '../openai-error-type.ts'
import { sseEvent } from '../sse/write.ts'

export function responsesError(input: { status: number; code: string; message: string; requestId: string }): Buffer {
  const { status, code, message, requestId } = input
  return Buffer.from(
    JSON.stringify({ error: { message, type: openaiErrorType(status), param: null, code, request_id: requestId } }),
  )
}

export const responsesErrorEvent = (input: {
  code: string
  message: string
  requestId: string
  sequence: number
}): Buffer => Buffer.from(errorEventText(input))

/** The documented members stand at the top; the SDK reads the same from an `error` member, so both are written. */
export function errorEventText(input: { code: string; message: string; requestId?: string; sequence: number }): string {
  const { code, message, requestId } = input
  const error = { type: 'server_error', code, message, param: null, request_id: requestId }
  return sseEvent({ type: 'error', sequence_number: input.sequence, code, message, param: null, error }, 'error')
}
