import { describe, expect, it } from 'vitest'
import type { ProviderHealth, ProviderView } from '../../../../shared/routing.ts'
import type { TurnFailure } from '../../../../shared/state.ts'
import { createOutages } from './outages.ts'

const failure = (provider: string | null): TurnFailure => ({
  provider,
  status: 503,
  message: 'no',
  tries: 2,
  since: 1,
  at: 2,
  tried: [],
  retries: false,
})
const where = { sessionId: 's', scope: null }

function world() {
  const told: unknown[] = []
  const failures: unknown[] = []
  let health: ProviderHealth = { kind: 'failing', count: 2, since: 1, failure: '503' }
  const view = (id: string): ProviderView => ({
    id,
    type: 'openai-chat',
    baseUrl: null,
    auth: 'key',
    keys: [],
    models: [],
    health,
    quotas: [],
    calls: [],
    ttfbMs: null,
    sessions: 0,
    routes: [],
    local: false,
  })
  const outages = createOutages({
    notices: {
      tell(_where, fact) {
        told.push([fact.class, 'change' in fact ? fact.change : ''])
        if (fact.class === 'needs-you') failures.push(fact.failure)
      },
    },
    views: () => [view('zai'), view('other')],
  })
  return {
    told,
    failures,
    outages,
    become(next: ProviderHealth) {
      health = next
      outages.check()
    },
  }
}

describe('an outage', () => {
  it('is told with each session that gave up, and its end once', () => {
    const { told, outages, become } = world()
    outages.gaveUp(where, failure('zai'))
    outages.gaveUp({ ...where, sessionId: 't' }, failure('zai'))
    become({ kind: 'on-trial' })
    expect(told).toEqual([
      ['needs-you', ''],
      ['needs-you', ''],
    ])
    become({ kind: 'answers-again', failed: 2, calls: 3 })
    become({ kind: 'healthy' })
    expect(told.slice(2)).toEqual([['limit', 'back']])
  })

  it('is told with when the limit lifts that is behind it', () => {
    const { failures, outages, become } = world()
    const rest = { why: 'limit', window: '5h', since: 1, lifts: 9, until: 9 } as const
    become({ kind: 'resting', rest, models: [] })
    outages.gaveUp(where, failure('zai'))
    expect(failures.at(-1)).toMatchObject({ limit: { provider: 'zai', lifts: 9 } })
    become({ kind: 'healthy' })
    outages.gaveUp(where, failure('zai'))
    expect(failures.at(-1)).not.toHaveProperty('limit')
  })

  it('that no session was stopped by is none', () => {
    const { told, outages, become } = world()
    become({ kind: 'healthy' })
    outages.gaveUp(where, failure(null))
    become({ kind: 'healthy' })
    expect(told).toEqual([['needs-you', '']])
  })
})
