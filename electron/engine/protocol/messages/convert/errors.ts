import { kindOfFailure, type FailureKind } from '../../failure-kinds.ts'

/** Types of Anthropic's errors that clients act on; every other code gets the type of its kind. */
const types = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'timeout_error',
  'overloaded_error',
  'billing_error',
  'api_error',
])

/** Anthropic's types for the codes of other vendors. Claude Code 2.1.332 sends a turn again after `api_error`. */
const typeOfKind: Readonly<Record<FailureKind, string>> = {
  overflow: 'invalid_request_error',
  request: 'invalid_request_error',
  login: 'authentication_error',
  quota: 'billing_error',
  rate: 'rate_limit_error',
  overload: 'overloaded_error',
  other: 'api_error',
}

/** The `error` of an error event; the code stays readable beside the type. */
export const errorMember = ({ code, message }: { code: string; message: string }) => ({
  type: types.has(code) ? code : typeOfKind[kindOfFailure(code)],
  message,
  code,
})
