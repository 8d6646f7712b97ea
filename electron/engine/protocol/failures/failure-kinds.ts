/** OpenAI's code for a full context window; used here for every vendor's. */
export const overflowCode = 'context_length_exceeded'

export type FailureKind =
  /** the context window is full */
  | 'overflow'
  /** this request fails again, however often it is sent */
  | 'request'
  | 'login'
  /** the money is gone */
  | 'quota'
  | 'rate'
  | 'overload'
  | 'other'

/** Codes, types and status names that vendors have for a failure; numbers are HTTP statuses. */
const names: Readonly<Record<Exclude<FailureKind, 'other'>, readonly string[]>> = {
  overflow: [overflowCode],
  request: [
    'invalid_request_error',
    'invalid_request',
    'invalid_prompt',
    'invalid_argument',
    'failed_precondition',
    'badrequesterror',
    'not_found',
    'not_found_error',
    'model_not_found',
    'request_too_large',
    // codes of OpenAI's `invalid_request_error`
    'unsupported_parameter',
    'unsupported_value',
    'unknown_parameter',
    'invalid_value',
    'invalid_type',
    'missing_required_parameter',
    'string_above_max_length',
    // Bedrock, DashScope
    'validationexception',
    'invalid_parameter_error',
    'invalidparameter',
  ],
  login: [
    'authentication_error',
    'invalid_api_key',
    'unauthenticated',
    'permission_error',
    'permission_denied',
    'accessdeniedexception',
  ],
  quota: [
    'insufficient_quota',
    'billing_error',
    'credit_balance_exhausted',
    'billing_hard_limit_reached',
    'exceeded_current_quota_error',
    'usage_not_included',
    'insufficient_balance',
    'arrearage',
  ],
  rate: [
    'rate_limit_error',
    'rate_limit_exceeded',
    'resource_exhausted',
    'too_many_requests',
    // Moonshot, DashScope, Bedrock, GitHub Copilot
    'rate_limit_reached_error',
    'limit_requests',
    'throttlingexception',
    'rate_limited',
  ],
  overload: [
    'overloaded_error',
    'server_is_overloaded',
    'slow_down',
    'unavailable',
    // Moonshot, Bedrock, Volcengine Ark
    'engine_overloaded_error',
    'serviceunavailableexception',
    'serveroverloaded',
  ],
}

const kinds = new Map<string, FailureKind>(
  (Object.keys(names) as (keyof typeof names)[]).flatMap((kind) =>
    names[kind].map((name): [string, FailureKind] => [name, kind]),
  ),
)

/** Returns the kind of a failure by its code; `other` where nothing says that asking again is useless. */
export function kindOfFailure(code: string): FailureKind {
  const named = kinds.get(code.toLowerCase())
  if (named) return named
  switch (code) {
    case '401':
    case '403':
      return 'login'
    case '402':
      return 'quota'
    case '408':
    case '409':
    case '425':
      return 'other'
    case '429':
      return 'rate'
    case '503':
    case '529':
      return 'overload'
    default:
      return /^4\d\d$/.test(code) ? 'request' : 'other'
  }
}
