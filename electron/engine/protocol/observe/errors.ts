import { asNumber, asObject, asText, type JsonObject } from '../values.ts'

export interface ProviderError {
  code: string
  message: string
}

/** Returns the error a provider reports in an answer or event, in any of the shapes in use; null if there is none. */
export function errorIn(value: JsonObject): ProviderError | null {
  if (typeof value['error'] === 'string') return { code: 'provider-error', message: value['error'] }
  const error = asObject(value['error'])
  if (error) return describe(error)
  // Releases of vLLM up to 0.9 send `{"object":"error","message":…,"code":400}`, also within a stream.
  if (value['object'] === 'error') return describe(value)
  return statusError(asObject(value['base_resp']))
}

/**
 * MiniMax puts a status in each answer; 0 is success.
 * https://platform.minimax.io/docs/api-reference/errorcode
 */
function statusError(status: JsonObject | null): ProviderError | null {
  const code = asNumber(status?.['status_code']) ?? 0
  return code === 0 ? null : describe({ code, message: status?.['status_msg'] })
}

/** Reads `{code?, type?, message?}` as a provider writes it. */
export function describe(error: JsonObject): ProviderError {
  const code = error['code']
  return {
    code: asText(code) ?? (typeof code === 'number' ? String(code) : null) ?? asText(error['type']) ?? 'provider-error',
    message: asText(error['message']) ?? 'The provider reported an error without saying which.',
  }
}
