import type { RoundView } from '../../../../shared/review.ts'
import type { TimelineEvent } from '../../../../shared/events.ts'

const MOST = 40

/**
 * Returns the rounds of the last goal from the timeline, because a goal that is over keeps none of them itself.
 * `events` oldest first. @returns newest first, without stops that led to nothing
 */
export function pastRounds(events: readonly TimelineEvent[]): RoundView[] {
  let rounds = new Map<number, RoundView>()
  const at = (n: number, when: number): RoundView =>
    rounds.get(n) ?? { n, at: when, did: { calls: 0, tools: [], text: '' }, review: null, sent: null, progress: null }
  for (const { body, at: when } of events) {
    if ((body.type === 'armed' && body.by !== 're-arm') || body.type === 'goal-carried-on') rounds = new Map()
    else if (body.type === 'matched' && body.did)
      rounds.set(body.used + 1, { ...at(body.used + 1, when), did: body.did })
    else if (body.type === 'review-done' && body.review.outcome.code !== 'discarded')
      rounds.set(body.review.round, { ...at(body.review.round, when), review: body.review })
    else if (body.type === 'queued' && body.source === 'stopMessage' && body.round !== null)
      rounds.set(body.round, { ...at(body.round, when), sent: body.text })
  }
  return Array.from(rounds.values())
    .filter(({ review, sent }) => review !== null || sent !== null)
    .sort((a, b) => b.n - a.n)
    .slice(0, MOST)
}
