import type { DoneReason } from '../../../../../shared/events.ts'
import type { Spent } from '../../../../../shared/cost/cost.ts'
import type { FolderChecks, ReviewView } from '../../../../../shared/review.ts'
import type { Language, Scope } from '../../../../../shared/words.ts'
import type { Clock } from '../../../base/clock.ts'
import { messageOf } from '../../../base/errors.ts'
import { defaultStopMessageText } from '../../../markers/goals/default-text.ts'
import type { Checks } from '../../../workspace/checks/types.ts'
import type { Review, ReviewDecision } from '../../review/types.ts'
import type { BeadsState } from '../beads/bead-activity.ts'
import type { Arming } from '../reducer/state.ts'
import type { TurnExcerpt } from '../turn-excerpt.ts'

/** The sources of goal mode besides the conversation. */
export interface GoalDeps {
  /** where the agent of a scope works, as its launcher or its process says, never from request text; null: not known */
  folderOf(scope: Scope): string | null
  /** what a session has used so far; null: not known */
  totalsOf(sessionId: string | null): Spent | null
  /** true if anything in the folder changed since an instant */
  changedSince(folder: string, at: number, signal: AbortSignal): Promise<boolean>
  beads: {
    has(folder: string): Promise<boolean>
    ask(folder: string, turn: TurnExcerpt | null, signal: AbortSignal): Promise<BeadsState>
  }
  checks: Pick<Checks, 'of' | 'peek'>
  review: Review
  backend(): ReviewView['backend']
}

/** One review before a round’s followup. */
export interface ReviewRequest {
  reviewId: string
  round: number
  sessionId: string | null
  folder: string | null
  arming: Arming
  turn: TurnExcerpt | null
  language: Language
}

export interface ReviewResult {
  decision: ReviewDecision | { kind: 'done'; reason: DoneReason }
  /** null: no reviewer was asked */
  view: ReviewView | null
}

/** Asks the folder's beads and the reviewer before a followup is sent; slow, and so never inside a scope's queue. */
export interface PreSendReview {
  /** true if anything must be asked at all */
  isNeeded(arming: Arming, folder: string | null): Promise<boolean>
  /** Never rejects. null: Onward ends; the review begins anew at its next start */
  run(order: ReviewRequest): Promise<ReviewResult | null>
  /** its result is not waited for any more */
  stop(reviewId: string): void
  dispose(): void
}

export function createPreSendReview(
  deps: Pick<GoalDeps, 'beads' | 'checks' | 'review' | 'backend'>,
  clock: Pick<Clock, 'now'>,
): PreSendReview {
  const running = new Map<string, AbortController>()
  let over = false

  const ask = async (
    { round, sessionId, folder, arming, turn, language }: ReviewRequest,
    signal: AbortSignal,
  ): Promise<ReviewResult> => {
    const { text, review, used, max, progress } = arming
    const beads = folder !== null && (await deps.beads.has(folder)) ? await deps.beads.ask(folder, turn, signal) : null
    // A goal of one's own may want more than the beads do: then they only inform the reviewer.
    if (beads?.kind === 'finished' && (!review || isDefault(text)))
      return { decision: { kind: 'done', reason: { code: 'no-open-work' } }, view: null }
    if (!review) return { decision: { kind: 'send', text }, view: null }
    const { checks, problem }: FolderChecks =
      folder === null ? { folder, checks: [], problem: null } : await deps.checks.of(folder)
    return deps.review(
      {
        sessionId,
        folder,
        goal: text,
        round,
        used,
        max,
        turn,
        recent: progress.rounds.filter(({ n }) => n < round),
        checks,
        checksProblem: problem,
        beads: beadsLine(beads),
        language,
        failedBefore: progress.failedReviews,
      },
      signal,
    )
  }

  /** The reviewer's input could not be read: that counts as a failed review, and is reported as one. */
  const notAsked = ({ round, arming }: ReviewRequest, why: string): ReviewView => ({
    round,
    at: clock.now(),
    ms: 0,
    by: '',
    backend: deps.backend(),
    outcome: { code: 'failed', why, inARow: arming.progress.failedReviews + 1 },
    say: '',
    evidence: [],
    blockers: [],
    looks: [],
    checks: [],
    usage: null,
    costUsd: null,
  })

  return {
    isNeeded: async (arming, folder) => arming.review || (folder !== null && (await deps.beads.has(folder))),
    async run(order) {
      if (over) return null
      const abort = new AbortController()
      running.set(order.reviewId, abort)
      try {
        const result = await ask(order, abort.signal)
        return over ? null : result
      } catch (error) {
        const why = messageOf(error)
        return over
          ? null
          : { decision: { kind: 'failed', why }, view: order.arming.review ? notAsked(order, why) : null }
      } finally {
        running.delete(order.reviewId)
      }
    },
    stop: (reviewId) => running.get(reviewId)?.abort(),
    dispose() {
      over = true
      for (const abort of running.values()) abort.abort()
    },
  }
}

const isDefault = (text: string): boolean =>
  text === defaultStopMessageText('en') || text === defaultStopMessageText('zh-CN')

function beadsLine(beads: BeadsState | null): string | null {
  switch (beads?.kind) {
    case 'open':
      return beads.say
    case 'finished':
      return 'no open work'
    default:
      return null
  }
}
