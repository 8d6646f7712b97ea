import { OnwardError } from '../base/errors.ts'

/** Clients send again what ends with this: Onward is back in a moment, and nothing was wrong with the request. */
export const engineEnding = (): OnwardError =>
  new OnwardError(
    'engine-ending',
    'Onward restarts or was ended, and this answer took longer than it waits (server.drainSeconds). Send it again.',
    { status: 503, retryable: true, details: { retryAfter: 1 } },
  )

export const isEngineEnding = (error: { code: string } | null): boolean => error?.code === 'engine-ending'
