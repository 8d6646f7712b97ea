import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { ask, routerScene, targetOf, threeInOrder, type AskPatch, type RouterScene } from './testing/scene.ts'

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
