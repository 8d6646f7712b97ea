import { describe, expect, it } from 'vitest'
import { sampleSession, sceneTime } from '../../engine/control/testing/fake-control-api.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import { sampleCheck, sampleReview, sampleRound } from '../testing/sample-goal.ts'
import type { Outcome } from './outcome.ts'
import { summaryOf, summaryShape, type Facts } from './summary.ts'

const usage = (input: number, output: number) => ({ input, cachedInput: 0, output, reasoning: 0 })
const facts = (more: Partial<Facts> = {}): Facts => ({
  outcome: { code: 'done', reason: { code: 'goal-reached', checks: 1 }, review: true },
  client: 'claude',
  folder: '/work',
  startedAt: sceneTime,
  endedAt: sceneTime + 61_499,
  last: { exitCode: 0, signal: null },
  session: sampleSession({ id: 's-1', usage: usage(900, 90), costUsd: 0.5 }),
  called: true,
  before: null,
  rounds: [],
  checks: [],
  ...more,
})
const summary = (more: Partial<Facts> = {}) => summaryShape.strict().parse(summaryOf(facts(more), sentencesOf('en')))

describe('the summary of a job', () => {
  it('has what the job cost, and not what its conversation had cost before', () => {
    expect(summary().usage).toEqual({ ...usage(900, 90), costUsd: 0.5 })
    const before = { usage: usage(400, 40), costUsd: 0.2, worthUsd: 1 }
    const session = sampleSession({ usage: usage(900, 90), costUsd: 0.5, worthUsd: 4, unpricedTokens: 7 })
    expect(summary({ before, session }).usage).toEqual({
      ...usage(500, 50),
      costUsd: 0.3,
      worthUsd: 3,
      unpricedTokens: 7,
    })
    expect(summary({ session: sampleSession({ costUsd: null }) }).usage.costUsd).toBeNull()
  })

  it('counts the reviewer apart, over all rounds, oldest first', () => {
    const rounds = [3, 2, 1].map((n) =>
      sampleRound({ n, review: sampleReview({ usage: usage(10, n), costUsd: 0.25 }) }),
    )
    const { rounds: told, reviewer } = summary({
      rounds: [...rounds, sampleRound({ n: 0, review: null, sent: 'Go on.' })],
    })
    expect(reviewer).toEqual({ ...usage(30, 6), costUsd: 0.75 })
    expect(told.map(({ round, review, sent }) => [round, review, sent])).toEqual([
      [0, null, 'Go on.'],
      ...[1, 2, 3].map((n) => [n, 'checks-failed', rounds[0]?.sent]),
    ])
  })

  it('has checks that never ran, and whether that is because nobody let them', () => {
    const checks = [sampleCheck(), sampleCheck({ last: null }), sampleCheck({ last: null, approval: 'not-approved' })]
    expect(summary({ checks }).checks.map(({ outcome, say }) => [outcome, say])).toEqual([
      ['failed', '2 of 214 fail'],
      ['not-run', 'It did not run.'],
      ['not-run', 'Nobody approved it.'],
    ])
  })

  it('is whole where no engine could be asked any more', () => {
    const {
      usage: spent,
      goal,
      agent,
      ...rest
    } = summary({
      outcome: { code: 'engine-lost' },
      session: null,
      called: false,
      last: null,
    })
    expect({ spent, goal, agent, ...rest }).toMatchObject({
      exitCode: 13,
      outcome: 'engine-lost',
      seconds: 61.499,
      goal: null,
      spent: { input: 0, costUsd: null },
      agent: { session: null, exitCode: null, signal: null },
    })
  })

  it.each<[Outcome, string, RegExp]>([
    [{ code: 'nothing-more' }, 'nothing-more', /nothing is set/],
    [{ code: 'agent-ended' }, 'agent-ended', /before it had finished its turn/],
    [{ code: 'no-calls' }, 'no-calls', /none of its calls/],
    [{ code: 'paused', reason: { code: 'needs-user', text: 'Which colour?' } }, 'needs-user', /Which colour\?/],
    [{ code: 'held', reason: { code: 'paused', by: 'global' } }, 'paused', /./],
    [{ code: 'failed', reason: { code: 'agent-gone' } }, 'agent-gone', /./],
    [{ code: 'marker-held', why: 'in-paste' }, 'marker-held', /--goal/],
    [{ code: 'marker-refused', message: 'no such word' }, 'marker-refused', /no such word/],
    [{ code: 'turn-failed', provider: 'zai', status: 400, message: 'no model' }, 'turn-failed', /400: no model/],
    [{ code: 'limited', provider: 'zai', lifts: null }, 'limited', /limit of zai/],
    [{ code: 'not-received' }, 'not-received', /./],
    [{ code: 'told', signal: 'SIGTERM' }, 'told', /SIGTERM/],
  ])('%j has a word for programs, and a sentence', (outcome, word, sentence) => {
    const told = summary({ outcome })
    expect(told.outcome).toBe(word)
    expect(told.reason).toMatch(sentence)
  })
})
