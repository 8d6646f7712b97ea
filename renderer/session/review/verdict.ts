/** A review's outcome as a word with its colour. Pure. */
import type { Sentences } from '../../../shared/sentences/index.ts'
import type { ReviewOutcome, ReviewView } from '../../../shared/review.ts'
import type { SessionShape } from '../../../shared/words.ts'

export interface Verdict {
  tone: 'needs' | 'done' | 'failed' | 't3'
  shape: SessionShape
}

export function verdictOf(outcome: ReviewOutcome): Verdict {
  switch (outcome.code) {
    case 'reached':
    case 'reached-unchecked':
      return { tone: 'done', shape: 'done' }
    case 'not-reached':
    case 'checks-failed':
    case 'checks-unapproved':
    case 'needs-user':
      return { tone: 'needs', shape: 'needs' }
    case 'failed':
      return { tone: 'failed', shape: 'failed' }
    case 'discarded':
      return { tone: 't3', shape: 'gone' }
  }
}

/** The text beside that word: all of the findings. */
export function reviewText({ outcome, say }: ReviewView, s: Pick<Sentences, 'reviewOutcome'>): string {
  switch (outcome.code) {
    case 'failed':
      return outcome.why
    case 'needs-user':
      return outcome.text
    case 'checks-failed':
    case 'checks-unapproved':
      return say === ''
        ? s.reviewOutcome(outcome)
        : `${s.reviewOutcome(outcome)}${/\p{Script=Han}/u.test(s.reviewOutcome(outcome)) ? '。' : '. '}${say}`
    default:
      return say === '' ? s.reviewOutcome(outcome) : say
  }
}
