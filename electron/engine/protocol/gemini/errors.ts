import { kindOfFailure, type FailureKind } from '../failure-kinds.ts'
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
 * In a stream an error has no HTTP status, so its code says it; clients retry after codes from 500 on, and after 429.
 */
const statusOfKind: Readonly<Record<FailureKind, number>> = {
  overflow: 400,
  request: 400,
  login: 401,
  quota: 402,
  rate: 429,
  overload: 503,
  other: 503,
}
const inStream = (input: ErrorFacts) => errorBody(input, statusOfKind[kindOfFailure(input.code)])

/**
 * @google/genai throws on an event with an `error` whose `code` is a number from 400 to 599, and ignores anything else.
 */
export const geminiErrorEvent = (input: ErrorFacts): Buffer => Buffer.from(sseEvent(inStream(input)))

/** The same as the last element of a list, without the comma and bracket around it. */
export const geminiErrorElement = (input: ErrorFacts): Buffer => Buffer.from(JSON.stringify(inStream(input)))

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
