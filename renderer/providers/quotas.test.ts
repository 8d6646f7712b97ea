import { describe, expect, it } from 'vitest'
import { wordsOf } from '../testing/words.ts'
import type { ProviderHealth } from '../../shared/routing.ts'
import { countdown, nearlyUsed, quotaName, quotasOf, tightest } from './quotas.ts'

const t = wordsOf('en').w.providers
const zh = wordsOf('zh-CN').w.providers
const limited = (window: string | null): ProviderHealth => ({
  kind: 'resting',
  models: [],
  rest: { why: 'limit', window, since: 0, lifts: 60_000, until: 60_000 },
})

describe('a window', () => {
  it.each([
    ['5h', '5-hour limit', '5 小时额度'],
    ['24h', 'Daily limit', '每日额度'],
    ['1d', 'Daily limit', '每日额度'],
    ['7d', 'Weekly limit', '每周额度'],
    ['30d', '30-day limit', '30 天额度'],
    ['tokens', 'Tokens', 'Token'],
    ['requests', 'Requests', '请求数'],
    ['seven_day_opus', 'Limit “seven day opus”', '额度“seven day opus”'],
    ['', 'Limit', '额度'],
  ])('%j is called %s', (window, en, chinese) => {
    expect(quotaName(window, t)).toBe(en)
    expect(quotaName(window, zh)).toBe(chinese)
  })
})

describe('the quotas of a provider', () => {
  const week = { window: '7d', usedPercent: 61, resetsAt: 9 }
  const hours = { window: '5h', usedPercent: 100, resetsAt: 60_000 }
  it('are as told', () => expect(quotasOf({ health: { kind: 'healthy' }, quotas: [week] })).toEqual([week]))
  it('have the reached limit first where it was not told', () =>
    expect(quotasOf({ health: limited('5h'), quotas: [week] })).toEqual([hours, week]))
  it('do not have it twice', () =>
    expect(quotasOf({ health: limited('5h'), quotas: [hours, week] })).toEqual([hours, week]))
  it('take a full window for a limit without a name', () =>
    expect(quotasOf({ health: limited(null), quotas: [hours] })).toEqual([hours]))
  it('name a limit that nothing is known of', () =>
    expect(quotasOf({ health: limited(null), quotas: [] })).toEqual([
      { window: '', usedPercent: 100, resetsAt: 60_000 },
    ]))
  it('are judged by the fullest', () => {
    expect(tightest([week, hours])).toEqual(hours)
    expect(tightest([{ window: 'x', usedPercent: null, resetsAt: null }])).toBeNull()
  })
})

describe('a countdown', () => {
  it.each([
    [6_456_000, '1:47:36'],
    [59_999, '0:00:59'],
    [3_600_000, '1:00:00'],
    [86_399_999, '23:59:59'],
    [-5, '0:00:00'],
    [86_400_000, null],
  ] as const)('of %i ms is %s', (ms, text) => expect(countdown(ms)).toBe(text))
})

describe('a window that is nearly used up', () => {
  const soon = { window: 'tokens', usedPercent: 99, resetsAt: 60_000 }
  const hours = { window: '5h', usedPercent: 81, resetsAt: 3_600_000 }
  const week = { window: '7d', usedPercent: 80, resetsAt: 90_000_000 }
  it('is worth a question where nothing waits for it so far', () => {
    expect(nearlyUsed([soon, hours, week], { pauseAt: 0 }, 0)).toEqual(hours)
    expect(nearlyUsed([soon, hours, week], { pauseAt: 95 }, 0)).toBeNull()
    expect(nearlyUsed([soon, week, { ...hours, resetsAt: null }], { pauseAt: 0 }, 0)).toBeNull()
  })
})
