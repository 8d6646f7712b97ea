import { asObject, asText, type JsonObject } from '../values.ts'

/** The error a provider reports in an answer or event, in any of the shapes in use; null when it reports none. */
export function errorIn(value: JsonObject): { code: string; message: string } | null {
  if (typeof value['error'] === 'string') return { code: 'provider-error', message: value['error'] }
  const error = asObject(value['error'])
  return error && describe(error)
}

/** `{code?, type?, message?}` as a provider writes it. */
export function describe(error: JsonObject): { code: string; message: string } {
  const code = error['code']
  return {
    code: asText(code) ?? (typeof code === 'number' ? String(code) : null) ?? asText(error['type']) ?? 'provider-error',
    message: asText(error['message']) ?? 'The provider reported an error without saying which.',
  }
}
