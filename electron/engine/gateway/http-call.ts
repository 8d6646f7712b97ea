import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EntryProtocol } from '../../../shared/words.ts'
import { OnwardError, messageOf } from '../base/errors.ts'
import { limitHeaders, type UsageLimit } from '../protocol/usage-limit.ts'
import type { Refusal } from './access/authenticate.ts'
import { answerError } from './answer.ts'
import type { Address } from './paths.ts'
import type { OpenReply } from './reply.ts'
import type { GatewayDeps } from './types.ts'

/** One request on its way through the gateway. */
export interface HttpCall {
  req: IncomingMessage
  res: ServerResponse
  requestId: string
  receivedAt: number
  address: Address
  headers: Record<string, string>
  shape: EntryProtocol
}

/** Says no before the body is read. */
export function refuse(
  deps: GatewayDeps,
  call: HttpCall,
  refusal: Refusal,
  headers: Record<string, string> = {},
): void {
  const { requestId, req, res, shape } = call
  deps.log.info({ requestId, code: refusal.code, status: refusal.status }, 'a request was refused')
  answerError(deps, req, res, shape, { ...refusal, requestId, headers })
}

/** The last stop of every error: answered in the entry's shape, or broken off where an answer has begun. */
export function fail(deps: GatewayDeps, call: HttpCall, reply: OpenReply | null, error: unknown): void {
  const known = OnwardError.isInstance(error)
    ? error
    : new OnwardError('internal-error', 'Something went wrong inside Onward. Its log has the request id.', {
        cause: error,
      })
  const { requestId, req, res, shape } = call
  const fields = { requestId, code: known.code, status: known.status, error: messageOf(error) }
  if (known.status >= 500)
    deps.log.error({ ...fields, stack: error instanceof Error ? error.stack : undefined }, 'a request failed')
  else deps.log.info(fields, 'a request was refused')
  if (reply?.left || reply?.ended || res.destroyed) return
  if (reply?.headSent) return reply.abort()
  if (res.headersSent) return void req.socket.destroy()
  const limit = usageLimit(known, deps.clock.now())
  const facts = {
    status: known.status,
    code: known.code,
    message: known.message,
    requestId,
    ...(limit ? { limit } : {}),
  }
  const headers = { ...retryAfter(known), ...(limit ? limitHeaders(shape, limit) : {}) }
  if (!reply) return answerError(deps, req, res, shape, { ...facts, headers })
  const body = deps.errorBody(shape, facts)
  reply.head(known.status, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-request-id': requestId,
    ...headers,
  })
  reply.end(body)
}

/** `details.retryAfter` of an error: seconds, or the very text an upstream sent. */
function retryAfter(error: OnwardError): Record<string, string> {
  const value = error.details['retryAfter']
  if (typeof value === 'number' && Number.isFinite(value))
    return { 'retry-after': String(Math.max(0, Math.ceil(value))) }
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) ? { 'retry-after': value } : {}
}

/** `details.limit` of an error: everything that was asked, or would be, is at a limit. */
function usageLimit({ details }: OnwardError, now: number): UsageLimit | null {
  const { limit, window } = details
  if (typeof limit !== 'object' || limit === null || !('lifts' in limit)) return null
  const { lifts } = limit
  return {
    window: typeof window === 'string' ? window : null,
    lifts: typeof lifts === 'number' ? lifts : null,
    now,
  }
}

/** Lower-case names with one text each. node:http has joined what came more than once; only set-cookie is a list. */
export function flatHeaders(req: IncomingMessage): Record<string, string> {
  const cookies = req.headers['set-cookie']
  // The type allows lists and undefined for every name; node:http makes neither for a request, set-cookie apart.
  const headers = req.headers as Record<string, string>
  if (cookies) headers['set-cookie'] = cookies.join(', ')
  return headers
}
