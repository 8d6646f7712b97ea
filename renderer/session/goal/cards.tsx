import { useEngine } from '../../app-context.ts'
import type { SessionView } from '../../../shared/state.ts'
import { AttentionCard, needsAttention } from './attention-card.tsx'
import { GoalCard } from './goal-card.tsx'
import { latestFollowup } from './latest-followup.ts'
import { RoundCard } from './round-card.tsx'
import { useMemo } from 'react'

/** Keep going on the left; on the right what needs a person, else the latest followup with its receipt. */
export function Cards({ session }: { session: SessionView }) {
  const timeline = useEngine((s) => s.timelines.get(session.id))
  const followup = useMemo(() => latestFollowup(session.queue, timeline?.events ?? []), [session.queue, timeline])
  const attention = needsAttention(session)
  return (
    <div className={`d-cards${attention || followup ? '' : ' single'}`}>
      <GoalCard session={session} />
      {attention ? <AttentionCard session={session} /> : followup && <RoundCard session={session} followup={followup} />}
    </div>
  )
}
