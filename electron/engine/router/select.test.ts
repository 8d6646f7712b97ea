import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { OnwardError } from '../base/errors.ts'
import { ask, routerScene, targetOf, threeInOrder, type AskPatch, type RouterScene } from './testing/scene.ts'
import type { RouteChoice } from './types.ts'

const model = fc.record(
  {
    contextWindow: fc.constantFrom(undefined, 1_000, 50_000, 200_000),
    vision: fc.constantFrom(undefined, true, false),
  },
  { requiredKeys: [] },
)
const ids = ['a', 'b', 'c', 'd']
const world = fc.record({
  models: fc.tuple(model, model, model, model),
  weights: fc.array(fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }), { minLength: 4, maxLength: 4 }),
  thinkingPool: fc.subarray(ids),
  cooling: fc.subarray(ids),
  limited: fc.subarray(ids),
  disabled: fc.subarray(ids),
  tried: fc.subarray(ids),
  allow: fc.option(fc.subarray(ids, { minLength: 1 }), { nil: null }),
  tokens: fc.constantFrom(10, 10_000, 100_000, 1_000_000),
  image: fc.boolean(),
  thinking: fc.boolean(),
  session: fc.option(fc.string({ minLength: 1 }), { nil: null }),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

function build(w: World) {
  const defined = (value: object) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined))
  const input: ConfigInput = {
    providers: Object.fromEntries(
      ids.map((id, i) => [
        id,
        {
          type: 'openai-chat' as const,
          baseUrl: `http://127.0.0.1:1/${id}`,
          auth: 'none' as const,
          models: { m: defined(w.models[i] ?? {}) },
        },
      ]),
    ),
    routes: {
      default: ids.map((id, i) => {
        const weight = w.weights[i] ?? null
        return weight === null ? `${id}.m` : { target: `${id}.m`, weight }
      }),
      ...(w.thinkingPool.length > 0 ? { thinking: w.thinkingPool.map((id) => `${id}.m`) } : {}),
    },
  }
  const r = routerScene(input)
  const direct = (id: string): RouteChoice => r.choose(ask({ model: `${id}.m`, sessionId: null }))
  const choices = new Map(ids.map((id) => [id, direct(id)]))
  for (const id of ids) {
    const choice = choices.get(id)
    if (choice && w.cooling.includes(id)) for (let i = 0; i < 3; i++) r.refuse(choice, 500)
    if (choice && w.limited.includes(id)) r.refuse(choice, 429, { 'x-limit': '3600' })
  }
  const asked = ask({
    sessionId: w.session,
    needs: { tokens: w.tokens, image: w.image, thinking: w.thinking },
    overrides: { disabled: w.disabled, allow: w.allow },
  })
  const tried = ids
    .filter((id) => w.tried.includes(id))
    .map((id) => ({ choice: choices.get(id) ?? direct(id), failure: '503' }))
  return { r, asked, tried }
}

const fits = (w: World, id: string) => {
  const facts = w.models[ids.indexOf(id)]
  return (
    !(facts?.contextWindow !== undefined && w.tokens > facts.contextWindow) && !(facts?.vision === false && w.image)
  )
}

describe('selection', () => {
  it('never picks what is disabled, not allowed or tried, nor what rests while another is there', () => {
    fc.assert(
      fc.property(world, (w) => {
        const { r, asked, tried } = build(w)
        const possible = ids.filter(
          (id) => !w.disabled.includes(id) && (w.allow === null || w.allow.includes(id)) && !w.tried.includes(id),
        )
        const good = possible.filter((id) => !w.cooling.includes(id) && !w.limited.includes(id) && fits(w, id))
        try {
          const { providerId } = r.choose(asked, tried)
          expect(possible).toContain(providerId)
          if (good.length > 0) expect(good).toContain(providerId)
          // A limit that the provider named is kept even when nothing else is left.
          expect(w.limited).not.toContain(providerId)
        } catch (error) {
          if (!OnwardError.isInstance(error)) throw error
          expect(good).toEqual([])
          expect(['no-route', 'all-resting']).toContain(error.code)
          if (error.code === 'all-resting') expect(possible.some((id) => w.limited.includes(id))).toBe(true)
        }
      }),
      runs(600),
    )
  })

  it('is the same for the same input and state, in the dry run, too', () => {
    fc.assert(
      fc.property(world, (w) => {
        const { r, asked } = build(w)
        const dry = r.explain(asked)
        expect(r.explain(asked)).toEqual(dry)
        if (dry.kind === 'goes') expect(r.choose(asked).fact).toEqual(dry.route)
        else expect(() => r.choose(asked)).toThrow(OnwardError)
        expect(build(w).r.explain(asked)).toEqual(dry)
      }),
      runs(300),
    )
  })

  it('takes a model that can’t take it when nothing else is there: the provider’s own answer is the honest one', () => {
    const r = routerScene({
      providers: { a: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1', models: { m: { contextWindow: 10 } } } },
      routes: { default: ['a.m'] },
    })
    const choice = r.choose(ask({ needs: { tokens: 11 } }))
    expect(targetOf(choice)).toBe('a.m')
    expect(choice.fact.skipped).toEqual([
      { candidate: 'a.m', why: { code: 'too-small', contextWindow: 10, tokens: 11 } },
    ])
  })

  it('tries another provider before the next key of one that is down', () => {
    const r = routerScene({
      providers: {
        a: {
          type: 'openai-chat',
          baseUrl: 'http://127.0.0.1:1',
          keys: [
            { alias: 'x', value: '1' },
            { alias: 'y', value: '2' },
          ],
          models: { m: {} },
        },
        b: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:2', models: { m: {} } },
      },
      routes: { default: ['a.m', 'b.m'] },
    })
    const a = r.choose(ask())
    expect(targetOf(r.choose(ask(), [{ choice: a, failure: 'upstream-unreachable' }]))).toBe('b.m')
    expect(r.choose(ask(), [{ choice: a, failure: '429' }]).key?.alias).toBe('y')
  })
})

describe('at a limit', () => {
  const steps = ['key', 'provider', 'wait'] as const
  const order = fc.shuffledSubarray([...steps], { minLength: 1 })
  /** every place a turn may go to, in the route's order: two keys each of three providers */
  const places = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']
  const config = (limits: ConfigInput['limits']): ConfigInput => ({
    providers: Object.fromEntries(
      ['a', 'b', 'c'].map((id) => [
        id,
        {
          type: 'openai-chat' as const,
          baseUrl: `http://127.0.0.1:1/${id}`,
          keys: ['1', '2'].map((alias) => ({ alias, value: `${id}${alias}` })),
          models: { m: {} },
        },
      ]),
    ),
    routes: { default: ['a.m', 'b.m', 'c.m'] },
    ...(limits && { limits }),
  })
  const placeOf = ({ providerId, key }: RouteChoice): string => `${providerId}${key?.alias ?? ''}`
  /** a router in which these places are limited for an hour */
  const at = (limits: ConfigInput['limits'], limited: readonly string[]) => {
    const r = routerScene(config(undefined))
    for (const place of limited) {
      const [id = '', alias = ''] = place
      const key = { providerId: id, key: alias }
      const others = places.filter((one) => one !== place).map((one) => `${one[0]}[${one[1]}]`)
      const choice = r.choose(ask({ model: `${key.providerId}.m`, sessionId: null, overrides: { disabled: others } }))
      r.refuse(choice, 429, { 'x-limit': '3600' })
    }
    r.edit(config(limits))
    return r
  }
  /** by the text of docs/configuration.md */
  function expected(order: readonly string[], limited: readonly string[]): string | null {
    const tried = order.includes('wait') ? order.slice(0, order.indexOf('wait')) : order
    const free = (place: string) => !limited.includes(place)
    const late: string[] = []
    for (const id of tried.includes('provider') ? ['a', 'b', 'c'] : ['a']) {
      const [first = '', second = ''] = places.filter((place) => place.startsWith(id))
      if (free(first)) return first
      if (!tried.includes('key') || !free(second)) continue
      if (tried.indexOf('provider') < 0 || tried.indexOf('key') < tried.indexOf('provider')) return second
      late.push(second)
    }
    return late[0] ?? null
  }

  it('the order of the config is kept, and what is not in it before `wait` never tried', () => {
    fc.assert(
      fc.property(order, fc.subarray(places), (order, limited) => {
        const r = at({ order }, limited)
        const wanted = expected(order, limited)
        if (wanted !== null) {
          expect(placeOf(r.choose(ask()))).toBe(wanted)
          return
        }
        try {
          expect(placeOf(r.choose(ask()))).toBe('nowhere')
        } catch (error) {
          if (!OnwardError.isInstance(error)) throw error
          // The client that waits learns how long, and goes on then by resume at reset.
          expect([error.code, error.details['limit']]).toMatchObject(['all-resting', { provider: limited[0]?.[0] }])
        }
      }),
      runs(400),
    )
  })

  it('what was refused for one within the turn counts as well', () => {
    const r = at({ order: ['key', 'wait'] }, ['a1'])
    const second = r.choose(ask())
    expect(placeOf(second)).toBe('a2')
    r.refuse(second, 429, { 'retry-after': '20' })
    expect(r.hasRoute(ask(), [{ choice: second, failure: '429' }])).toBe(false)
    const said = r.explain(ask())
    expect(said.kind === 'nowhere' && said.skipped.at(-1)).toEqual({
      candidate: 'c.m',
      why: { code: 'limit-waits', key: null },
    })
  })

  it('what fails otherwise goes on to the next provider all the same', () => {
    const r = at({ order: ['wait'] }, [])
    const first = r.choose(ask())
    expect(placeOf(r.choose(ask(), [{ choice: first, failure: 'upstream-unreachable' }]))).toBe('b1')
  })

  it('a model with a limit of its own makes room for the next model of its provider', () => {
    const r = routerScene({
      ...config({ order: ['wait'] }),
      routes: { default: ['a.m', 'b.m', 'a.n'] },
    })
    r.refuse(r.choose(ask()), 429, { 'x-limit': '3600', 'x-subject': 'model m' })
    expect(targetOf(r.choose(ask()))).toBe('a.n')
  })
})

const MINUTE = 60_000
const served = (r: RouterScene, patch: AskPatch = {}) => targetOf(r.serve(patch))
const down = (r: RouterScene, provider: string) => {
  const choice = r.choose(ask({ sessionId: null, model: `${provider}.m` }))
  for (let i = 0; i < 3; i++) r.refuse(choice, 500)
}

describe('a session', () => {
  it('stays where it was moved, and says since when', async () => {
    const r = routerScene(threeInOrder)
    expect(served(r)).toBe('a.m')
    down(r, 'a')
    expect(served(r)).toBe('b.m')
    const since = r.clock.now()
    await r.clock.advance(MINUTE)
    expect(served(r, { sessionId: 'new' })).toBe('a.m')
    expect(r.choose(ask())).toMatchObject({
      providerId: 'b',
      fact: { why: expect.arrayContaining([{ code: 'sticky', target: 'b.m', since }]) },
    })
  })

  it('goes back to the first when it was idle for longer than a cache lives, or after an hour aside', async () => {
    const r = routerScene(threeInOrder)
    down(r, 'a')
    expect(served(r)).toBe('b.m')
    await r.clock.advance(11 * MINUTE)
    expect(served(r)).toBe('a.m')
    down(r, 'a')
    for (let i = 0; i < 12; i++) {
      expect(served(r)).toBe('b.m')
      await r.clock.advance(5 * MINUTE)
    }
    expect(served(r)).toBe('a.m')
  })

  it('is moved at once when its route is edited, and only then', () => {
    const r = routerScene(threeInOrder)
    down(r, 'a')
    expect(served(r)).toBe('b.m')
    r.edit({ ...threeInOrder, longContextThreshold: 5 })
    expect(served(r)).toBe('b.m')
    r.edit({ ...threeInOrder, routes: { default: ['c.m', 'b.m'] } })
    expect(served(r)).toBe('c.m')
  })

  it('keeps its key', () => {
    const r = routerScene({
      providers: {
        p: {
          type: 'openai-chat',
          baseUrl: 'http://127.0.0.1:1',
          keys: [
            { alias: 'one', value: '1' },
            { alias: 'two', value: '2' },
          ],
          models: { m: {} },
        },
      },
      routes: { default: ['p.m'] },
    })
    r.refuse(r.choose(ask()), 429, { 'retry-after': '1' })
    expect(r.serve().key?.alias).toBe('two')
    return r.clock.advance(2_000).then(() => {
      expect(r.choose(ask()).key?.alias).toBe('two')
      expect(r.choose(ask({ sessionId: 'new' })).key?.alias).toBe('one')
    })
  })

  it('has a place of its own in each route', () => {
    const pools: ConfigInput = { ...threeInOrder, routes: { default: ['a.m'], thinking: ['b.m', 'c.m'] } }
    const r = routerScene(pools)
    expect(served(r)).toBe('a.m')
    down(r, 'b')
    expect(served(r, { needs: { thinking: true } })).toBe('c.m')
    expect(served(r)).toBe('a.m')
  })

  it('obeys a marker now: force and prefer go before what served it, and leave no trace', () => {
    const r = routerScene(threeInOrder)
    expect(served(r)).toBe('a.m')
    expect(served(r, { overrides: { force: 'c.m' } })).toBe('c.m')
    expect(served(r, { overrides: { prefer: 'b.m' } })).toBe('b.m')
    expect(served(r, { overrides: { disabled: ['a'] } })).toBe('b.m')
    expect(served(r)).toBe('a.m')
  })
})
