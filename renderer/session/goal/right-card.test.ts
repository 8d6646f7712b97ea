import { describe, expect, it } from 'vitest'
import { goalFacts, review, stopMessage } from '../../testing/views.ts'
import { hasReview, rightCard } from './right-card.ts'

describe('the card beside the goal', () => {
  it.each([
    [{ attention: true, review: true, followup: 'over', followupWanted: true }, null],
    [{ attention: false, review: true, followup: 'over', followupWanted: false }, 'review'],
    [{ attention: false, review: true, followup: 'over', followupWanted: true }, 'followup'],
    [{ attention: false, review: true, followup: 'held', followupWanted: false }, 'followup'],
    [{ attention: false, review: true, followup: 'held', followupWanted: true }, 'review'],
    [{ attention: false, review: true, followup: null, followupWanted: true }, 'review'],
    [{ attention: false, review: false, followup: 'over', followupWanted: false }, 'followup'],
    [{ attention: false, review: false, followup: 'held', followupWanted: true }, 'followup'],
    [{ attention: false, review: false, followup: null, followupWanted: false }, null],
  ] as const)('%j: %s', (facts, card) => expect(rightCard(facts)).toBe(card))

  it.each([
    ['one runs', stopMessage({ review: true, status: { kind: 'reviewing', since: 0, round: 1 } }), true],
    ['one was done', stopMessage({ review: true, goal: goalFacts({ latest: review() }) }), true],
    ['none was done yet', stopMessage({ review: true, goal: goalFacts() }), false],
    ['it was switched off since', stopMessage({ review: false, goal: goalFacts({ latest: review() }) }), false],
    ['nothing is armed', null, false],
  ])('shows a review where %s', (_, goal, expected) => expect(hasReview({ stopMessage: goal })).toBe(expected))
})
