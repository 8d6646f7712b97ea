import { OnwardError, systemCodeOf } from '../base/errors.ts'

export const badUrl = (message: string): OnwardError => new OnwardError('bad-url', message, { status: 400 })
export const refused = (message: string): OnwardError => new OnwardError('address-refused', message, { status: 403 })
export const aborted = (message: string): OnwardError => new OnwardError('aborted', message, { status: 499 })
export const timedOut = (ms: number): OnwardError =>
  new OnwardError(
    'timed-out',
    `There was no whole answer within ${ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`}.`,
    { status: 504, retryable: true },
  )

/** The error of Node, undici or the operating system about a host. */
export function unreachable(host: string, cause: unknown): OnwardError {
  const code = codeOf(cause)
  const make = (message: string, retryable = false): OnwardError =>
    new OnwardError('web-unreachable', message, { cause, status: 502, retryable })
  if (code === 'ENOTFOUND' || code === 'ENODATA') return make(`There is no host ${host}: its name is not known.`)
  if (code?.startsWith('EAI_')) return make(`The name ${host} could not be looked up just now.`, true)
  if (code === 'ECONNREFUSED') return make(`${host} refused the connection.`)
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return make(`There is no way to ${host} from this network.`)
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return make(`${host} did not take the connection in time.`, true)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return make(`${host} broke off the connection.`, true)
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code?.startsWith('HPE_'))
    return make(`${host} answered with something that is not HTTP.`)
  if (code?.startsWith('ERR_TLS') || code?.startsWith('ERR_SSL') || code === 'EPROTO' || /CERT|SIGNED/.test(code ?? ''))
    return make(`No trusted secure connection to ${host} could be made (${code}).`)
  return make(`${host} can't be reached${code === null ? '' : ` (${code})`}.`)
}

/** Happy Eyeballs reports one error per address: the first says enough. */
function codeOf(cause: unknown): string | null {
  const own = systemCodeOf(cause)
  return own === null && cause instanceof AggregateError ? systemCodeOf(cause.errors[0]) : own
}
