import type { FollowupSource } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Author } from './entry.ts'
import type { Outboxes } from './outboxes.ts'

/**
 * Puts the followup into the outbox, once: the outbox is written first, and after a crash before our own write the
 * entry is found there by its group, in whatever state. @throws OnwardError `store-failed`, `scope-moved`,
 * `entry-pending`
 */
export async function putFollowup(
  outboxes: Outboxes,
  scope: Scope,
  followup: { sessionId: string; group: string; text: string; source: FollowupSource; writtenBy?: Author },
): Promise<string> {
  const outbox = await outboxes.of(scope)
  return outbox.exclusive(async (transaction) => {
    const there = transaction.entries().find((e) => e.group === followup.group)
    return (there ?? (await transaction.add(followup))).id
  })
}

/** The same; null where a followup is on its way there already. @throws OnwardError `store-failed`, `scope-moved` */
export const putUnlessPending = (
  ...[outboxes, scope, followup]: Parameters<typeof putFollowup>
): Promise<string | null> =>
  putFollowup(outboxes, scope, followup).catch((error: unknown) => {
    if (OnwardError.isInstance(error) && error.code === 'entry-pending') return null
    throw error
  })

/** Finds entries of these groups in any state, also those that a crash left in the outbox alone. */
export async function findFollowups(
  outboxes: Outboxes,
  groups: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (groups.size === 0) return found
  for (const outbox of outboxes.all()) {
    await outbox.exclusive(async (transaction) => {
      for (const { id, group } of transaction.entries()) if (group !== null && groups.has(group)) found.set(group, id)
    })
  }
  return found
}

/** Takes it out again if it was not sent yet. @returns whether it was taken out */
export async function takeBack(outboxes: Outboxes, entryId: string, why: 'person' | 'new-turn'): Promise<boolean> {
  const outbox = outboxes.holding(entryId)
  const state = () => outbox?.list().find((e) => e.id === entryId)?.state
  if (!outbox || (state() !== 'queued' && !(state() === 'typing' && why === 'person'))) return false
  try {
    await (why === 'person' ? outbox.cancel(entryId) : outbox.overtake(entryId))
    return true
  } catch (error) {
    // Typing began a moment ago: then it is on its way.
    if (state() !== 'queued') return false
    throw error
  }
}
