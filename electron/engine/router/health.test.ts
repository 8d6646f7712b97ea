import { describe, expect, it } from 'vitest'
import type { RouteChoice } from './types.ts'
import { ask, routerScene, targetOf, threeInOrder, type RouterScene } from './testing/scene.ts'

const fail = (r: RouterScene, choice: RouteChoice, times = 1) => {
  for (let i = 0; i < times; i++) r.refuse(choice, 503)
}
const to = (r: RouterScene, session: string | null = null, requestId = 'r') =>
  targetOf(r.choose(ask({ sessionId: session, requestId })))
const oneKey = {
  providers: {
    only: {
      type: 'openai-chat' as const,
      baseUrl: 'http://127.0.0.1:1',
      keys: [{ alias: 'main', value: 'k' }],
      models: { m: {} },
    },
  },
  routes: { default: ['only.m'] },
}

describe('a provider that fails', () => {
  it('rests after three failures in a row, not after two and a good one', () => {
    const r = routerScene(threeInOrder)
    const a = r.choose(ask())
    fail(r, a, 2)
    r.serve({ sessionId: null })
    fail(r, a, 2)
    expect(to(r)).toBe('a.m')
    fail(r, a)
    expect(to(r)).toBe('b.m')
    expect(r.choose(ask()).fact.skipped).toEqual([
      {
        candidate: 'a.m',
        why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: r.clock.now() + 30_000 } },
      },
    ])
  })

  it('comes back by one trial: everybody else goes elsewhere until that has answered', async () => {
    const r = routerScene(threeInOrder)
    const a = r.choose(ask())
    fail(r, a, 3)
    await r.clock.advance(30_000)
    const first = Array.from({ length: 64 }, (_, i) => r.choose(ask({ sessionId: `s${i}`, requestId: `r${i}` })))
    expect(first.filter((c) => c.providerId === 'a')).toHaveLength(1)
    const [trial] = first
    if (!trial) throw new Error('no choice')
    r.tell(trial, { kind: 'began' })
    expect(to(r)).toBe('a.m')
  })

  it('rests twice as long each time its trial fails, ten minutes at most, and is told of once', async () => {
    const r = routerScene(threeInOrder)
    fail(r, r.choose(ask()), 3)
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      expect(to(r)).toBe('b.m')
      await r.clock.advance(seconds * 1000 - 1)
      expect(to(r)).toBe('b.m')
      await r.clock.advance(1)
      const trial = r.choose(ask({ sessionId: null }))
      expect(trial.providerId).toBe('a')
      fail(r, trial)
    }
    expect(r.news.map((n) => n.kind)).toEqual(['resting'])
  })

  it('many calls that fail together are one trouble: it rests no longer for them', async () => {
    const r = routerScene(threeInOrder)
    for (const choice of Array.from({ length: 64 }, (_, i) => r.choose(ask({ sessionId: `s${i}` }))))
      r.refuse(choice, 503)
    expect(r.views()[0]?.health).toMatchObject({ kind: 'resting', rest: { count: 3, until: r.clock.now() + 30_000 } })
    await r.clock.advance(30_000)
    expect(to(r)).toBe('a.m')
  })

  it('an old answer that ends well ends no rest that began meanwhile', () => {
    const r = routerScene(threeInOrder)
    const [long, ...others] = Array.from({ length: 4 }, () => r.choose(ask()))
    if (!long) throw new Error('no choice')
    r.tell(long, { kind: 'began' })
    for (const choice of others) r.refuse(choice, 503)
    r.tell(long, { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 1, brokenOff: false })
    expect(to(r)).toBe('b.m')
  })

  it('a trial whose client left is nobody’s verdict: the next one tries', async () => {
    const r = routerScene(threeInOrder)
    fail(r, r.choose(ask()), 3)
    await r.clock.advance(30_000)
    const trial = r.choose(ask())
    expect(to(r)).toBe('b.m')
    r.tell(trial, { kind: 'left' })
    expect(to(r)).toBe('a.m')
  })

  it('a client that leaves another call takes nothing from the trial', async () => {
    const r = routerScene(threeInOrder)
    const [before, ...others] = Array.from({ length: 4 }, () => r.choose(ask()))
    if (!before) throw new Error('no choice')
    for (const choice of others) r.refuse(choice, 503)
    await r.clock.advance(30_000)
    expect(to(r)).toBe('a.m')
    r.tell(before, { kind: 'left' })
    expect(to(r)).toBe('b.m')
  })

  it('an unreachable address rests the provider, an error of one model only that model', () => {
    const two = {
      ...threeInOrder,
      providers: {
        ...threeInOrder.providers,
        a: {
          type: 'openai-chat' as const,
          baseUrl: 'http://127.0.0.1:1',
          auth: 'none' as const,
          models: { m: {}, n: {} },
        },
      },
      routes: { default: ['a.m', 'a.n', 'b.m'] },
    }
    const one = routerScene(two)
    fail(one, one.choose(ask()), 3)
    expect(to(one)).toBe('a.n')
    const all = routerScene(two)
    const a = all.choose(ask())
    for (let i = 0; i < 3; i++) all.tell(a, { kind: 'unreachable', code: 'upstream-unreachable' })
    expect(to(all)).toBe('b.m')
  })

  it('an answer that broke off counts, a client that left does not, a refusal of the request proves it lives', () => {
    const r = routerScene(threeInOrder)
    const a = r.choose(ask())
    const cut = () => r.tell(a, { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 1, brokenOff: true })
    cut()
    cut()
    r.tell(a, { kind: 'answered', status: 400, headers: {}, body: '', ttfbMs: 1, brokenOff: false })
    cut()
    cut()
    expect(to(r)).toBe('a.m')
    cut()
    expect(to(r)).toBe('b.m')
  })

  it('the only one there is is asked all the same', () => {
    const r = routerScene(oneKey)
    const only = r.choose(ask())
    fail(r, only, 9)
    expect(r.choose(ask())).toMatchObject({
      providerId: 'only',
      fact: { why: expect.arrayContaining([{ code: 'all-rest' }]) },
    })
  })
})

describe('a key', () => {
  const keys = {
    ...oneKey,
    providers: {
      only: {
        ...oneKey.providers.only,
        keys: [
          { alias: 'main', value: 'k' },
          { alias: 'spare', value: 'l' },
        ],
      },
    },
  }

  it.each([
    [401, 300],
    [402, 300],
    [403, 60],
    [429, 30],
  ])('refused with %i rests for %i s, and the next one serves', async (status, seconds) => {
    const r = routerScene(keys)
    r.refuse(r.choose(ask()), status)
    expect(r.choose(ask()).key?.alias).toBe('spare')
    await r.clock.advance(seconds * 1000)
    expect(r.choose(ask({ sessionId: 'other' })).key?.alias).toBe('main')
  })

  it('rests as long as the provider says, by a limit until that lifts', async () => {
    const r = routerScene(keys)
    expect(r.refuse(r.choose(ask()), 429, { 'x-limit': '7200' })).toEqual({
      kind: 'limit',
      window: '5h',
      lifts: r.clock.now() + 7_200_000,
    })
    expect(r.news).toMatchObject([{ kind: 'resting', provider: 'only', key: 'main', rest: { why: 'limit' } }])
    await r.clock.advance(7_199_000)
    expect(r.choose(ask()).key?.alias).toBe('spare')
    await r.clock.advance(1_000)
    expect(r.serve().key?.alias).toBe('main')
    expect(r.news.map((n) => n.kind)).toEqual(['resting', 'back'])
  })

  it('of the last candidate is left alone while the provider said so: a 429 with the time', async () => {
    const r = routerScene(oneKey)
    r.refuse(r.choose(ask()), 429, { 'x-limit': '7200' })
    expect(() => r.choose(ask())).toThrow(
      expect.objectContaining({
        code: 'all-resting',
        status: 429,
        details: expect.objectContaining({ retryAfter: 7200, limit: expect.objectContaining({ provider: 'only' }) }),
      }),
    )
    await r.clock.advance(60_000)
    const look = r.choose(ask())
    expect(() => r.choose(ask())).toThrow(/limit reached/)
    r.tell(look, { kind: 'began' })
    expect(r.choose(ask()).key?.alias).toBe('main')
  })

  it('at a limit is not lifted by an answer to a call from before it', () => {
    const r = routerScene(keys)
    const [slow, long, limited] = [r.choose(ask()), r.choose(ask()), r.choose(ask())]
    r.tell(long, { kind: 'began' })
    r.refuse(limited, 429, { 'x-limit': '7200' })
    r.tell(slow, { kind: 'began' })
    for (const choice of [slow, long])
      r.tell(choice, { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 1, brokenOff: false })
    expect(r.choose(ask()).key?.alias).toBe('spare')
    expect(r.news.map((n) => n.kind)).toEqual(['resting'])
  })

  it('that was told a time keeps it when it is refused again without one', async () => {
    const r = routerScene(oneKey)
    const [first, second] = [r.choose(ask()), r.choose(ask())]
    const since = r.clock.now()
    r.refuse(first, 429, { 'x-limit': '7200' })
    r.refuse(second, 429)
    await r.clock.advance(60_000)
    r.refuse(r.choose(ask()), 429, { 'x-limit': 'unknown' })
    expect(() => r.choose(ask())).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          retryAfter: 7140,
          limit: { provider: 'only', since, lifts: since + 7_200_000 },
        }),
      }),
    )
  })

  it('of the last candidate that was limited without a time is asked all the same', () => {
    const r = routerScene(oneKey)
    r.refuse(r.choose(ask()), 429)
    expect(r.choose(ask())).toMatchObject({
      providerId: 'only',
      fact: { why: expect.arrayContaining([{ code: 'all-rest' }]) },
    })
  })

  it('two logins of clients have their own limits', () => {
    const r = routerScene({ providers: { anth: { type: 'anthropic', auth: 'client', models: { m: {} } } } })
    const asked = ask({ entry: 'messages', model: 'm', credential: 'ada' })
    r.tell(r.choose(asked), { kind: 'refused', status: 429, headers: { 'x-limit': '7200' }, body: '' }, asked)
    expect(() => r.choose(asked)).toThrow(/limit reached/)
    expect(r.choose(ask({ entry: 'messages', model: 'm', credential: 'bob' })).credential).toBe('bob')
  })

  it('that slept through its rest is free by the wall clock', async () => {
    const r = routerScene(keys)
    r.refuse(r.choose(ask()), 429, { 'retry-after': '120' })
    expect(r.views()[0]?.keys[0]?.state).toMatchObject({
      kind: 'resting',
      rest: { why: 'rate', until: r.clock.now() + 120_000, told: true },
    })
    await r.clock.advance(120_000)
    expect(r.views()[0]?.keys[0]?.state).toEqual({ kind: 'ready' })
  })
})

describe('what viewers see', () => {
  it('health, calls, sessions and routes of each provider', async () => {
    const r = routerScene(threeInOrder)
    expect(r.views().map((v) => v.health.kind)).toEqual(['unused', 'unused', 'unused'])
    r.serve({ sessionId: 's1' })
    r.serve({ sessionId: 's2' })
    fail(r, r.choose(ask()), 3)
    expect(r.views()[0]).toMatchObject({
      id: 'a',
      health: { kind: 'resting', models: [], rest: { why: 'failures', count: 3 } },
      calls: [true, true, false, false, false],
      ttfbMs: 10,
      sessions: 2,
      routes: ['default'],
      local: true,
    })
    await r.clock.advance(30_000)
    r.serve({ sessionId: null, model: 'b.m' })
    expect(r.views().map((v) => v.health.kind)).toEqual(['on-trial', 'healthy', 'unused'])
    r.serve({ sessionId: null })
    expect(r.views()[0]?.health).toEqual({ kind: 'answers-again', failed: 3, calls: 6 })
  })

  it('a provider whose last call failed is not healthy, and says since when and why', async () => {
    const r = routerScene(threeInOrder)
    r.serve({ sessionId: null })
    const since = r.clock.now()
    fail(r, r.choose(ask()), 1)
    expect(r.views()[0]).toMatchObject({ calls: [true, false], health: { kind: 'failing', count: 1, since } })
    await r.clock.advance(10_000)
    r.tell(r.choose(ask()), { kind: 'unreachable', code: 'upstream-unreachable' })
    expect(r.views()[0]?.health).toEqual({ kind: 'failing', count: 2, since, failure: 'upstream-unreachable' })
    r.serve({ sessionId: null })
    expect(r.views()[0]?.health).toEqual({ kind: 'answers-again', failed: 2, calls: 4 })
  })

  it('a dry run says where it would go and changes nothing', async () => {
    const r = routerScene(threeInOrder)
    fail(r, r.choose(ask()), 3)
    await r.clock.advance(30_000)
    for (let i = 0; i < 3; i++)
      expect(r.explain(ask())).toMatchObject({
        kind: 'goes',
        route: { provider: 'a', why: expect.arrayContaining([{ code: 'trial' }]) },
      })
  })

  it('a test goes to the provider whatever rests', () => {
    const r = routerScene(oneKey)
    r.refuse(r.choose(ask()), 429, { 'x-limit': '7200' })
    expect(r.choose(ask({ model: 'only/m', test: { key: 'main' } })).key?.alias).toBe('main')
  })
})

describe('a limit of a part of a key', () => {
  const claude = (keys: readonly string[]) => ({
    providers: {
      p: {
        type: 'anthropic' as const,
        baseUrl: 'http://127.0.0.1:1',
        keys: keys.map((alias) => ({ alias, value: alias })),
        models: { 'claude-opus-4-6': {}, 'claude-opus-4-5-20251101': {}, 'claude-sonnet-4-5': {} },
      },
    },
    routes: { default: ['p.claude-opus-4-6', 'p.claude-opus-4-5-20251101', 'p.claude-sonnet-4-5'] },
  })
  const hour = { 'x-limit': '3600' }

  it('rests one model: the key answers others meanwhile, and views say which', () => {
    const r = routerScene(claude(['main']))
    r.refuse(r.choose(ask()), 429, { ...hour, 'x-subject': 'model claude-opus-4-6' })
    expect(to(r)).toBe('p.claude-opus-4-5-20251101')
    const subject = { kind: 'model', name: 'claude-opus-4-6' }
    expect(r.choose(ask()).fact.skipped).toMatchObject([
      { candidate: 'p.claude-opus-4-6', why: { code: 'resting', key: 'main', rest: { why: 'limit', subject } } },
    ])
    expect(r.news).toMatchObject([{ kind: 'resting', key: 'main', rest: { subject } }])
    expect(r.views()[0]).toMatchObject({
      health: { kind: 'resting', models: ['claude-opus-4-6'], rest: { subject } },
      keys: [{ state: { kind: 'ready' }, limits: [{ why: 'limit', subject }] }],
    })
  })

  it('rests a family of models', () => {
    const r = routerScene(claude(['main']))
    r.refuse(r.choose(ask()), 429, { ...hour, 'x-subject': 'family opus' })
    expect(to(r)).toBe('p.claude-sonnet-4-5')
    expect(r.views()[0]?.health).toMatchObject({ models: ['claude-opus-4-6', 'claude-opus-4-5-20251101'] })
  })

  it('rests it at one key: another key answers the model', () => {
    const r = routerScene(claude(['one', 'two']))
    r.refuse(r.choose(ask()), 429, { ...hour, 'x-subject': 'family opus' })
    expect(r.choose(ask())).toMatchObject({ upstreamModel: 'claude-opus-4-6', key: { alias: 'two' } })
    expect(r.views()[0]?.health.kind).not.toBe('resting')
  })

  it('is over with a good answer of that model, not with one of another', async () => {
    const r = routerScene(claude(['main']))
    const opus = r.choose(ask())
    r.refuse(opus, 429, { 'retry-after': '120', 'x-subject': 'family opus' })
    await r.clock.advance(1)
    r.tell(r.choose(ask()), { kind: 'began' })
    expect(to(r)).toBe('p.claude-sonnet-4-5')
    await r.clock.advance(120_000)
    const trial = r.choose(ask({ sessionId: null }))
    expect(trial).toMatchObject({ upstreamModel: 'claude-opus-4-6', fact: { why: [{}, { code: 'trial' }] } })
    r.tell(trial, { kind: 'began' })
    expect(r.news.map(({ kind }) => kind)).toEqual(['resting', 'back'])
    expect(to(r)).toBe('p.claude-opus-4-6')
  })

  it('says nothing of a key on trial: the next model tries whether that is back', async () => {
    const r = routerScene(claude(['main']))
    r.refuse(r.choose(ask()), 429, { 'retry-after': '60' })
    await r.clock.advance(60_000)
    r.refuse(r.choose(ask()), 429, { ...hour, 'x-subject': 'model claude-opus-4-6' })
    expect(r.choose(ask())).toMatchObject({
      upstreamModel: 'claude-opus-4-5-20251101',
      fact: { why: [{}, { code: 'trial' }] },
    })
  })

  it('is told to whoever asks for that model alone', () => {
    const r = routerScene({ ...claude(['main']), routes: {} })
    const only = ask({ model: 'p/claude-opus-4-6' })
    r.tell(r.choose(only), { kind: 'refused', status: 429, headers: { ...hour, 'x-subject': 'family opus' }, body: '' })
    expect(() => r.choose(only)).toThrow(/key main: opus models: limit reached/)
    expect(targetOf(r.choose(ask({ model: 'p/claude-sonnet-4-5' })))).toBe('p.claude-sonnet-4-5')
  })
})
