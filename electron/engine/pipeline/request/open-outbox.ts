import type { Scope } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'

/**
 * An outbox that can't be opened, for example one of a newer Onward, costs its terminal the followups, never the
 * answers.
 */
export async function openOutbox<T>(
  scope: Scope,
  requestId: string,
  { outboxOf, log }: { outboxOf(scope: Scope): Promise<T>; log: Log },
): Promise<T | null> {
  try {
    return await outboxOf(scope)
  } catch (error) {
    log.error(
      { requestId, scope, code: OnwardError.isInstance(error) ? error.code : 'outbox', error: messageOf(error) },
      'the followups of this terminal can’t be had; its request is served without them',
    )
    return null
  }
}
