import type { FailReason } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { EntryUpdate, OutboxListener } from '../../terminals/outbox/listener.ts'
import { isAutomation } from '../../terminals/outbox/entry.ts'
import type { ScopeEntry, ScopeStore } from './persistence/scope-store.ts'
import type { GoalController } from './types.ts'
import type { StopMessageDeps } from './deps.ts'
import { armingOf } from './reducer/state.ts'

/**
 * Follows followups for stopMessage. Called inside the outbox's queue, so each call is done before the next decision of
 * the scope. Followups of other sources change no state, unless the terminal is gone.
 */
export function createListener(
  scope: Scope,
  scopeStore: ScopeStore,
  controller: GoalController,
  deps: Pick<StopMessageDeps, 'clock' | 'notify' | 'onChange' | 'tellsItself'>,
): OutboxListener {
  const { clock } = deps
  const isOurs = (entry: EntryUpdate) => entry.source === 'stopMessage'
  /** of an earlier goal, or of the model's own: the armed goal may wait for its end */
  const isOthers = (entry: EntryUpdate, scopeEntry: ScopeEntry) =>
    isAutomation(entry) && entry.group !== (armingOf(scopeEntry.kept.value.state)?.id ?? null)
  const tellFailure = (entry: EntryUpdate, reason: FailReason) =>
    deps.notify({ sessionId: entry.sessionId, scope }, { class: 'injection-failed', reason })

  return {
    async submitted(entry, transaction) {
      if (isOurs(entry))
        await controller.commit(await scopeStore.of(scope), transaction, {
          type: 'submitted',
          at: clock.now(),
          entryId: entry.id,
          group: entry.group,
          round: entry.round,
          text: entry.text,
        })
    },
    async confirmed(entry, _late, transaction) {
      if (isOurs(entry))
        await controller.commit(await scopeStore.of(scope), transaction, {
          type: 'confirmed',
          at: clock.now(),
          entryId: entry.id,
          group: entry.group,
        })
    },
    async failed(entry, reason, transaction) {
      const scopeEntry = await scopeStore.of(scope)
      const at = clock.now()
      const others = isOthers(entry, scopeEntry)
      const changed = isOurs(entry)
        ? await controller.commit(scopeEntry, transaction, {
            type: 'failed',
            at,
            entryId: entry.id,
            group: entry.group,
            reason,
          })
        : reason.code === 'terminal-gone' &&
          (await controller.commit(scopeEntry, transaction, { type: 'give-up', at, reason }))
      // Whatever changed the state has recorded its own event.
      if (!changed && !deps.tellsItself?.(entry)) tellFailure(entry, reason)
      if (others) await controller.entryEnded(scopeEntry, transaction)
    },
    async ended(entry, transaction) {
      const scopeEntry = await scopeStore.of(scope)
      // A person who cancels the goal's own followup has also answered the stop after it.
      const unanswered = isOthers(entry, scopeEntry) || (isOurs(entry) && entry.state !== 'cancelled')
      if (isOurs(entry)) {
        await controller.commit(scopeEntry, transaction, { type: 'ended', entryId: entry.id })
        await controller.takeUp(scopeEntry, transaction)
      }
      if (unanswered) await controller.entryEnded(scopeEntry, transaction)
    },
    async unconfirmed(entry, transaction) {
      const scopeEntry = await scopeStore.of(scope)
      const others = isOthers(entry, scopeEntry)
      if (isOurs(entry))
        await controller.commit(scopeEntry, transaction, { type: 'unconfirmed', at: clock.now(), entryId: entry.id })
      else if (!deps.tellsItself?.(entry)) tellFailure(entry, { code: 'unknown-after-crash' })
      if (others) await controller.entryEnded(scopeEntry, transaction)
    },
    heldLong(entry, reason, heldMs) {
      deps.notify({ sessionId: entry.sessionId, scope }, { class: 'held-long', reason, heldMs })
    },
    async mainTurn(turn, transaction) {
      await controller.begun(await scopeStore.of(scope), transaction, turn.byPerson)
    },
    changed: () => deps.onChange(scope),
  }
}
