import { messageOf, OnwardError } from '../../base/errors.ts'

/** The result that a model reads for a call that could not be run. */
export const failureText = (code: string, message: string, retryable = true): string =>
  JSON.stringify({ ok: false, retryable, error: { code, message } })

export function described(error: unknown): { code: string; message: string } {
  return { code: OnwardError.isInstance(error) ? error.code : 'failed', message: messageOf(error) }
}
