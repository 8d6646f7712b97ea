import type { Scope } from '../../../shared/words.ts'
import type { Alarms } from '../clock/types.ts'
import type { StopMessage } from '../servertools/stop-message/stop-message.ts'
import type { OutboxListener } from '../terminals/outbox/listener.ts'

/** An outbox tells one listener: stopMessage hears everything, alarms what becomes of entries. Each knows its own. */
export function bothListen(first: OutboxListener, alarms: ReturnType<Alarms['listenerOf']>): OutboxListener {
  return {
    ...first,
    async confirmed(entry, late, inside) {
      await alarms.confirmed(entry, late, inside)
      await first.confirmed(entry, late, inside)
    },
    async failed(entry, reason, inside) {
      await alarms.failed(entry, reason, inside)
      await first.failed(entry, reason, inside)
    },
    async ended(entry, inside) {
      await alarms.ended(entry, inside)
      await first.ended(entry, inside)
    },
    async unconfirmed(entry, inside) {
      await alarms.unconfirmed(entry, inside)
      await first.unconfirmed(entry, inside)
    },
  }
}

/** Rebinding: what is bound to a terminal goes to another, the queue before the alarms that wait in it. */
export const movesAll =
  (automation: Pick<StopMessage, 'move'>, alarms: Pick<Alarms, 'move'>) =>
  async (from: Scope, to: Scope): Promise<boolean> => {
    const moved = await automation.move(from, to)
    await alarms.move(from, to)
    return moved
  }
