import { describe, expect, it } from 'vitest'
import type { GoalFacts } from '../../../shared/review.ts'
import type { ProviderHealth } from '../../../shared/routing.ts'
import type { StopMessageView } from '../../../shared/state.ts'
import { gaugesOf } from './gauges.ts'
import { createOutages } from './outages.ts'
import type { Readings } from './types.ts'

const now = Date.UTC(2026, 10, 21, 14)
const quiet: Readings = {
  providers: [],
  waiting: [],
  sessions: [],
  alarms: { waiting: 0, missed: 0 },
  paused: false,
  budgets: { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: 10 },
}
const read = (over: Partial<Readings>) => {
  const all = gaugesOf({ ...quiet, ...over }, createOutages(), now)
  return (metric: string, ...attributes: string[]) =>
    all.find((one) => one.metric === metric && attributes.every((a) => Object.values(one.attributes).includes(a)))
      ?.value
}
const provider = (health: ProviderHealth, over: Partial<Readings['providers'][number]> = {}) => ({
  id: 'p',
  health,
  quotas: [],
  ...over,
})
const spent = { tokens: 0, costUsd: null }
const goal = (over: Partial<GoalFacts>): GoalFacts => ({
  from: { at: now, used: 0 },
  spent,
  reviewSpent: spent,
  stuck: 0,
  rounds: [],
  roundsAt: 0,
  latest: null,
  checks: null,
  ...over,
})
const session = (stopMessage: Partial<StopMessageView>): Readings['sessions'][number] => ({
  shape: 'working',
  say: { code: 'armed' },
  stopMessage: {
    text: 'private',
    used: 0,
    max: null,
    review: true,
    status: { kind: 'armed' },
    armedAt: 0,
    lastUsedAt: null,
    ...stopMessage,
  },
})

describe('the gauges', () => {
  it('are all there and 0 where nothing is', () => {
    const of = read({})
    expect(of('onward.sessions', 'needs')).toBe(0)
    expect(of('onward.followups.waiting', 'dialog-open')).toBe(0)
    expect(of('onward.queue.age')).toBe(0)
    expect(of('onward.budget.used', 'cost')).toBe(0)
    expect(of('onward.paused')).toBe(0)
  })

  it('count sessions by state, and not those that were put away', () => {
    const stalled = { shape: 'needs', say: { code: 'stalled', since: 0 }, stopMessage: null } as const
    const of = read({ sessions: [stalled, { ...stalled, archived: true }, session({})] })
    expect(of('onward.sessions', 'needs')).toBe(1)
    expect(of('onward.sessions', 'working')).toBe(1)
    expect(of('onward.sessions.stalled')).toBe(1)
  })

  it('tell what waits, why, and for how long', () => {
    const of = read({
      waiting: [
        { createdAt: now - 90_000, hold: { code: 'dialog-open', what: 'private' } },
        { createdAt: now - 10_000, hold: null },
      ],
    })
    expect(of('onward.followups.waiting', 'dialog-open')).toBe(1)
    expect(of('onward.followups.waiting', 'none')).toBe(1)
    expect(of('onward.queue.age')).toBe(90)
  })

  it.each([
    ['unused', 1, { kind: 'unused' }],
    ['healthy', 1, { kind: 'healthy' }],
    ['failing', 0, { kind: 'failing', count: 1, since: now, failure: '500' }],
    ['answers-again', 1, { kind: 'answers-again', failed: 1, calls: 2 }],
    ['resting-failures', 0, { kind: 'resting', rest: { why: 'failures', count: 3, until: now }, models: [] }],
    ['answers-again', 1, { kind: 'resting', rest: { why: 'failures', count: 3, until: now }, models: ['m'] }],
    ['on-trial', 0, { kind: 'on-trial' }],
    ['some-keys', 1, { kind: 'some-keys', keys: [] }],
    ['no-key', 0, { kind: 'no-key' }],
    ['forbidden', 0, { kind: 'forbidden', by: 'Acme' }],
  ] satisfies [string, number, ProviderHealth][])('have a provider that is %s: up %i', (state, up, health) => {
    const of = read({ providers: [provider(health)] })
    expect(of('onward.provider.up', 'p')).toBe(up)
    expect(of('onward.provider.health', 'p', state)).toBe(1)
    expect(of('onward.provider.health', 'p', state === 'healthy' ? 'failing' : 'healthy')).toBe(0)
  })

  it('have how much of a window is used', () => {
    const quotas = [
      { window: '5h', usedPercent: 25, resetsAt: null },
      { window: 'week', usedPercent: null, resetsAt: null },
      { window: 'week', usedPercent: 80, resetsAt: null, subject: { kind: 'family', name: 'opus' } as const },
    ]
    const of = read({ providers: [provider({ kind: 'healthy' }, { quotas })] })
    expect(of('onward.provider.quota.used', '5h')).toBe(0.25)
    expect(of('onward.provider.quota.used', 'week')).toBeUndefined()
    expect(of('onward.provider.quota.used', 'week opus')).toBe(0.8)
  })

  it('have the fullest budget of each kind', () => {
    const of = read({
      sessions: [
        session({ used: 95, goal: goal({ from: { at: now - 3_600_000, used: 5 }, stuck: 4 }) }),
        session({
          used: 10,
          goal: goal({ spent: { tokens: 9, costUsd: 4 }, reviewSpent: { tokens: 1, costUsd: 3.5 } }),
        }),
      ],
    })
    expect(of('onward.budget.used', 'rounds')).toBe(0.9)
    expect(of('onward.budget.used', 'time')).toBe(1 / 8)
    expect(of('onward.budget.used', 'no-progress')).toBe(0.8)
    expect(of('onward.budget.used', 'cost')).toBe(0.75)
    expect(of('onward.budget.used', 'tokens')).toBe(0)
  })

  it.each([
    ['rounds of a person’s without a reviewer', session({ max: 3, used: 3, review: false, goal: goal({ stuck: 9 }) })],
    [
      'a goal that is reached',
      session({ status: { kind: 'done', reason: { code: 'no-open-work' }, at: 0 }, goal: goal({ stuck: 9 }) }),
    ],
    ['what has no facts', session({ used: 99 })],
  ])('leave %s out of budgets', (_, one) => {
    expect(read({ sessions: [one] })('onward.budget.used', 'no-progress')).toBe(0)
  })
})

describe('the time a provider failed', () => {
  it('adds up over outages, and is counted once however often it is looked', () => {
    const outages = createOutages()
    const look = (at: number, failingSince?: number) =>
      outages.look([failingSince === undefined ? { id: 'p' } : { id: 'p', failingSince }], at).get('p')
    expect(look(1_000)).toBe(0)
    expect(look(5_000, 3_000)).toBe(2)
    expect(look(6_000, 3_000)).toBe(3)
    expect(look(6_000, 3_000)).toBe(3)
    expect(look(9_000)).toBe(3)
    expect(look(20_000, 19_000)).toBe(4)
  })
})
