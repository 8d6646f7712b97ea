import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { Desks } from './desks.ts'
import type { Office } from './office.ts'
import { reconcile } from './reconcile.ts'
import { newer } from './sticky-state.ts'

export interface MoveDeps { desks: Desks; office: Office; outboxes: Outboxes; clock: Clock }

/**
 * Rebinding: state and queue of a scope go to another one. First it is said on disk, then copied, then the old one is
 * deleted, so that repeating it after a crash anywhere ends in the same. The later setting or clear wins.
 * @returns whether there was anything to move @throws OnwardError `store-failed`; nothing is lost then
 */
export async function moveScope({ desks, office, outboxes, clock }: MoveDeps, from: Scope, to: Scope): Promise<boolean> {
  if (from === to) return false
  const source = await desks.of(from)
  const hasState = source.kept.value.updatedAt !== null || source.kept.value.state.kind !== 'none'
  const hasQueue = (outboxes.peek(from)?.list().length ?? 0) > 0
  if (hasState) await source.exclusive(() => source.kept.change({ ...source.kept.value, movedTo: to }))
  await outboxes.rebind(from, to)
  const target = await desks.of(to)
  await target.exclusive(async (inside) => {
    // The last stop belongs to the old terminal's conversation on screen: it is not looked at again in the new one.
    const coming = { ...source.kept.value, scope: to, lastStop: null, movedTo: null }
    const merged = hasState ? newer(target.kept.value, coming) : target.kept.value
    if (merged !== target.kept.value) await target.kept.change(merged)
    if (inside) await reconcile(target, inside, office, clock, 'drop')
  })
  await desks.remove(from)
  return hasState || hasQueue
}
