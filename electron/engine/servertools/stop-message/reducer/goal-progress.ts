import { addSpend, addSpent, noneSpent, noSpend, tokensOf, type Spent } from '../../../../../shared/cost/cost.ts'
import type { ReviewView, RoundView } from '../../../../../shared/review.ts'

/** The course of a setting so far: for the reviewer, the guards and the dashboard. */
export interface GoalProgress {
  /** oldest first, the last 40 */
  rounds: readonly RoundView[]
  /** rounds in a row without progress */
  stuck: number
  /** the last stop, which the next one is compared with */
  before: StopMark | null
  /** by the reviewer, since it was set */
  reviewSpent: Spent
  failedReviews: number
}

/** Facts about a stop, kept to compare the next one with. */
export interface StopMark {
  requestId: string
  text: string
  calls: string
  at?: number
}

export const newGoalProgress: GoalProgress = {
  rounds: [],
  stuck: 0,
  before: null,
  reviewSpent: noneSpent,
  failedReviews: 0,
}

const ROUNDS = 40
/** rounds whose reviews are kept in full; of older ones only the gist is kept */
const WHOLE = 3

/** Opens the round that is decided now. A round that was decided before and never sent is replaced by it. */
export function openRound(progress: GoalProgress, { n, at, did }: Pick<RoundView, 'n' | 'at' | 'did'>): GoalProgress {
  const rounds = [
    ...progress.rounds.filter((round) => round.n < n),
    { n, at, did, review: null, sent: null, progress: null },
  ]
  return {
    ...progress,
    rounds: rounds.slice(-ROUNDS).map((round, i, all) => (i < all.length - WHOLE ? aged(round) : round)),
  }
}

export function changeRound(progress: GoalProgress, n: number, change: Partial<RoundView>): GoalProgress {
  return { ...progress, rounds: progress.rounds.map((round) => (round.n === n ? { ...round, ...change } : round)) }
}

/**
 * The agent stopped. `progressed`: whether the round before got anywhere. If asked again at a later stop of the same
 * round (a sub-agent came back), a better answer counts and a worse one does not.
 */
export function stopped(progress: GoalProgress, used: number, mark: StopMark, progressed: boolean): GoalProgress {
  if (progress.before?.requestId === mark.requestId) return progress
  const round = progress.rounds.find(({ n }) => n === used)
  const next = { ...progress, before: mark }
  if (!round || round.progress === true) return next
  if (progressed) return { ...changeRound(next, used, { progress: true }), stuck: 0 }
  return round.progress === false
    ? next
    : { ...changeRound(next, used, { progress: false }), stuck: progress.stuck + 1 }
}

/** A review ended: it is stored with its round, and its cost is counted. */
export function reviewed(progress: GoalProgress, review: ReviewView): GoalProgress {
  const { outcome } = review
  return {
    ...changeRound(progress, review.round, { review }),
    reviewSpent: addSpent(progress.reviewSpent, spentBy(review)),
    failedReviews: outcome.code === 'failed' ? progress.failedReviews + 1 : 0,
  }
}

export const spentBy = (review: ReviewView): Spent => ({
  tokens: tokensOf(review.usage),
  ...addSpend(noSpend, review),
})

export function since(now: Spent, from: Spent | undefined): Spent {
  if (!from) return now
  const more = (of: 'unpricedTokens' | 'worthUsd'): number => Math.max(0, (now[of] ?? 0) - (from[of] ?? 0))
  const [unpricedTokens, worthUsd] = [more('unpricedTokens'), more('worthUsd')]
  return {
    tokens: Math.max(0, now.tokens - from.tokens),
    costUsd: now.costUsd === null ? null : Math.max(0, now.costUsd - (from.costUsd ?? 0)),
    ...(unpricedTokens > 0 ? { unpricedTokens } : {}),
    ...(worthUsd > 0 ? { worthUsd } : {}),
  }
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** limits for the cards of older rounds: counts and characters */
const gist = {
  did: { tools: 4, text: 200 },
  sent: 300,
  evidence: { most: 2, claim: 100, source: 80, result: 100 },
  blockers: { most: 2, text: 120 },
  looks: { most: 4, what: 80, say: 60 },
  checks: { most: 5, words: 8, word: 60, say: 80 },
}

/**
 * The file holds forty of them. A round that is short already stays the same object, so that it is not written again.
 */
function aged(round: RoundView): RoundView {
  if (isShort(round)) return round
  const { review } = round
  const { did, evidence, blockers, looks, checks } = gist
  return {
    ...round,
    did: { ...round.did, tools: round.did.tools.slice(0, did.tools), text: cut(round.did.text, did.text) },
    sent: round.sent === null ? null : cut(round.sent, gist.sent),
    review: review && {
      ...review,
      evidence: review.evidence.slice(0, evidence.most).map(({ claim, source, result }) => ({
        claim: cut(claim, evidence.claim),
        source: cut(source, evidence.source),
        result: cut(result, evidence.result),
      })),
      blockers: review.blockers
        .slice(0, blockers.most)
        .map(({ kind, text }) => ({ kind, text: cut(text, blockers.text) })),
      looks: review.looks
        .slice(0, looks.most)
        .map(({ tool, what, ok, say }) => ({ tool, what: cut(what, looks.what), ok, say: cut(say, looks.say) })),
      checks: review.checks.slice(0, checks.most).map((run) => ({
        ...run,
        argv: run.argv.slice(0, checks.words).map((word) => cut(word, checks.word)),
        say: cut(run.say, checks.say),
      })),
    },
  }
}

function isShort({ did, sent, review }: RoundView): boolean {
  const { evidence, blockers, looks, checks } = gist
  if (did.tools.length > gist.did.tools || did.text.length > gist.did.text || (sent?.length ?? 0) > gist.sent)
    return false
  return (
    review === null ||
    (review.evidence.length <= evidence.most &&
      review.blockers.length <= blockers.most &&
      review.looks.length <= looks.most &&
      review.checks.length <= checks.most &&
      review.evidence.every(
        ({ claim, source, result }) =>
          claim.length <= evidence.claim && source.length <= evidence.source && result.length <= evidence.result,
      ) &&
      review.blockers.every(({ text }) => text.length <= blockers.text) &&
      review.looks.every(({ what, say }) => what.length <= looks.what && say.length <= looks.say) &&
      review.checks.every(
        ({ argv, say }) =>
          argv.length <= checks.words && argv.every((word) => word.length <= checks.word) && say.length <= checks.say,
      ))
  )
}
