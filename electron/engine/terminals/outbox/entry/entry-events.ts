import type { EventBody, HoldReason } from '../../../../../shared/events.ts'
import { isInInbox, type OutboxEntry } from '../entry.ts'
import type { EntryEvent } from './transition.ts'

/** The timeline's events of one transition. None for a hold whose reason did not change. */
export function eventsOf(before: OutboxEntry, after: OutboxEntry, event: EntryEvent): EventBody[] {
  const entryId = after.id
  const typed: EventBody[] =
    before.phase.state === 'typing' && !before.phase.owed && !before.phase.inbox ? [{ type: 'typed', entryId }] : []
  // a late finding about a text that has arrived makes no event
  if (before.phase.state === 'confirmed') return []
  switch (event.type) {
    case 'edit':
      return [{ type: 'edited', entryId, text: after.text, revision: after.revision }]
    case 'send-now':
    case 'begin':
    case 'cut':
      return []
    case 'hold':
      return before.phase.state === 'queued' && sameHold(before.phase.hold, event.reason)
        ? []
        : [{ type: 'held', entryId, reason: event.reason }]
    case 'take-back':
      return [{ type: 'held', entryId, reason: event.reason }]
    case 'owe-enter':
      return [...typed, { type: 'held', entryId, reason: event.reason }]
    case 'remove':
      // no event when a person removed a text that was no longer to be sent
      return before.phase.state === 'queued' || event.by === 'onward'
        ? [{ type: 'text-removed', entryId, by: event.by }]
        : []
    case 'submit':
      return [
        ...typed,
        { type: 'submitted', entryId, extraEnter: event.extraEnter, ...(isInInbox(before) && { inbox: true }) },
      ]
    case 'receipt':
      return after.phase.state === 'confirmed'
        ? [
            {
              type: 'confirmed',
              entryId,
              late: after.phase.late,
              afterMs: Math.max(0, after.phase.confirmedAt - after.phase.submittedAt),
              ...(event.withWords && { withWords: true }),
            },
          ]
        : []
    case 'lose':
      return [{ type: 'unknown', entryId }]
    case 'fail':
      return [{ type: 'failed', entryId, source: after.source, reason: event.reason }]
    case 'cancel':
      return [{ type: 'cancelled', entryId, by: event.by }]
    case 'supersede':
      return [{ type: 'superseded', entryId, by: event.by }]
    case 'expire':
      return [{ type: 'expired', entryId }]
  }
}

/** Hold reasons are flat data; their order of members is ours. */
export function sameHold(a: HoldReason | null, b: HoldReason | null): boolean {
  return a === b || (a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b))
}
