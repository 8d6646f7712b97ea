import { errorName, errorOfCode } from '../failures/error-names.ts'
import { sseEvent } from '../sse/write.ts'

export function messagesError(input: { status: number; code: string; message: string; requestId: string }): Buffer {
  return Buffer.from(JSON.stringify(errorBody(input, errorName('anthropic', input.status))))
}

/** Ends a stream without `message_stop`, which is no stop. */
export function messagesErrorEvent(input: { code: string; message: string; requestId: string }): Buffer {
  return Buffer.from(sseEvent(errorBody(input, errorMember(input).type), 'error'))
}

/** `details`: where Claude Code 2.1.332 reads why a thread can't be continued. */
const errorBody = (input: { code: string; message: string; requestId: string }, type: string) => ({
  type: 'error',
  error: {
    type,
    message: input.message,
    code: input.code,
    ...(input.code.startsWith('thread_') ? { details: { error_code: input.code } } : {}),
  },
  request_id: input.requestId,
})

/** Types of Anthropic's errors that clients act on; every other code gets the type of its kind. */
const ownType =
  /^(?:(?:invalid_request|authentication|permission|not_found|rate_limit|timeout|overloaded|billing|api)_error|request_too_large)$/

/** The `error` of an error event; the code stays readable beside the type. */
export const errorMember = ({ code, message }: { code: string; message: string }) => ({
  type: ownType.test(code) ? code : errorOfCode(code).anthropic,
  message,
  code,
})
