import { describe, expect, it } from 'vitest'
import {
  addCold,
  coldReasons,
  coldSumsOf,
  pricedSpendOf,
  type ColdCache,
  type Costing,
  type Spend,
} from '../cost/cost.ts'
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

describe('a cold cache, in words', () => {
  const idle = { why: 'idle' as const, idle: { ms: 380_000, keptMs: 300_000 }, tokens: 48_200, costUsd: 0.29 }
  it.each<[ColdCache, string, string]>([
    [
      idle,
      '48.2k tokens cold, $0.29 more: idle for 6 min, kept for 5 min',
      '48.2k token 未命中缓存，多花 $0.29：闲置 6 分钟，只保留 5 分钟',
    ],
    [
      { why: 'tools-changed', tokens: 2000, costUsd: null, unpricedTokens: 2000 },
      '2.0k tokens cold: other tools',
      '2.0k token 未命中缓存：工具变了',
    ],
    [
      { why: 'message-edited', message: 7, tokens: 2000, costUsd: null, worthUsd: 1 },
      '2.0k tokens cold, worth $1.00 more at list price: message 7 was edited',
      '2.0k token 未命中缓存，按标价多值 $1.00：第 7 条消息被改过',
    ],
  ])('%j', (cold, en, zh) => {
    expect(sentencesOf('en').cold(cold)).toBe(en)
    expect(sentencesOf('zh-CN').cold(cold)).toBe(zh)
  })

  it.each(coldReasons)('%s has words in both languages', (why) => {
    const cold = { why, tokens: 2000, costUsd: null }
    expect(sentencesOf('en').cold(cold)).not.toContain('undefined')
    expect(sentencesOf('zh-CN').cold(cold)).not.toContain('undefined')
  })

  it('of several, with how many for each reason', () => {
    const sums = [idle, idle, { why: 'tools-changed' as const, tokens: 1000, costUsd: null, worthUsd: 2 }]
      .map(coldSumsOf)
      .reduce<ReturnType<typeof addCold>>(addCold, undefined)
    expect(sums && sentencesOf('en').coldCaches(sums)).toBe(
      '3, 97.4k tokens, $0.58 more, worth $2.00 more at list price: idle 2, other tools 1',
    )
  })

  it('tells how long it is kept, and since when it is no more', () => {
    const at = Date.UTC(2026, 10, 29, 12, 5)
    for (const language of ['en', 'zh-CN'] as const) {
      const { cacheUntil, figures } = sentencesOf(language)
      const [before, after] = [cacheUntil(at, at - 1), cacheUntil(at, at + 1)]
      for (const said of [before, after]) expect(said).toContain(figures.minute(at))
      expect(before).not.toBe(after)
    }
  })
})
