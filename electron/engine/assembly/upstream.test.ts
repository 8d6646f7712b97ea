import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../shared/events.ts'
import type { ProviderHealth, ProviderView } from '../../../shared/routing.ts'
import type { TurnFailure } from '../../../shared/state.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { parseSession, type SessionState } from '../sessions/session-state.ts'
import { createReturnProbes } from './notices/return-probes.ts'
import { createOutageWaits, createOutages } from './upstream.ts'

const attempt = (provider: string) => ({ provider, model: 'm.1', keyAlias: null, status: 503, code: '503' })
const failure: TurnFailure = {
  provider: 'away',
  status: 503,
  message: 'no',
  tries: 2,
  since: 1,
  at: 2,
  tried: [attempt('away'), attempt('chat'), attempt('chat')],
  retries: false,
}
const session = (id: string, change: Partial<SessionState> = {}): SessionState => ({
  ...parseSession({ id, client: 'codex', startedAt: 0, lastActivityAt: 0 }),
  name: id,
  ...change,
})

function world(kept: readonly SessionState[] = [session('one'), session('two')]) {
  const clock = virtualClock()
  const sessions = new Map(kept.map((one) => [one.id, one]))
  const events: EventBody[] = []
  const told: unknown[] = []
  const asked: string[] = []
  const answers = new Set<string>()
  let restsUntil: number | null = null
  const probes = createReturnProbes({
    clock,
    log: silentLog,
    async ask(provider, model) {
      asked.push(`${provider}/${model}`)
      return answers.has(provider)
    },
    restsUntil: () => restsUntil,
    answered: (target) => waits.heard(target, true),
  })
  const waits = createOutageWaits({
    clock,
    log: silentLog,
    record: (_where, body) => {
      events.push(body)
    },
    sessions: {
      get: (id) => sessions.get(id) ?? null,
      list: () => [...sessions.values()],
      async choose(id, change) {
        const before = sessions.get(id) ?? session(id)
        const next = { ...before, ...change(before) }
        sessions.set(id, next)
        return next
      },
    },
    failureOf: (id) => (id === 'well' ? null : failure),
    isTarget: (provider) => provider === 'other' || provider === 'chat',
    ask: (targets) => probes.want('outages', targets),
    notices: {
      tell: (where, fact) => told.push([where.sessionId, fact.class, 'waited' in fact ? fact.waited : null]),
    },
    returnAnnounced: () => undefined,
    onChange: () => undefined,
  })
  return {
    clock,
    sessions,
    events,
    told,
    asked,
    answers,
    waits,
    rest(until: number) {
      restsUntil = until
    },
  }
}

describe('what a person asks for while turns fail', () => {
  it('is told once, in one notification for all who asked, when one of them answers', async () => {
    const { clock, told, asked, answers, waits, sessions } = world()
    await waits.set('one', { tell: true, standIn: null })
    await waits.set('two', { tell: true, standIn: null })
    await clock.advance(15_000)
    expect(asked).toEqual(['away/m.1', 'chat/m.1'])
    answers.add('chat')
    await clock.advance(60_000)
    expect(told).toEqual([[null, 'limit', ['one', 'two']]])
    expect(sessions.get('one')?.outage).toBeNull()
    asked.length = 0
    waits.heard('away.m.1', true)
    await clock.advance(3_600_000)
    expect(told).toHaveLength(1)
    expect(asked).toEqual([])
  })

  it('leads to the one session that asked, also when a turn shows the return', async () => {
    const { told, waits } = world()
    await waits.set('one', { tell: true, standIn: null })
    waits.heard('chat.m.1', false)
    waits.heard('other.m', true)
    expect(told).toEqual([])
    waits.heard('chat.m.1', true)
    expect(told).toEqual([['one', 'limit', ['one']]])
  })

  it('asks every 45 seconds at most, and not before a time that the provider named', async () => {
    const { clock, asked, waits, rest } = world()
    const times = () => asked.filter((one) => one === 'away/m.1').length
    await waits.set('one', { tell: true, standIn: null })
    await clock.advance(3_600_000)
    expect(times()).toBe(81)
    await waits.set('one', { tell: false, standIn: null })
    rest(clock.now() + 7_200_000)
    await waits.set('one', { tell: true, standIn: null })
    await clock.advance(7_000_000)
    expect(times()).toBe(81)
    await clock.advance(200_000)
    expect(times()).toBeGreaterThan(81)
  })

  it('is taken back by a word, and says so', async () => {
    const { clock, asked, told, events, waits } = world()
    await waits.set('one', { tell: true, standIn: 'other.m' })
    expect(waits.standInOf('one')).toMatchObject({ target: 'other.m', failed: ['away.m.1', 'chat.m.1'] })
    await waits.set('one', { tell: false, standIn: null })
    expect(waits.standInOf('one')).toBeNull()
    await clock.advance(3_600_000)
    waits.heard('away.m.1', true)
    expect(asked).toEqual([])
    expect(told).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(['outage-set', 'outage-over'])
  })

  it('lets a turn try what failed when nobody has for long', async () => {
    const { clock, waits } = world()
    await waits.set('one', { tell: false, standIn: 'other.m' })
    expect(waits.standInOf('one')?.tryFailed).toBe(false)
    await clock.advance(300_000)
    expect(waits.standInOf('one')?.tryFailed).toBe(true)
    waits.heard('away.m.1', false)
    expect(waits.standInOf('one')?.tryFailed).toBe(false)
  })

  it('outlasts a restart', async () => {
    const { clock, waits, told, asked } = world([
      session('one', { outage: { failed: ['away.m.1'], since: 0, tell: true, standIn: 'other.m' } }),
    ])
    waits.start()
    expect(waits.standInOf('one')?.target).toBe('other.m')
    await clock.advance(15_000)
    expect(asked).toEqual(['away/m.1'])
    waits.heard('away.m.1', true)
    expect(told).toHaveLength(1)
  })

  it('is refused where nothing fails, and with a model that there is not or that failed itself', async () => {
    const { waits } = world([session('well'), session('one')])
    await expect(waits.set('well', { tell: true, standIn: null })).rejects.toMatchObject({ code: 'no-outage' })
    for (const standIn of ['gone.m', 'chat.m.1'])
      await expect(waits.set('one', { tell: false, standIn })).rejects.toMatchObject({ code: 'unknown-target' })
  })
})

describe('outages', () => {
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
})
