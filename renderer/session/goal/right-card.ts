/** Which card stands beside the goal. Pure. */
import type { SessionView } from '../../../shared/state.ts'

export type RightCard = 'review' | 'followup' | null

/**
 * What needs a person stands above, alone with the goal.
 *
 * @param followup `held`: it waits now, which says more than a review of the turn before
 * @param followupWanted a person chose to see the other one of review and followup
 */
export function rightCard({
  attention,
  review,
  followup,
  followupWanted,
}: {
  attention: boolean
  review: boolean
  followup: 'held' | 'over' | null
  followupWanted: boolean
}): RightCard {
  if (attention) return null
  if (followup === null) return review ? 'review' : null
  return review && (followup === 'held') === followupWanted ? 'review' : 'followup'
}

/** Review is on, and there is something to show of it. */
export const hasReview = ({ stopMessage }: Pick<SessionView, 'stopMessage'>): boolean =>
  stopMessage !== null &&
  stopMessage.review &&
  (stopMessage.status.kind === 'reviewing' || (stopMessage.goal?.latest ?? null) !== null)
