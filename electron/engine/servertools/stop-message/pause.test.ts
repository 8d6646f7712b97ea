import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, outbox, status, typed, types } = w

describe('pause', () => {
  it('holds the waiting followup; resume lets it go', async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.stop.pause(T)
    await w.world.clock.advance(600_000)
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
    expect(typed()).toEqual([])
    await w.world.stop.resume(T)
    expect(status()?.kind).toBe('injecting')
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(types().filter((t) => t === 'paused' || t === 'resumed')).toEqual(['paused', 'resumed'])
  })
  it('a stop during the pause is looked at again when it ends, over a restart, too', async () => {
    await arm()
    await w.world.begin('first', { requestId: 'r-first' })
    await w.world.stop.pause(T)
    await w.world.end('r-first')
    expect(w.world.events.findLast((e) => e.type === 'skipped')).toMatchObject({
      reason: { code: 'paused', by: 'session' },
    })
    w.world = await w.world.kill()
    expect(status()?.kind).toBe('paused')
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('a stop that was no plain one is not gone back to', async () => {
    await arm()
    await w.world.turn('do it', { finish: 'length' })
    await w.world.stop.pause(T)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual([])
  })
  it('a turn that began during the pause is waited for', async () => {
    await arm()
    await w.world.stop.pause(T)
    await w.world.turn('do it')
    const request = await w.world.begin('and this')
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.end(request)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it.each([
    ['a title', { kind: 'title' as const, hasNewMainTurn: false }],
    ['nobody knows whose', { kind: 'title' as const, hasNewMainTurn: false, sessionId: null }],
  ])('a request that runs when it ends is waited for: %s', async (_, what) => {
    await arm()
    const first = await w.world.begin('do it')
    await w.world.stop.pause(T)
    await w.world.end(first)
    const side = await w.world.begin('name it', what)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.end(side, what)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('of everything: nothing is decided, and all scopes are looked at again', async () => {
    await arm()
    await w.world.stop.pauseAll()
    await w.world.turn('do it')
    expect(w.world.events.findLast((e) => e.type === 'skipped')).toMatchObject({
      reason: { code: 'paused', by: 'global' },
    })
    await w.world.stop.resumeAll()
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('holds what a person queued, where nothing is armed', async () => {
    await w.world.turn('hello')
    await w.world.stop.pause(T)
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await w.world.clock.advance(60_000)
    expect(typed()).toEqual([])
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual(['by hand'])
  })
})
