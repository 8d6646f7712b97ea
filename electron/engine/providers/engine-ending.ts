import { OnwardError } from '../base/errors.ts'

/**
 * Clients resend a request that ends with this: Onward is back in a moment, and nothing was wrong with the request.
 * opencode 1.18.33 recognises an error within a stream by its words alone, “unavailable” among them.
 */
export const engineEnding = (): OnwardError =>
  new OnwardError(
    'engine-ending',
    'Onward is unavailable for a moment: it restarts or was ended, and this answer took longer than it waits ' +
      '(server.drainSeconds). Send it again.',
    { status: 503, retryable: true, details: { retryAfter: 1 } },
  )

export const isEngineEnding = (error: { code: string } | null): boolean => error?.code === 'engine-ending'
