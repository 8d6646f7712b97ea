import { OnwardError, messageOf, systemCodeOf } from '../../base/errors.ts'
import type { Waiting } from '../time-limits.ts'

/** How far an upstream call was when it failed. `sent`: on a connection, no byte of the answer yet. */
export type Phase = 'connecting' | 'sent' | 'answering'

export interface Place {
  phase: Phase
  /** host and port, never path or query: they may hold secrets */
  host: string
  proxy: string | null
}

const via = (place: Place): string =>
  place.proxy === null ? place.host : `${place.host} (through the proxy ${place.proxy})`

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * Turns an error of undici, Node or the operating system into one of ours. Only one before any answer is worth another
 * attempt.
 */
export function upstreamError(cause: unknown, place: Place): OnwardError {
  const code = codeOf(cause)
  const at = via(place)
  const make = (kind: string, message: string, status = 502): OnwardError =>
    new OnwardError(kind, message, {
      cause,
      status,
      retryable: place.phase !== 'answering',
      details: { phase: place.phase, host: place.host, ...(code === null ? {} : { systemCode: code }) },
    })

  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return aborted('Onward is shutting down.', cause)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_CHAR') {
    return make(
      'upstream-protocol',
      `The request to ${at} could not be written: ${messageOf(cause)}` +
        ". Look at the provider's headers and key in the config.",
    )
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return place.phase === 'connecting'
      ? make('upstream-timeout', connectLate(at), 504)
      : make('upstream-timeout', `The connection to ${at} timed out.`, 504)
  }
  if (place.phase === 'connecting') return make('upstream-unreachable', unreachable(code, at, place, cause))
  if (isGarbage(cause, code))
    return make(
      'upstream-protocol',
      `${place.host} answered with something that is not HTTP. Is the baseUrl that of a model API?`,
    )
  return make(
    'upstream-broke-off',
    place.phase === 'sent'
      ? `${place.host} closed the connection before it answered.`
      : `${place.host} broke off in the middle of its answer.`,
  )
}

function unreachable(code: string | null, at: string, place: Place, cause: unknown): string {
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${at}: the connection was refused. Is the provider running, and is its baseUrl right?`
  if (code === 'ENOTFOUND')
    return `The name of ${at} is not known. Check the baseUrl for a typing mistake, and this machine's network.`
  if (code === 'EAI_AGAIN' || code === 'EAI_FAIL')
    return `The name of ${at} could not be looked up just now. Is this machine online?`
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH' || code === 'EADDRNOTAVAIL')
    return `There is no way to ${at} from this network. Is this machine online?`
  if (code !== null && untrusted.has(code))
    return (
      `The TLS certificate of ${at} is not trusted (${code}). Behind a ` +
      'company proxy, set NODE_EXTRA_CA_CERTS to its certificate.'
    )
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL') || code?.startsWith('ERR_TLS'))
    return `No secure connection to ${at} could be made (${code}). Is it https at all?`
  if (code === tunnelCode) return `The proxy ${place.proxy ?? ''} opened no way to ${place.host}: ${messageOf(cause)}`
  if (place.proxy !== null && code === 'ECONNRESET')
    return `The proxy ${place.proxy} opened no way to ${place.host}: it closed the connection.`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `${at} closed the connection while it was being made.`
  return `${at} can't be reached: ${messageOf(cause)}`
}

const connectLate = (at: string): string =>
  `${at} did not take the connection in time. Is it running, and is this machine online?`

export function lateError(what: Waiting, ms: number, place: Place): OnwardError {
  const after = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
  const message =
    what === 'connect'
      ? connectLate(via(place))
      : what === 'first-byte'
        ? `${place.host} did not begin to answer within ${after}.`
        : `${place.host} fell silent in the middle of its answer for ${after}.`
  return new OnwardError(what === 'idle' ? 'upstream-silent' : 'upstream-timeout', message, {
    status: 504,
    retryable: place.phase !== 'answering',
    details: { phase: place.phase, host: place.host, waitedMs: ms },
  })
}

export const aborted = (message: string, cause?: unknown): OnwardError =>
  new OnwardError('upstream-aborted', message, { cause, status: 499 })

/** True if the other side closed or reset the connection, as a stale kept-alive socket does. */
export function isHangUp(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && /closed/.test(messageOf(cause)))
}

function isGarbage(cause: unknown, code: string | null): boolean {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return true
  if (code === 'UND_ERR_SOCKET') return /bad (response|upgrade)/.test(messageOf(cause))
  // The parser reports a stream cut off in a chunk in the same way as nonsense; only nonsense is not HTTP.
  return cause instanceof Error && cause.name === 'HTTPParserError' && !/EOF/.test(cause.message)
}

const tunnelCode = 'ONWARD_TUNNEL'

/** The error for a proxy that gave no way through. `why` ends the sentence. */
export const tunnelRefused = (why: string): Error => Object.assign(new Error(why), { code: tunnelCode })

/** Happy Eyeballs reports one error per address: the first says enough. */
function codeOf(cause: unknown): string | null {
  const own = systemCodeOf(cause)
  return own === null && cause instanceof AggregateError ? systemCodeOf(cause.errors[0]) : own
}
