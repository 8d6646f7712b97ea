import type { Scope } from '../../../../shared/words.ts'
import type { Alarms } from '../../clock/model/types.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'

/** An outbox has one listener: stopMessage hears everything, alarms only the fate of entries. Each knows its own. */
export function bothListen(first: OutboxListener, alarms: ReturnType<Alarms['listenerOf']>): OutboxListener {
  return {
    ...first,
    async confirmed(entry, late, transaction) {
      await alarms.confirmed(entry, late, transaction)
      await first.confirmed(entry, late, transaction)
    },
    async failed(entry, reason, transaction) {
      await alarms.failed(entry, reason, transaction)
      await first.failed(entry, reason, transaction)
    },
    async ended(entry, transaction) {
      await alarms.ended(entry, transaction)
      await first.ended(entry, transaction)
    },
    async unconfirmed(entry, transaction) {
      await alarms.unconfirmed(entry, transaction)
      await first.unconfirmed(entry, transaction)
    },
  }
}

/** Rebinding: moves everything bound to a terminal to another, the queue before the alarms that wait in it. */
export const movesAll =
  (automation: Pick<StopMessage, 'move'>, alarms: Pick<Alarms, 'move'>) =>
  async (from: Scope, to: Scope): Promise<boolean> => {
    const moved = await automation.move(from, to)
    await alarms.move(from, to)
    return moved
  }
