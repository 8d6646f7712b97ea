import type { Clock } from '../../../base/clock.ts'
import type { OutboxEntry } from '../entry.ts'
import type { OutboxTransaction, OutboxListener } from '../listener.ts'
import type { Sender } from '../send/sender.ts'
import { createQuietWait, type QuietWait } from '../send/quiet-wait.ts'
import { entryUpdate, type Writer } from '../writer.ts'

export interface ReceiptsDeps {
  clock: Clock
  receiptMs(): number
  listener: Pick<OutboxListener, 'unconfirmed'>
  writer(): Writer
  sender(): Sender
  transaction(): OutboxTransaction
}

/**
 * Handles missing receipts: a submitted entry has failed; an unknown one stays unknown, and a person is asked.
 * `watchAll` is called after every change.
 */
export function awaitReceipts(deps: ReceiptsDeps): QuietWait & { watchAll(): void } {
  const { clock } = deps
  const startedAt = clock.now()
  const announced = new Set<string>()

  /** Only the last typed entry is worth a question, and one lost in an earlier run was announced then. */
  const worthTelling = (entry: OutboxEntry, last: OutboxEntry | undefined): boolean =>
    entry.phase.state === 'unknown' &&
    entry === last &&
    !announced.has(entry.id) &&
    (entry.phase.at >= startedAt || entry.source === 'stopMessage')

  const overdue = async (id: string) => {
    const entry = deps.writer().find(id)
    if (entry?.phase.state === 'submitted') {
      await deps
        .writer()
        .commit('best-effort', (draft) =>
          draft.apply(id, { type: 'fail', at: clock.now(), reason: { code: 'not-received' } }),
        )
    } else if (entry?.phase.state === 'unknown') {
      announced.add(id)
      await deps.writer().tell(() => deps.listener.unconfirmed(entryUpdate(entry), deps.transaction()))
    }
    deps.sender().check()
  }
  const quiet = createQuietWait(clock, deps.receiptMs, (id) => {
    void deps.writer().queue(() => overdue(id))
  })
  return {
    ...quiet,
    watchAll() {
      const { entries } = deps.writer().state
      const last = entries.findLast((e) => e.phase.state !== 'queued')
      for (const entry of entries) {
        if (entry.phase.state === 'submitted' || worthTelling(entry, last)) quiet.watch(entry.id)
        else quiet.unwatch(entry.id)
      }
    },
  }
}
