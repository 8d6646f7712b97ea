import { kindOfFailure, type FailureKind } from './failure-kinds.ts'

type Vendor = 'openai' | 'anthropic' | 'google'

/** Names of errors by the HTTP status it is sent with; Google's are those of google/rpc/code.proto. */
const byStatus: Readonly<Partial<Record<number, Readonly<Record<Vendor, string>>>>> = {
  401: { openai: 'authentication_error', anthropic: 'authentication_error', google: 'UNAUTHENTICATED' },
  403: { openai: 'permission_error', anthropic: 'permission_error', google: 'PERMISSION_DENIED' },
  404: { openai: 'not_found_error', anthropic: 'not_found_error', google: 'NOT_FOUND' },
  409: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', google: 'ABORTED' },
  413: { openai: 'invalid_request_error', anthropic: 'request_too_large', google: 'INVALID_ARGUMENT' },
  429: { openai: 'rate_limit_error', anthropic: 'rate_limit_error', google: 'RESOURCE_EXHAUSTED' },
  499: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', google: 'CANCELLED' },
  501: { openai: 'server_error', anthropic: 'api_error', google: 'UNIMPLEMENTED' },
  502: { openai: 'server_error', anthropic: 'api_error', google: 'UNAVAILABLE' },
  503: { openai: 'server_error', anthropic: 'api_error', google: 'UNAVAILABLE' },
  504: { openai: 'server_error', anthropic: 'timeout_error', google: 'DEADLINE_EXCEEDED' },
  529: { openai: 'server_error', anthropic: 'overloaded_error', google: 'INTERNAL' },
}
const others = {
  client: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' },
  server: { openai: 'server_error', anthropic: 'api_error', google: 'INTERNAL' },
}

export const errorName = (vendor: Vendor, status: number): string =>
  (byStatus[status] ?? others[status < 500 ? 'client' : 'server'])[vendor]

/**
 * The same in a stream, by the code, because an event has no HTTP status. Claude Code 2.1.332 sends a turn again after
 * `api_error`, clients of Google's after codes from 500 on and after 429.
 */
const byKind: Readonly<Record<FailureKind, { openai: string; anthropic: string; google: number }>> = {
  overflow: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', google: 400 },
  request: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', google: 400 },
  login: { openai: 'authentication_error', anthropic: 'authentication_error', google: 401 },
  quota: { openai: 'insufficient_quota', anthropic: 'billing_error', google: 402 },
  rate: { openai: 'rate_limit_error', anthropic: 'rate_limit_error', google: 429 },
  overload: { openai: 'server_error', anthropic: 'overloaded_error', google: 503 },
  other: { openai: 'server_error', anthropic: 'api_error', google: 503 },
}

export const errorOfCode = (code: string) => byKind[kindOfFailure(code)]
