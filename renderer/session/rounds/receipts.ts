/** Followups of a timeline by the round they were sent for: a round's receipt, where it is loaded. Pure. */
import type { TimelineEvent } from '../../../shared/events.ts'
import { foldFollowup, isFollowupEvent, newFollowup, type Followup } from '../timeline/followup.ts'

export function receiptsOf(events: readonly TimelineEvent[]): ReadonlyMap<number, Followup> {
  const followups = new Map<string, Followup>()
  for (const event of events) {
    const { body } = event
    if (isFollowupEvent(body))
      followups.set(
        body.entryId,
        foldFollowup(followups.get(body.entryId) ?? newFollowup(body.entryId), { ...event, body }),
      )
  }
  const byRound = new Map<number, Followup>()
  // A goal that was armed anew counts from 1 again: the newest of a number is meant.
  for (const followup of followups.values())
    if (followup.source === 'stopMessage' && followup.round !== null) byRound.set(followup.round, followup)
  return byRound
}
