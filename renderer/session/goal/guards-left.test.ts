import { describe, expect, it } from 'vitest'
import { goalFacts, stopMessage } from '../../testing/views.ts'
import { guardsOf } from './guards-left.ts'

const HOUR = 3_600_000
const budgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: 2_000_000, costUsd: 5 }
const kinds = (goal: Parameters<typeof stopMessage>[0], over: Partial<typeof budgets> | { tokens: null } = {}) => guardsOf(stopMessage(goal), { ...budgets, ...over }).map(({ kind }) => kind)

describe('guards of a goal', () => {
  it.each([
    [{ max: 10, review: false }, []],
    [{ max: null, review: false }, ['hours', 'rounds', 'no-progress', 'tokens', 'cost']],
    [{ max: 10, review: true }, ['hours', 'no-progress', 'tokens', 'cost']],
    [{ max: null, review: true }, ['hours', 'rounds', 'no-progress', 'tokens', 'cost']],
  ] as const)('%j: %j', (goal, expected) => expect(kinds(goal)).toEqual(expected))

  it('are those that are set', () => {
    expect(guardsOf(stopMessage(), { rounds: null, hours: null, noProgressRounds: null })).toEqual([])
    expect(guardsOf(stopMessage(), undefined)).toEqual([])
    expect(kinds({}, { tokens: null })).toEqual(['hours', 'rounds', 'no-progress', 'cost'])
  })

  it('say what is left since a person last let it go on, and never less than nothing', () => {
    const goal = goalFacts({ from: { at: HOUR, used: 40 }, spent: { tokens: 1_500_000, costUsd: 6 }, stuck: 2 })
    expect(guardsOf(stopMessage({ used: 47, goal }), budgets)).toEqual([
      { kind: 'hours', limit: 8, until: 9 * HOUR }, { kind: 'rounds', limit: 100, left: 93 }, { kind: 'no-progress', limit: 5, stuck: 2 }, { kind: 'tokens', limit: 2_000_000, left: 500_000 }, { kind: 'cost', limit: 5, left: 0 },
    ])
  })

  it('count from the beginning where an engine does not say more', () => {
    expect(guardsOf(stopMessage({ used: 3, armedAt: 7 }), { rounds: 10, hours: 1, noProgressRounds: null })).toEqual([{ kind: 'hours', limit: 1, until: 7 + HOUR }, { kind: 'rounds', limit: 10, left: 7 }])
  })
})
