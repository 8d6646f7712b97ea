import { asName, asNumber, asObject, asObjects, asText, hasValue, type JsonObject } from '../values.ts'

export interface ProviderError {
  code: string
  message: string
}

/**
 * Returns the error a provider reports in an answer or event, in any of the shapes in use; null if there is none. Typed
 * servers fill the member in with zero values where there is none.
 */
export function errorIn(value: JsonObject): ProviderError | null {
  const { error } = value
  // A code of 0 is success.
  if (typeof error === 'string' && error !== '') return { code: codeOf(value) ?? 'provider-error', message: error }
  const object = asObject(error)
  if (object && hasValue({ ...object, code: object['code'] || null })) return describe(object)
  // Releases of vLLM up to 0.9 send `{"object":"error","message":…,"code":400}`, also within a stream.
  if (value['object'] === 'error') return describe(value)
  return statusError(asObject(value['base_resp'])) ?? bareError(value)
}

/**
 * An error without a member for it, which some gateways send with status 200: `{"code":500,"msg":…,"success":false}`
 * (Z.ai), `{"code":20015,"message":…,"data":null}` (SiliconFlow), `{"error_code":…,"error_msg":…}` (Baidu),
 * `{"success":false,"errors":[…]}` (Cloudflare).
 */
function bareError(value: JsonObject): ProviderError | null {
  if (answerMembers.some((name) => name in value)) return null
  const first = value['success'] === false ? asObjects(value['errors'])[0] : undefined
  if (first) return describe(first)
  const message = asName(value['message']) ?? asName(value['msg']) ?? asName(value['error_msg'])
  const code = codeOf(value)
  return message !== null && (code !== null || value['success'] === false) ? describe({ code, message }) : null
}

/** Members that only an answer has, or an event of one. */
const answerMembers = ['choices', 'content', 'output', 'candidates', 'response', 'type', 'delta']

/** A code that is none of success. */
function codeOf(value: JsonObject): string | null {
  const code = value['code'] ?? value['error_code']
  const text = typeof code === 'number' ? String(code) : asName(code)
  return text === null || /^(?:0|2\d\d|success|ok)$/i.test(text) ? null : text
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
