/** Types of Anthropic's errors that clients act on; every other code is its plain one. */
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

/** The `error` of an error event; the code stays readable beside the type. */
export const errorMember = ({ code, message }: { code: string; message: string }) => ({
  type: types.has(code) ? code : 'api_error',
  message,
  code,
})
