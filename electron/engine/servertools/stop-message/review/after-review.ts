import type { AfterReview } from '../reducer/apply.ts'
import type { ReviewResult } from './pre-send-review.ts'
import type { Arming } from '../reducer/state.ts'

/** after so many failures in a row reviewers are not asked again until a person has seen it */
export const FAILURES = 3

/** Returns the next state after a review, and the text to send. After a failed review the goal's own words are sent. */
export function afterReview(arming: Arming, { decision }: ReviewResult): { next: AfterReview; text: string } {
  switch (decision.kind) {
    case 'send':
      return { next: { kind: 'send' }, text: decision.text.trim() === '' ? arming.text : decision.text }
    case 'done':
      return { next: { kind: 'done', reason: decision.reason }, text: '' }
    case 'pause':
      return { next: { kind: 'pause', reason: decision.reason }, text: '' }
    case 'failed': {
      const times = arming.progress.failedReviews + 1
      if (times >= FAILURES)
        return { next: { kind: 'pause', reason: { code: 'review-failed', times, why: decision.why } }, text: '' }
      return { next: { kind: 'send' }, text: arming.text }
    }
  }
}
