import { errorName } from '../failures/error-names.ts'
import { kindOfFailure } from '../failures/failure-kinds.ts'
import { sseEvent, typedEvent } from '../sse/write.ts'
import type { ErrorEventInput, ErrorInput } from '../types.ts'
import { codexLimit } from '../failures/usage-limit.ts'
import { echoObject } from './echo.ts'
import type { JsonObject } from '../values.ts'

export function responsesError(input: ErrorInput): Buffer {
  const { status, code, message, requestId, limit } = input
  const error = { message, type: errorName('openai', status), param: null, code, request_id: requestId }
  return Buffer.from(JSON.stringify({ error: limit ? { ...error, ...codexLimit(limit) } : error }))
}

/**
 * Writes `error`, then `response.failed`, as OpenAI sends them: SDKs stop at the first, Codex 0.171.0 ignores it and
 * reads only the other.
 */
export const responsesErrorEvent = (input: ErrorEventInput): Buffer =>
  Buffer.concat([Buffer.from(errorEventText(input)), responsesFailedEvent({ ...input, sequence: input.sequence + 1 })])

/** The event that has to follow an error event. */
export function responsesFailedEvent({ code, message, requestId, sequence, ...answer }: ErrorEventInput): Buffer {
  const response = {
    id: answer.responseId ?? `resp_${requestId}`,
    object: 'response',
    created_at: Math.floor(answer.nowMs / 1000),
    status: 'failed',
    error: failedError({ code, message }),
    incomplete_details: null,
    model: answer.model ?? '',
    output: [],
    usage: null,
    ...echoObject({}),
  }
  return Buffer.from(typedEvent({ type: 'response.failed', sequence_number: sequence, response }))
}

/** The documented members are at the top; the SDK reads the same from an `error` member, so both are written. */
export function errorEventText(input: { code: string; message: string; requestId?: string; sequence: number }): string {
  const { code, message, requestId } = input
  const error = { type: 'server_error', code, message, param: null, request_id: requestId }
  return sseEvent({ type: 'error', sequence_number: input.sequence, code, message, param: null, error }, 'error')
}

/**
 * Returns the `error` of a response that failed. With these codes Codex 0.171.0 ends the turn and shows why
 * (`invalid_prompt`: in the provider's own words); with any other code it sends the turn again, up to five times.
 */
export function failedError({ code, message }: { code: string; message: string }): JsonObject {
  switch (kindOfFailure(code)) {
    case 'request':
    case 'login':
      return { code: 'invalid_prompt', message }
    case 'quota':
      return { code: 'insufficient_quota', message }
    default:
      return { code, message }
  }
}
