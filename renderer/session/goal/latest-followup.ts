/** The newest followup of a session, from its queue or, once it has left that, from its events. Pure. */
import type { TimelineEvent } from '../../../shared/events.ts'
import type { OutboxEntryView } from '../../../shared/state.ts'
import { foldFollowup, isFollowupEvent, newFollowup, type Followup } from '../timeline/followup.ts'

export function latestFollowup(queue: readonly OutboxEntryView[], events: readonly TimelineEvent[]): Followup | null {
  const first = queue[0]
  const id = lastEntryId(events)
  if (id === null) return first ? fromEntry(first) : null
  let followup = newFollowup(id)
  for (const event of events) {
    const { body } = event
    if (isFollowupEvent(body) && body.entryId === id) followup = foldFollowup(followup, { ...event, body })
    else if (body.type === 'used' && followup.submittedAt !== null && followup.used === null)
      followup = { ...followup, used: { used: body.used, max: body.max } }
  }
  // The queue is newer than the events of a page that could not be loaded whole.
  const entry = queue.find((e) => e.id === id)
  return entry && followup.queuedAt === null ? fromEntry(entry) : followup
}

/** A followup that was dropped or cancelled before it was typed does not show how the agent was continued. */
function lastEntryId(events: readonly TimelineEvent[]): string | null {
  const gone = new Set<string>()
  for (let i = events.length - 1; i >= 0; i--) {
    const body = events[i]?.body
    if (!body || !isFollowupEvent(body)) continue
    if (body.type === 'superseded' || body.type === 'cancelled' || body.type === 'expired') gone.add(body.entryId)
    else if (!gone.has(body.entryId)) return body.entryId
  }
  return null
}

const fromEntry = (entry: OutboxEntryView): Followup => ({
  ...newFollowup(entry.id),
  source: entry.source,
  round: entry.round,
  text: entry.text,
  queuedAt: entry.createdAt,
  hold: entry.hold,
  typedAt: entry.typedAt,
  submittedAt: entry.submittedAt,
  confirmed:
    entry.confirmedAt === null
      ? null
      : { at: entry.confirmedAt, afterMs: entry.confirmedAt - (entry.submittedAt ?? entry.confirmedAt), late: false },
  end: entry.fail ? { kind: 'failed', reason: entry.fail } : null,
})
