import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSpent, type Spent } from '../../../../shared/cost/cost.ts'
import { apply, type StopMessageEvent } from './reducer/apply.ts'
import type { Budgets } from './reducer/budget.ts'
import { since } from './reducer/goal-progress.ts'
import { decideStopMessage } from './reducer/decide.ts'
import type { TurnFacts } from './ended-turn.ts'
import { armingOf, emptyScope, type ScopeState } from './reducer/state.ts'
import { reviewView } from './testing/goal-world.ts'
import { runs, share } from '../../../../shared/testing/runs.ts'

const HOUR = 3_600_000
const ROUNDS_EACH = 2_000

interface Run {
  budgets: Budgets
  max: number | null
  review: boolean
  turnMs: number
  tokens: number
  cost: number
  progressIn: number
  seed: number
}
const run: fc.Arbitrary<Run> = fc.record({
  budgets: fc.record({
    rounds: fc.option(fc.integer({ min: 1, max: 300 })),
    hours: fc.option(fc.double({ min: 0.01, max: 20, noNaN: true })),
    noProgressRounds: fc.option(fc.integer({ min: 1, max: 9 })),
    tokens: fc.option(fc.integer({ min: 1, max: 5_000_000 })),
    costUsd: fc.option(fc.double({ min: 0.01, max: 50, noNaN: true })),
  }),
  max: fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 4 }),
  review: fc.boolean(),
  turnMs: fc.integer({ min: 1, max: 2 * HOUR }),
  tokens: fc.integer({ min: 0, max: 400_000 }),
  cost: fc.double({ min: 0, max: 3, noNaN: true }),
  /** one round in so many gets somewhere */
  progressIn: fc.integer({ min: 1, max: 12 }),
  seed: fc.integer(),
})

const facts: TurnFacts = {
  requestId: 'r',
  sessionId: 's',
  kind: 'turn',
  reentered: false,
  finish: 'stop',
  clientLeft: false,
  registeredClientOnly: false,
  notFinished: null,
  scope: 'tmux:main',
  paused: null,
  terminalGone: null,
  conversation: 's',
  pendingEntryId: null,
  totals: null,
  waitsFor: null,
}

/** `expect` would take most of the time here. */
function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/**
 * Goes through so many rounds of virtual time, lets every pause go on, and holds what was spent against what may be.
 * @returns the rounds that were sent
 */
function play({ budgets, max, review, turnMs, tokens, cost, progressIn, seed }: Run): number {
  let now = 1_000_000
  let totals: Spent = { tokens: 12_345, costUsd: 1.5 }
  let scope: ScopeState = emptyScope('tmux:main')
  const happen = (event: StopMessageEvent) => {
    scope = apply(scope, event).state
  }
  happen({
    type: 'arm',
    at: now,
    armId: 'a',
    paused: null,
    by: 'user',
    sessionId: 's',
    text: 'go on',
    max,
    review,
    totals,
  })
  const guarded = max === null || review
  /** since a person let it go on */
  let from = { at: now, sent: 0, totals, review: { tokens: 0, costUsd: null } as Spent, stuck: 0 }
  let sent = 0
  for (let n = 0; n < ROUNDS_EACH; n++) {
    now += 1 + (((seed + n * 7_919) >>> 0) % turnMs)
    totals = addSpent(totals, { tokens: tokens * (n % 3), costUsd: cost })
    const progressed = (n + seed) % progressIn === 0
    if (n > 0) from.stuck = progressed ? 0 : from.stuck + 1
    happen({ type: 'stopped', mark: { requestId: `r${n}`, text: '', calls: '' }, progressed })
    const arming = armingOf(scope.state)
    if (!arming) throw new Error('nothing is armed')
    const decision = decideStopMessage(scope.state, { ...facts, totals }, now, budgets)
    if (decision.kind === 'skip') {
      if (decision.effect?.type === 'done') return sent
      must(decision.reason.code === 'budget' && decision.effect?.type === 'pause', decision.reason.code)
      happen({
        type: 'budget',
        at: now,
        reason: decision.effect?.type === 'pause' ? decision.effect.reason : { code: 'by-user' },
      })
      happen({ type: 'resume', at: now, totals })
      from = { at: now, sent: 0, totals, review: armingOf(scope.state)?.progress.reviewSpent ?? from.review, stuck: 0 }
    }
    if (guarded) {
      const spent = addSpent(since(totals, from.totals), since(arming.progress.reviewSpent, from.review))
      must(max !== null || from.sent < (budgets.rounds ?? Infinity), 'too many rounds')
      must(now - from.at < (budgets.hours ?? Infinity) * HOUR, 'too long')
      must(from.stuck < (budgets.noProgressRounds ?? Infinity), 'too many without progress')
      must(spent.tokens < (budgets.tokens ?? Infinity), 'too many tokens')
      must((spent.costUsd ?? 0) < (budgets.costUsd ?? Infinity), 'too dear')
    }
    must(max === null || arming.used < max, 'more rounds than were written')
    const round = { n: arming.used + 1, at: now, did: { calls: 0, tools: [], text: '' } }
    if (review) {
      happen({ type: 'review-begun', reviewId: `l${n}`, round })
      happen({
        type: 'review-ended',
        at: now,
        reviewId: `l${n}`,
        review: reviewView({ round: round.n }, { kind: 'send', text: 'on' }),
        next: { kind: 'send' },
        totals,
      })
    }
    happen({ type: 'fire', entryId: `e${n}`, text: 'on', round: review ? null : round })
    happen({ type: 'submitted', at: now, entryId: `e${n}`, group: 'a', round: round.n, text: 'on' })
    happen({ type: 'confirmed', at: now, entryId: `e${n}`, group: 'a' })
    sent++
    from.sent++
    if (scope.state.kind === 'done') return sent
    const after = armingOf(scope.state)
    must(after?.used === sent && after.progress.rounds.length <= 40, 'miscounted')
  }
  return sent
}

describe('100 000 rounds of virtual time', () => {
  it('never go beyond a budget, nor beyond the rounds a person wrote', () => {
    let rounds = 0
    fc.assert(
      fc.property(run, (one) => {
        rounds += play(one)
      }),
      runs(90),
    )
    const still: Run = {
      budgets: { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: null },
      max: null,
      review: true,
      turnMs: 60_000,
      tokens: 1_000,
      cost: 0.01,
      progressIn: 3,
      seed: 1,
    }
    for (let seed = 0; rounds < share(100_000); seed++) rounds += play({ ...still, seed })
    expect(rounds).toBeGreaterThanOrEqual(share(100_000))
  }, 120_000)
})
