import type { CheckRun, ReviewOutcome, ReviewView } from '../../review.ts'
import { excerpt } from '../excerpt.ts'
import { listed } from './reasons.ts'

/** “Not done yet. Two refund tests fail” */
export function reviewed({ outcome, say }: ReviewView): string {
  const said =
    say === '' || outcome.code === 'discarded' || outcome.code === 'failed' || outcome.code === 'needs-user'
      ? ''
      : `. ${excerpt(say)}`
  return `${reviewOutcome(outcome)}${said}`
}

export function reviewOutcome(outcome: ReviewOutcome): string {
  switch (outcome.code) {
    case 'not-reached':
      return 'Not done yet'
    case 'reached':
      return outcome.checks === 1
        ? 'Goal reached, its check passes'
        : `Goal reached, ${outcome.checks} of ${outcome.checks} checks pass`
    case 'reached-unchecked':
      return 'Goal reached, unchecked'
    case 'checks-failed':
      return `Not done: ${listed(outcome.names)} ${outcome.names.length === 1 ? 'fails' : 'fail'}`
    case 'checks-unapproved':
      return `Seems done, but ${listed(outcome.names)} may not run yet`
    case 'needs-user':
      return `Needs you: ${excerpt(outcome.text)}`
    case 'failed':
      return `Failed: ${excerpt(outcome.why)}`
    case 'discarded':
      return 'Its word came too late and counts for nothing'
  }
}

export function checkRan({ name, outcome, say }: Pick<CheckRun, 'name' | 'outcome' | 'say'>): string {
  return `Check ${name} ${checkOutcome(outcome)}${say === '' ? '' : `: ${excerpt(say)}`}`
}

/** what a check did, as the rest of a sentence */
const checkOutcomeWords: Readonly<Record<CheckRun['outcome'], string>> = {
  passed: 'passes',
  failed: 'fails',
  'timed-out': 'took too long',
  'not-started': 'did not start',
  stopped: 'was stopped',
}
export const checkOutcome = (outcome: CheckRun['outcome']): string => checkOutcomeWords[outcome]
