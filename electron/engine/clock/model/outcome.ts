import type { EntryUpdate } from '../../terminals/outbox/listener.ts'
import type { ClockEvent } from './apply.ts'

/**
 * What became of alarms that were queued for a terminal; null: it is still on its way. Reads both an event as it
 * happens and what a crash left in two files.
 */
export function outcomeOf(
  { state, typedAt, group }: EntryUpdate,
  taskIds: readonly string[],
  at: number,
): ClockEvent | null {
  const by = group ?? ''
  switch (state) {
    case 'queued':
    case 'typing':
    case 'submitted':
      return null
    case 'confirmed':
      return { type: 'commit', at, by }
    case 'failed':
      return { type: 'lost', at, by, why: 'failed' }
    case 'unknown':
      return { type: 'lost', at, by, why: 'unknown' }
    case 'cancelled':
    case 'superseded':
    case 'expired':
      // What stood in the agent's input line may have been sent by a person since.
      if (typedAt !== null) return { type: 'lost', at, by, why: 'unknown' }
      return state === 'cancelled' ? { type: 'cancel', at, taskIds, by } : { type: 'release', at, by }
  }
}
