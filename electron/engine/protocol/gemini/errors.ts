import { errorName, errorOfCode } from '../failures/error-names.ts'
import { sseEvent } from '../sse/write.ts'

interface ErrorFacts {
  code: string
  message: string
  requestId: string
}

export function geminiError(input: ErrorFacts & { status: number }): Buffer {
  return Buffer.from(JSON.stringify(errorBody(input, input.status)))
}

const inStream = (input: ErrorFacts) => errorBody(input, errorOfCode(input.code).google)

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
    status: errorName('google', status),
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'onward' },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
    ],
  },
})
