import type { EntryNews, OutboxListener } from '../terminals/outbox/listener.ts'
import { settleEntry } from './settle.ts'
import { isAlarmEntry } from './to-terminal.ts'
import type { Office } from './office.ts'

/**
 * What becomes of alarms in a terminal, as its outbox tells it. Runs inside the outbox's queue, so it asks nothing of
 * the outbox, and what follows is done later.
 */
export function createAlarmListener(
  office: Office,
  look: (sessionId: string) => void,
): Pick<OutboxListener, 'confirmed' | 'failed' | 'ended' | 'unconfirmed'> {
  const { missed, news, deps } = office
  const settle = async (entry: EntryNews): Promise<void> => {
    const { sessionId } = entry
    if (sessionId === null || !isAlarmEntry(entry)) return
    try {
      if (!(await settleEntry(office, sessionId, entry)) && entry.state === 'confirmed')
        await arrivedLate(sessionId, entry.group)
    } catch (error) {
      // The claim stands, and the next look does it again.
      if (entry.group !== null) office.unsettled.set(entry.group, entry)
      office.problem(sessionId, error)
    }
    look(sessionId)
  }
  /** Given up, and then its receipt came after all. */
  const arrivedLate = async (sessionId: string, group: string | null): Promise<void> => {
    const late = missed.list().filter(({ by }) => by !== null && by === group)
    if (late.length === 0) return
    await missed.settle(
      late.map(({ key }) => key),
      'delivered-late',
      office.now(),
    )
    deps.record(
      { sessionId },
      { type: 'alarm-settled', taskIds: late.map(({ task }) => task.taskId), how: 'delivered-late' },
    )
    news.ended(
      late.map(({ task }) => task),
      { kind: 'delivered', route: 'terminal', late: true },
    )
    deps.onChange(sessionId)
  }
  return {
    confirmed: (entry) => settle(entry),
    failed: (entry) => settle(entry),
    ended: (entry) => settle(entry),
    unconfirmed: (entry) => settle(entry),
  }
}
