import type { EntryUpdate, OutboxListener } from '../../terminals/outbox/listener.ts'
import { settleEntry } from './settle.ts'
import { isAlarmEntry } from './to-terminal.ts'
import type { AlarmService } from '../alarm-service.ts'

/**
 * Follows a terminal's outbox for entries that are alarms. Runs inside the outbox's queue, so it makes no calls to the
 * outbox, and later steps are done afterwards.
 */
export function createAlarmListener(
  service: AlarmService,
  deliver: (sessionId: string) => void,
): Pick<OutboxListener, 'confirmed' | 'failed' | 'ended' | 'unconfirmed'> {
  const { missed, alarmEvents, deps } = service
  const settle = async (entry: EntryUpdate): Promise<void> => {
    const { sessionId } = entry
    if (sessionId === null || !isAlarmEntry(entry)) return
    try {
      if (!(await settleEntry(service, sessionId, entry)) && entry.state === 'confirmed')
        await arrivedLate(sessionId, entry.group)
    } catch (error) {
      // The claim stays, and the next delivery does it again.
      if (entry.group !== null) service.unsettled.set(entry.group, entry)
      service.problem(sessionId, error)
    }
    deliver(sessionId)
  }
  /** Given up, and then its receipt arrived after all. */
  const arrivedLate = async (sessionId: string, group: string | null): Promise<void> => {
    const late = missed.list().filter(({ by }) => by !== null && by === group)
    if (late.length === 0) return
    await missed.settle(
      late.map(({ key }) => key),
      'delivered-late',
      service.now(),
    )
    deps.record(
      { sessionId },
      { type: 'alarm-settled', taskIds: late.map(({ task }) => task.taskId), how: 'delivered-late' },
    )
    alarmEvents.ended(
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
