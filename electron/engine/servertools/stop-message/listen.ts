import type { FailReason } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { EntryNews, OutboxListener } from '../../terminals/outbox/listener.ts'
import { isAutomation } from '../../terminals/outbox/entry.ts'
import type { Desk, Desks } from './desks.ts'
import type { Office, StopMessageDeps } from './office.ts'
import { armingOf } from './state.ts'

/**
 * What becomes of followups, as stopMessage sees it. Called inside the outbox's queue, so each of these is done before
 * the next decision of the scope. Followups of other sources touch no state, unless the terminal is gone.
 */
export function createListener(
  scope: Scope,
  desks: Desks,
  office: Office,
  deps: Pick<StopMessageDeps, 'clock' | 'notify' | 'onChange' | 'tellsItself'>,
): OutboxListener {
  const { clock } = deps
  const isOurs = (entry: EntryNews) => entry.source === 'stopMessage'
  /** of an earlier goal, or of the model's own: what is armed now may wait behind it */
  const isOthers = (entry: EntryNews, desk: Desk) =>
    isAutomation(entry) && entry.group !== (armingOf(desk.kept.value.state)?.id ?? null)
  const tellFailure = (entry: EntryNews, reason: FailReason) =>
    deps.notify({ sessionId: entry.sessionId, scope }, { class: 'injection-failed', reason })

  return {
    async submitted(entry, inside) {
      if (isOurs(entry))
        await office.commit(await desks.of(scope), inside, {
          type: 'submitted',
          at: clock.now(),
          entryId: entry.id,
          group: entry.group,
          round: entry.round,
          text: entry.text,
        })
    },
    async confirmed(entry, _late, inside) {
      if (isOurs(entry))
        await office.commit(await desks.of(scope), inside, {
          type: 'confirmed',
          at: clock.now(),
          entryId: entry.id,
          group: entry.group,
        })
    },
    async failed(entry, reason, inside) {
      const desk = await desks.of(scope)
      const at = clock.now()
      const others = isOthers(entry, desk)
      const changed = isOurs(entry)
        ? await office.commit(desk, inside, { type: 'failed', at, entryId: entry.id, group: entry.group, reason })
        : reason.code === 'terminal-gone' && (await office.commit(desk, inside, { type: 'give-up', at, reason }))
      // What changed the state has told of itself.
      if (!changed && !deps.tellsItself?.(entry)) tellFailure(entry, reason)
      if (others) await office.entryEnded(desk, inside)
    },
    async ended(entry, inside) {
      const desk = await desks.of(scope)
      const others = isOthers(entry, desk)
      if (isOurs(entry)) {
        await office.commit(desk, inside, { type: 'ended', entryId: entry.id })
        await office.takeUp(desk, inside)
      }
      if (others) await office.entryEnded(desk, inside)
    },
    async unconfirmed(entry, inside) {
      const desk = await desks.of(scope)
      const others = isOthers(entry, desk)
      if (isOurs(entry)) await office.commit(desk, inside, { type: 'unconfirmed', at: clock.now(), entryId: entry.id })
      else if (!deps.tellsItself?.(entry)) tellFailure(entry, { code: 'unknown-after-crash' })
      if (others) await office.entryEnded(desk, inside)
    },
    heldLong(entry, reason, heldMs) {
      deps.notify({ sessionId: entry.sessionId, scope }, { class: 'held-long', reason, heldMs })
    },
    async mainTurn(turn, inside) {
      await office.begun(await desks.of(scope), inside, turn.byPerson)
    },
    changed: () => deps.onChange(scope),
  }
}
