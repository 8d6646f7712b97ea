import type { EntryUpdate } from '../../terminals/outbox/listener.ts'
import type { ClockEvent } from './apply.ts'

/**
 * The outcome for alarms that were queued for a terminal; null: still on its way. Used both for an event as it happens
 * and for two files that a crash left.
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
      // A person may have sent the text in the agent's input line since.
      if (typedAt !== null) return { type: 'lost', at, by, why: 'unknown' }
      return state === 'cancelled' ? { type: 'cancel', at, taskIds, by } : { type: 'release', at, by }
  }
}
