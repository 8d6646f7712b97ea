import { describe, expect, it } from 'vitest'
import { kindOfFailure, type FailureKind } from './failure-kinds.ts'

describe('the kind of a failure', () => {
  it.each<[FailureKind, string, readonly string[]]>([
    ['request', 'OpenAI', ['invalid_request_error', 'unsupported_parameter', 'string_above_max_length']],
    ['request', 'Bedrock, DashScope', ['ValidationException', 'InvalidParameter', 'invalid_parameter_error']],
    ['login', 'Anthropic, Google, Bedrock', ['permission_error', 'UNAUTHENTICATED', 'AccessDeniedException']],
    ['quota', 'OpenAI, DeepSeek, DashScope', ['insufficient_quota', 'insufficient_balance', 'Arrearage']],
    ['rate', 'Moonshot, DashScope, Copilot', ['rate_limit_reached_error', 'limit_requests', 'rate_limited', '429']],
    ['overload', 'Moonshot, Bedrock', ['engine_overloaded_error', 'ServiceUnavailableException', '529']],
    ['overflow', 'OpenAI', ['context_length_exceeded']],
    ['other', 'anybody', ['server_error', 'api_error', '500', '408']],
  ])('is %s by the codes of %s', (kind, _vendor, codes) => {
    for (const code of codes) expect(kindOfFailure(code), code).toBe(kind)
  })
})
