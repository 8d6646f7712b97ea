import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { ProviderHealth, ProviderView, Rest } from '../../../../shared/routing.ts'
import type { HealthEvent } from '../../router/health/health.ts'
import { createProviderEvents, wholeLimit } from './provider-events.ts'

const limit: Rest = { why: 'limit', window: '5h', since: 1_000, lifts: 9_000, until: 9_000 }
const news = (more: Partial<HealthEvent> = {}): HealthEvent => ({
  kind: 'resting',
  provider: 'zai',
  key: 'main',
  rest: limit,
  ...more,
})
const view = (health: ProviderHealth): ProviderView => ({
  id: 'zai',
  type: 'openai-chat',
  baseUrl: null,
  auth: 'key',
  models: [],
  keys: [],
  health,
  quotas: [],
  calls: [],
  ttfbMs: null,
  sessions: 0,
  routes: [],
  local: false,
})

function heard(given: HealthEvent, health: ProviderHealth) {
  const events: EventBody[] = []
  const calls: unknown[][] = []
  createProviderEvents({
    record: (_, body) => {
      events.push(body)
    },
    notices: {
      tell: (_, fact) => {
        calls.push(['tell', fact.class])
      },
    },
    language: () => 'en',
    now: () => 2_000,
    lifted: (provider) => {
      calls.push(['lifted', provider])
    },
    limitOf: (provider) => wholeLimit([{ ...view({ kind: 'healthy' }), id: 'other' }, view(health)], provider),
    reached: (provider, told) => {
      calls.push(['reached', provider, told])
    },
  })(given)
  return { types: events.map((body) => body.type), calls }
}

describe('news of providers', () => {
  it('a limit of the whole provider is told on', () => {
    expect(heard(news(), { kind: 'resting', rest: limit, models: [] })).toEqual({
      types: ['provider-resting'],
      calls: [['reached', 'zai', { since: 1_000, lifts: 9_000 }]],
    })
  })
  it.each<[string, ProviderHealth]>([
    ['one key of several', { kind: 'some-keys', keys: ['main'] }],
    ['one model of several', { kind: 'resting', rest: limit, models: ['big'] }],
    [
      'a rest for failures meanwhile',
      { kind: 'resting', rest: { why: 'failures', count: 3, until: 5_000 }, models: [] },
    ],
  ])('a limit of %s is not', (_name, health) => {
    expect(heard(news(), health)).toEqual({ types: ['provider-resting'], calls: [] })
  })
  it('a limit that is over is told on, another rest that is over is not', () => {
    expect(heard(news({ kind: 'back' }), { kind: 'healthy' })).toEqual({
      types: ['provider-back'],
      calls: [['lifted', 'zai']],
    })
    expect(heard(news({ kind: 'back', rest: { why: 'rate', told: true, until: 5_000 } }), { kind: 'healthy' })).toEqual(
      { types: ['provider-back'], calls: [] },
    )
  })
  it('a key that is not taken asks for a person', () => {
    expect(heard(news({ rest: { why: 'refused', status: 401, until: 5_000 } }), { kind: 'no-key' })).toEqual({
      types: ['provider-resting'],
      calls: [['tell', 'proxy-error']],
    })
  })
})
