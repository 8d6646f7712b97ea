import type { Clock } from '../../../base/clock.ts'
import type { EntryUpdate, OutboxTransaction } from '../../../terminals/outbox/listener.ts'
import type { ScopeEntry } from './scope-store.ts'
import type { GoalController } from '../types.ts'
import { armingOf, type ScopeState } from '../reducer/state.ts'

/**
 * A followup is recorded in two files, and a crash may have come between their writes. The state says first that one is
 * queued: without its entry there is none. After that the outbox is written first and is right, unless the disk refused
 * just that write: if either file says that it was submitted, it was. `unknown`: whether an entry of unknown fate is
 * still worth waiting for (it is not after a move).
 */
export async function reconcile(
  scopeEntry: ScopeEntry,
  transaction: OutboxTransaction,
  controller: GoalController,
  clock: Clock,
  unknown: 'await' | 'drop',
): Promise<void> {
  const at = clock.now()
  const arming = armingOf(scopeEntry.kept.value.state)
  if (arming) {
    for (const entryId of arming.counted) await transaction.submittedBefore(entryId, arming.lastUsedAt ?? at)
    const ours = transaction.entries().filter((e) => e.source === 'stopMessage' && e.group === arming.id)
    // used = max(used, rounds of submitted entries), entry by entry: none is counted twice
    for (const entry of ours) {
      if (entry.submittedAt !== null)
        await controller.commit(scopeEntry, transaction, {
          type: 'submitted',
          at: entry.submittedAt,
          entryId: entry.id,
          group: entry.group,
          round: entry.round,
          text: entry.text,
        })
    }
    await followEntry(scopeEntry, transaction, controller, ours, at, unknown)
    const pending = transaction.pendingAutomation()
    if (scopeEntry.kept.value.state.kind === 'armed' && pending?.group === arming.id)
      await controller.commit(scopeEntry, transaction, {
        type: 'fire',
        entryId: pending.id,
        text: pending.text,
        round: null,
      })
    if (pending?.source === 'stopMessage' && pending.group !== arming.id) await transaction.supersede('re-arm')
  } else if (transaction.pendingAutomation()?.source === 'stopMessage') await transaction.supersede('clear')
  await agreeOnPause(scopeEntry, transaction, controller, at)
}

/**
 * The agent stopped, and Onward ended before a followup was queued, or while the stop waited for work in the
 * background: since then there was no followup of this round, not even one that was taken back. One from before was for
 * an earlier stop, and got lost.
 */
export function isUnanswered({ state, lastStop, background }: ScopeState, entries: readonly EntryUpdate[]): boolean {
  if (state.kind !== 'armed' || !lastStop) return false
  const { id, used, progress } = state.arming
  return (
    (progress.before?.requestId === `${lastStop.requestId}#${used}` ||
      background.some(({ sessionId }) => sessionId === lastStop.sessionId)) &&
    !entries.some(
      ({ group, round, createdAt }) =>
        group === id && round === used + 1 && createdAt >= (progress.before?.at ?? -Infinity),
    )
  )
}

/** The followup that the state waits for, or was paused for, may have ended unseen. */
async function followEntry(
  scopeEntry: ScopeEntry,
  transaction: OutboxTransaction,
  controller: GoalController,
  ours: readonly EntryUpdate[],
  at: number,
  unknown: 'await' | 'drop',
): Promise<void> {
  const { state } = scopeEntry.kept.value
  const entryId = state.kind === 'injecting' || state.kind === 'paused' ? state.entryId : null
  if (entryId === null) return
  const entry = ours.find((e) => e.id === entryId)
  if (!entry) return void (await controller.commit(scopeEntry, transaction, { type: 'ended', entryId }))
  switch (entry.state) {
    case 'confirmed':
      return void (await controller.commit(scopeEntry, transaction, {
        type: 'confirmed',
        at,
        entryId,
        group: entry.group,
      }))
    case 'failed':
      if (entry.fail)
        await controller.commit(scopeEntry, transaction, {
          type: 'failed',
          at,
          entryId,
          group: entry.group,
          reason: entry.fail,
        })
      return
    case 'unknown':
      if (unknown === 'drop') await controller.commit(scopeEntry, transaction, { type: 'ended', entryId })
      return
    case 'cancelled':
    case 'superseded':
    case 'expired':
      return void (await controller.commit(scopeEntry, transaction, { type: 'ended', entryId }))
    default:
  }
}

/** In doubt it is paused: a click continues it, but an unwanted followup can't be taken back. */
async function agreeOnPause(
  scopeEntry: ScopeEntry,
  transaction: OutboxTransaction,
  controller: GoalController,
  at: number,
): Promise<void> {
  const { state } = scopeEntry.kept.value
  const paused = transaction.paused()
  if (state.kind === 'paused' && !paused) await transaction.pause(state.reason)
  if (state.kind !== 'paused' && paused)
    await controller.commit(scopeEntry, transaction, { type: 'pause', at, reason: paused, totals: null })
}
