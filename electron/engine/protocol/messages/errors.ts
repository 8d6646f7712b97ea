import { errorMember } from './convert/errors.ts'
import { sseEvent } from '../sse/write.ts'

export function messagesError(input: { status: number; code: string; message: string; requestId: string }): Buffer {
  return Buffer.from(JSON.stringify(errorBody(input, errorType(input.status))))
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

/** Types of Anthropic's API by status. */
function errorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 413:
      return 'request_too_large'
    case 429:
      return 'rate_limit_error'
    case 504:
      return 'timeout_error'
    case 529:
      return 'overloaded_error'
    default:
      return status < 500 ? 'invalid_request_error' : 'api_error'
  }
}
