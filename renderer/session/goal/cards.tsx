import { useMemo } from 'react'
import { useEngine, useUi } from '../../app-context.ts'
import type { SessionView } from '../../../shared/state.ts'
import { ReviewCard } from '../review/review-card.tsx'
import { needsAttention } from './attention-card.tsx'
import { GoalCard } from './goal-card.tsx'
import { latestFollowup } from './latest-followup.ts'
import { RoundCard } from './round-card.tsx'
import { hasReview, rightCard } from './right-card.ts'

/**
 * Keep going, and beside it the followup that is held now, else what the reviewer found, else the latest followup with
 * its receipt.
 */
export function Cards({ session }: { session: SessionView }) {
  const timeline = useEngine((s) => s.timelines.get(session.id))
  const followup = useMemo(() => latestFollowup(session.queue, timeline?.events ?? []), [session.queue, timeline])
  const wanted = useUi((s) => s.followupCards.has(session.id))
  const shown = rightCard({
    attention: needsAttention(session),
    review: hasReview(session),
    followup: followup === null ? null : followup.hold === null ? 'over' : 'held',
    followupWanted: wanted,
  })
  return (
    <div className={`d-cards${shown === null ? ' single' : ''}`}>
      <GoalCard session={session} />
      {shown === 'review' && <ReviewCard session={session} />}
      {shown === 'followup' && followup && <RoundCard session={session} followup={followup} />}
    </div>
  )
}
