import { describe, expect, it } from 'vitest'
import { pricedSpendOf, type Costing, type Spend } from '../cost/cost.ts'
import { sentencesOf } from './index.ts'

const usage = { input: 10, cachedInput: 0, output: 5, reasoning: 0 }

describe('what was paid, in words', () => {
  it.each<[Partial<Costing>, string | null]>([
    [{ costUsd: 1.32, price: { from: 'list', taken: '2026-10-24' } }, '$1.32, list price of 2026-10-24'],
    [{ costUsd: 1.32, price: { from: 'config' } }, '$1.32, your price'],
    [{ costUsd: 1.32 }, '$1.32'],
    [{ price: { from: 'plan', worth: null } }, 'paid by a subscription'],
    [
      { price: { from: 'plan', worth: { usd: 2, taken: '2026-10-24' } } },
      'paid by a subscription, worth $2.00 at list price of 2026-10-24',
    ],
    [{ price: { from: 'local' } }, 'on this machine, free'],
    [{}, 'no price known'],
    [{ usage: null }, null],
    [{ kind: 'count' }, null],
  ])('%j: %s', (more, said) => {
    expect(sentencesOf('en').paid({ kind: 'turn', usage, costUsd: null, ...more })).toBe(said)
    expect(sentencesOf('zh-CN').paid({ kind: 'turn', usage, costUsd: null, ...more }) === null).toBe(said === null)
  })

  it.each<[Spend, string | null]>([
    [{ costUsd: null }, null],
    [{ costUsd: 4.21 }, '$4.21'],
    [{ costUsd: 4.21, unpricedTokens: 12_000 }, '≥ $4.21, no price known for 12.0k tokens'],
    [{ costUsd: 0.004, unpricedTokens: 1 }, '≥ $0, no price known for 1 tokens'],
    [{ costUsd: null, unpricedTokens: 12_000 }, 'no price known for 12.0k tokens'],
    [{ costUsd: null, worthUsd: 3 }, 'a subscription paid what is worth $3.00 at list price'],
  ])('sums say what is not in them: %j', (spend, said) => {
    expect(sentencesOf('en').spent(spend)).toBe(said)
    expect(sentencesOf('zh-CN').spent(spend) === null).toBe(said === null)
  })

  it.each<[Spend, string, string]>([
    [{ costUsd: 0 }, '1.2k tokens, $0', '1.2k token，$0'],
    [{ costUsd: 4.21, unpricedTokens: 200 }, '1.2k tokens, ≥ $4.21', '1.2k token，≥ $4.21'],
    [{ costUsd: null, unpricedTokens: 1200 }, '1.2k tokens, no price', '1.2k token，价格未知'],
    [{ costUsd: null, worthUsd: 3 }, '1.2k tokens, subscription', '1.2k token，订阅'],
    [{ costUsd: null }, '1.2k tokens', '1.2k token'],
  ])('stand beside the tokens, and what has no price is never $0: %j', (spend, en, zh) => {
    expect(sentencesOf('en').used({ tokens: 1200, ...spend })).toBe(en)
    expect(sentencesOf('zh-CN').used({ tokens: 1200, ...spend })).toBe(zh)
  })

  it.each<[Partial<Costing>, string | null]>([
    [{ costUsd: 1.32, price: { from: 'config' } }, '$1.32'],
    [{ price: { from: 'plan', worth: null } }, 'subscription'],
    [{ price: { from: 'plan', worth: { usd: 2, taken: '2026-10-24' } } }, 'subscription'],
    [{ price: { from: 'local' } }, 'free'],
    [{}, 'no price'],
    [{ usage: null }, null],
    [{ kind: 'count' }, null],
  ])('of one request, in a word: %j', (more, said) => {
    const spend = pricedSpendOf({ kind: 'turn', usage, costUsd: null, ...more })
    expect(sentencesOf('en').figures.cost(spend)).toBe(said)
  })

  it('are told with a goal that is reached', () => {
    const fact = {
      class: 'goal-reached',
      name: 'api',
      reason: { code: 'goal-reached', checks: 2, evidence: 'Both pass' },
      spent: { tokens: 1_200_000, costUsd: 0.97, unpricedTokens: 5 },
    } as const
    expect(sentencesOf('en').notice(fact).body).toBe(
      'Goal reached, 2 of 2 checks pass (1.2M tokens, ≥ $0.97). Both pass',
    )
    expect(sentencesOf('zh-CN').notice(fact).body).toContain('（1.2M token，≥ $0.97）。')
  })
})
