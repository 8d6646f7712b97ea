import { sseEvent } from '../sse/write.ts'

interface ErrorFacts {
  code: string
  message: string
  requestId: string
}

export function geminiError(input: ErrorFacts & { status: number }): Buffer {
  return Buffer.from(JSON.stringify(errorBody(input, input.status)))
}

/**
 * @google/genai throws on an event with an `error` whose `code` is a number from 400 to 599; anything else it passes
 * over.
 */
export const geminiErrorEvent = (input: ErrorFacts): Buffer => Buffer.from(sseEvent(errorBody(input, 503)))

/** The same as the last element of a list, without what stands before and behind it. */
export const geminiErrorElement = (input: ErrorFacts): Buffer => Buffer.from(JSON.stringify(errorBody(input, 503)))

/**
 * google.rpc.Status as Google's REST APIs send it, the stable code as ErrorInfo's reason
 * (google/rpc/error_details.proto).
 */
const errorBody = ({ code, message, requestId }: ErrorFacts, status: number) => ({
  error: {
    code: status,
    message,
    status: statusName(status),
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'onward' },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
    ],
  },
})

/** google.rpc.Code by the HTTP status it is sent with (google/rpc/code.proto). */
export function statusName(status: number): string {
  switch (status) {
    case 401:
      return 'UNAUTHENTICATED'
    case 403:
      return 'PERMISSION_DENIED'
    case 404:
      return 'NOT_FOUND'
    case 409:
      return 'ABORTED'
    case 429:
      return 'RESOURCE_EXHAUSTED'
    case 499:
      return 'CANCELLED'
    case 501:
      return 'UNIMPLEMENTED'
    case 502:
    case 503:
      return 'UNAVAILABLE'
    case 504:
      return 'DEADLINE_EXCEEDED'
    default:
      return status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'
  }
}
