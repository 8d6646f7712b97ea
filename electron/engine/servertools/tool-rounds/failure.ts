/** The result that a model reads for a call that could not be run. */
export const failureText = (code: string, message: string, retryable = true): string =>
  JSON.stringify({ ok: false, retryable, error: { code, message } })
