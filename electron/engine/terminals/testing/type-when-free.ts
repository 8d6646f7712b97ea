import { waitFor } from '../../../../shared/testing/wait-for.ts'
import type { TypeResult } from '../types.ts'

/**
 * Types again while the terminal is held, as the outbox does: nothing went out. A program that clears its screen before
 * it draws shows a blank one for a moment, and a busy machine makes that moment long.
 */
export const typeWhenFree = (type: () => Promise<TypeResult>): Promise<TypeResult> =>
  waitFor('a text that is not held', async () => {
    const result = await type()
    return result.kind !== 'held' && result
  })
