import type { RoundView } from '../../../../shared/review.ts'
import type { TimelineEvent } from '../../../../shared/events.ts'

const MOST = 40

/**
 * The rounds of the last goal as the timeline tells of them: a goal that is over keeps nothing of them itself.
 * `events` oldest first. @returns newest first; what the agent did stands in the turns of the timeline alone
 */
export function pastRounds(events: readonly TimelineEvent[]): RoundView[] {
  let rounds = new Map<number, RoundView>()
  const at = (n: number, when: number): RoundView => rounds.get(n) ?? { n, at: when, did: { calls: 0, tools: [], text: '' }, review: null, sent: null, progress: null }
  for (const { body, at: when } of events) {
    if (body.type === 'armed' && body.by !== 're-arm') rounds = new Map()
    else if (body.type === 'review-done' && body.review.outcome.code !== 'discarded') rounds.set(body.review.round, { ...at(body.review.round, when), review: body.review })
    else if (body.type === 'queued' && body.source === 'stopMessage' && body.round !== null) rounds.set(body.round, { ...at(body.round, when), sent: body.text })
  }
  return Array.from(rounds.values()).sort((a, b) => b.n - a.n).slice(0, MOST)
}
