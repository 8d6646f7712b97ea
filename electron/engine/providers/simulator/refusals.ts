import { errorName } from '../../protocol/error-names.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'

const openaiTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** Returns an HTTP error's body as the vendor of that protocol words it. */
export function refusal(protocol: EntryProtocol, status: number, message: string, fingerprint: string): unknown {
  if (protocol === 'messages')
    return {
      type: 'error',
      error: { type: errorName('anthropic', status), message },
      request_id: `req_sim_${fingerprint}`,
    }
  if (protocol === 'gemini') return { error: { code: status, message, status: errorName('google', status) } }
  return {
    error: {
      message,
      type: openaiTypes[status] ?? 'server_error',
      param: null,
      code: status === 429 ? 'rate_limit_exceeded' : status === 404 ? 'not_found' : null,
    },
  }
}
