import { describe, expect, it } from 'vitest'
import type { GoalFacts } from './review.ts'
import { guardsOf } from './guards.ts'

const now = 50_000_000
const hour = 3_600_000
const budgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: 2_000_000, costUsd: 10 }
const goal: GoalFacts = {
  from: { at: now - 2 * hour, used: 30 },
  spent: { tokens: 400_000, costUsd: 1.5 },
  reviewSpent: { tokens: 100_000, costUsd: 0.25 },
  stuck: 3,
  rounds: [],
  roundsAt: 0,
  latest: null,
  checks: null,
}
const message = {
  text: 'x',
  used: 42,
  max: null,
  review: true,
  status: { kind: 'armed' },
  armedAt: now - 9 * hour,
  lastUsedAt: null,
  goal,
} as const

describe('the guards of a run', () => {
  it('count from the last time a person let it go on, and what the reviewer spent is spent too', () => {
    expect(guardsOf(message, budgets, now)).toEqual([
      { budget: 'rounds', limit: 100, used: 12 },
      { budget: 'time', limit: 8, used: 2 },
      { budget: 'no-progress', limit: 5, used: 3 },
      { budget: 'tokens', limit: 2_000_000, used: 500_000 },
      { budget: 'cost', limit: 10, used: 1.75 },
    ])
  })
  it.each<[string, { max: number | null; review: boolean }, string[]]>([
    ['unbounded, reviewed: all', { max: null, review: true }, ['rounds', 'time', 'no-progress', 'tokens', 'cost']],
    ['unbounded, not reviewed: all', { max: null, review: false }, ['rounds', 'time', 'no-progress', 'tokens', 'cost']],
    ['N rounds, reviewed: all but the rounds', { max: 30, review: true }, ['time', 'no-progress', 'tokens', 'cost']],
    ['N rounds, not reviewed: none', { max: 30, review: false }, []],
  ])('%s', (_what, how, expected) => {
    expect(guardsOf({ ...message, ...how }, budgets, now).map(({ budget }) => budget)).toEqual(expected)
  })
  it('that are off are none, and neither is what an older engine does not tell', () => {
    expect(guardsOf(message, { rounds: null, hours: null, noProgressRounds: null }, now)).toEqual([])
    expect(guardsOf(message, undefined, now)).toEqual([])
  })
  it.each<[number | null, number | null, number | null]>([
    [null, null, null],
    [null, 0.25, 0.25],
    [1.5, null, 1.5],
  ])('a cost of %j and %j is %j', (agent, reviewer, used) => {
    const spent = { ...goal, spent: { tokens: 1, costUsd: agent }, reviewSpent: { tokens: 1, costUsd: reviewer } }
    expect(guardsOf({ ...message, goal: spent }, budgets, now).at(-1)).toEqual({ budget: 'cost', limit: 10, used })
  })
  it('a cost of which a part has no price is at least that', () => {
    const spent = {
      ...goal,
      spent: { tokens: 9, costUsd: 1.5, unpricedTokens: 4 },
      reviewSpent: { tokens: 1, costUsd: 1 },
    }
    expect(guardsOf({ ...message, goal: spent }, budgets, now).slice(-2)).toEqual([
      { budget: 'tokens', limit: 2_000_000, used: 10 },
      { budget: 'cost', limit: 10, used: 2.5, atLeast: true },
    ])
  })
  it('count from the arming where nothing else is known, and never below none', () => {
    const { goal: _, ...plain } = message
    expect(guardsOf(plain, budgets, now)).toMatchObject([
      { used: 42 },
      { used: 9 },
      { used: 0 },
      { used: 0 },
      { used: 0 },
    ])
    expect(
      guardsOf({ ...message, used: 3, goal: { ...goal, from: { at: now + hour, used: 30 } } }, budgets, now),
    ).toMatchObject([{ used: 0 }, { used: 0 }, {}, {}, {}])
  })
})
