/** Which card stands beside the goal. Pure. */
import type { SessionView } from '../../../shared/state.ts'

export type RightCard = 'attention' | 'review' | 'followup' | null

/** @param followupWanted a person chose to see it in the place of its review */
export function rightCard({
  attention,
  review,
  followup,
  followupWanted,
}: {
  attention: boolean
  review: boolean
  followup: boolean
  followupWanted: boolean
}): RightCard {
  if (attention) return 'attention'
  if (review && !(followup && followupWanted)) return 'review'
  return followup ? 'followup' : null
}

/** Review is on, and there is something to show of it. */
export const hasReview = ({ stopMessage }: Pick<SessionView, 'stopMessage'>): boolean =>
  stopMessage !== null &&
  stopMessage.review &&
  (stopMessage.status.kind === 'reviewing' || (stopMessage.goal?.latest ?? null) !== null)
