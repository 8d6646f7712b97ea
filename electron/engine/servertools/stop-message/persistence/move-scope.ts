import type { RecordEvent } from '../../../../../shared/events.ts'
import type { Spent } from '../../../../../shared/cost/cost.ts'
import type { Scope } from '../../../../../shared/words.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Random } from '../../../base/ids.ts'
import type { Outboxes } from '../../../terminals/outbox/outboxes.ts'
import { apply, type Applied } from '../reducer/apply.ts'
import type { ScopeStore } from './scope-store.ts'
import type { GoalController } from '../types.ts'
import { reconcile } from './reconcile.ts'
import type { ScopeState } from '../reducer/state.ts'
import { newer } from './sticky-state.ts'

export interface MoveDeps {
  scopeStore: ScopeStore
  controller: GoalController
  outboxes: Outboxes
  clock: Clock
  random: Random
  record: RecordEvent
  totalsOf(sessionId: string | null): Spent | null
}

/**
 * Rebinding: state and queue of a scope go to another one. First it is said on disk, then copied, then the old one is
 * deleted, so that repeating it after a crash anywhere ends in the same. The later setting or clear wins.
 * @returns whether there was anything to move @throws OnwardError `store-failed`; nothing is lost then
 */
export async function moveScope(
  { scopeStore, controller, outboxes, clock, random, record, totalsOf }: MoveDeps,
  from: Scope,
  to: Scope,
): Promise<boolean> {
  if (from === to) return false
  const source = await scopeStore.of(from)
  const hasState = source.kept.value.updatedAt !== null || source.kept.value.state.kind !== 'none'
  const hasQueue = (outboxes.peek(from)?.list().length ?? 0) > 0
  // A review is about the old terminal's stop.
  await source.exclusive(async (transaction) => {
    await controller.commit(source, transaction, { type: 'review-dropped' })
    if (hasState) await source.kept.writeDurable({ ...source.kept.value, movedTo: to })
  })
  await outboxes.rebind(from, to)
  const target = await scopeStore.of(to)
  await target.exclusive(async (transaction) => {
    // The last stop belongs to the old terminal's screen: only one that ended in the new terminal since is decided
    // again.
    const coming = revived(
      { ...source.kept.value, scope: to, lastStop: target.kept.value.lastStop, movedTo: null },
      random,
      totalsOf(source.kept.value.last?.sessionId ?? null),
    )
    const merged = hasState ? newer(target.kept.value, coming.state) : target.kept.value
    if (merged !== target.kept.value) {
      await controller.commit(target, transaction, { type: 'review-dropped' })
      await target.kept.writeDurable(merged)
      for (const body of coming.events) record({ sessionId: merged.last?.sessionId ?? null, scope: to }, body)
    }
    if (!transaction) return
    await reconcile(target, transaction, controller, clock, 'drop')
    if (merged === coming.state) await controller.decideAgain(target, transaction)
  })
  await scopeStore.remove(from)
  return hasState || hasQueue
}

/**
 * A goal that failed only because the terminal or its agent was gone continues where it was, since the client is back.
 * The instant comes from the state, so that a repeated move ends in the same.
 */
function revived(state: ScopeState, random: Random, totals: Spent | null): Applied {
  const { kind } = state.state
  const code = kind === 'failed' ? state.state.reason.code : null
  if (code !== 'terminal-gone' && code !== 'agent-gone') return { state, events: [] }
  return apply(state, {
    type: 'rearm',
    at: (state.updatedAt ?? 0) + 1,
    armId: random.uuid(),
    paused: null,
    more: 0,
    totals,
  })
}
