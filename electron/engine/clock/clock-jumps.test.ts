import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../shared/words.ts'
import { openWorld, type World, type WorldOptions } from './testing/world.ts'

const minute = 60_000

/** A world whose wall clock is set while its timers run on, as after sleep or by the time sync. */
async function shifted(options: WorldOptions = {}): Promise<{ world: World; jump(ms: number): void }> {
  let shift = 0
  const world = await openWorld({ ...options, shift: () => shift })
  return {
    world,
    jump(ms) {
      shift += ms
    },
  }
}
const kinds = (world: World) => world.notices.map(({ notice, taskIds }) => [notice.class, taskIds.length])

describe('when the time jumps', () => {
  it('forward, what is due rings with the next tick, and at once where somebody says so', async () => {
    const { world, jump } = await shifted()
    await world.set('s1', 30 * minute)
    await world.clock.advance(0)
    jump(31 * minute)
    await world.clock.advance(1_000)
    expect(kinds(world)).toEqual([])
    world.alarms.deliver(null)
    await world.clock.advance(0)
    expect(kinds(world)).toEqual([['alarm-due', 1]])
    await world.set('s1', 30 * minute, 'other')
    await world.clock.advance(0)
    jump(31 * minute)
    await world.clock.advance(minute)
    expect(kinds(world)).toContainEqual(['alarm-due', 1])
    expect(world.alarms.of('s1').every(({ rangAtMs }) => rangAtMs !== undefined)).toBe(true)
  })
  it('over the whole life of several, they are missed with one notice', async () => {
    const { world, jump } = await shifted()
    for (const session of ['s1', 's2', 's3']) await world.set(session, 5 * minute, session)
    await world.set('s1', 3 * 60 * minute, 'later')
    jump(60 * minute)
    world.alarms.deliver(null)
    await world.clock.advance(1_000)
    expect(kinds(world)).toEqual([['alarm-missed', 3]])
    expect(world.notices[0]?.notice).toMatchObject({ more: 2 })
    expect(world.alarms.next()).toMatchObject({ waiting: 1 })
  })
  it('back, what was delivered is not delivered again, and what rang does not ring again', async () => {
    const places = new Map<string, Scope>([['s1', 'tmux:s1']])
    const { world, jump } = await shifted({ places })
    await world.end(await world.begin('s1'), 's1')
    await world.set('s1', minute)
    await world.clock.advance(minute + 5_000)
    await world.end(await world.begin('s1', world.typed('s1')[0]), 's1')
    jump(-30 * minute)
    world.alarms.deliver(null)
    await world.clock.advance(90 * minute)
    expect(world.typed('s1')).toHaveLength(1)
    expect(kinds(world)).toEqual([['alarm-due', 1]])
    expect([world.alarms.of('s1'), world.alarms.missed()]).toEqual([[], []])
  })
  it('back, what is not due yet waits for its time', async () => {
    const { world, jump } = await shifted()
    await world.set('s1', minute)
    jump(-10 * minute)
    await world.clock.advance(9 * minute)
    expect(await world.alarms.reserve('s1', 'r1')).toBeNull()
    await world.clock.advance(2 * minute)
    expect(await world.alarms.reserve('s1', 'r1')).not.toBeNull()
  })
  it('back after a crash between ledger and file, what was told as missed stays missed', async () => {
    const { world, jump } = await shifted()
    await world.set('s1', 0)
    await world.alarms.idle()
    world.disk.fate = (path) => (path === 'clock/s1.json' ? 'crash' : 'ok')
    jump(21 * minute)
    world.alarms.deliver(null)
    await world.clock.advance(minute)
    jump(-21 * minute)
    const next = await world.kill()
    expect([next.alarms.missed().length, next.alarms.of('s1')]).toEqual([1, []])
    expect(await next.alarms.reserve('s1', 'r1')).toBeNull()
  })
})

describe('after a restart', () => {
  it('what is due is delivered once, what is over is missed, told in one notice', async () => {
    const places = new Map<string, Scope>([['s1', 'tmux:s1']])
    let world = await openWorld({ places })
    await world.end(await world.begin('s1'), 's1')
    for (const [session, inMs] of [
      ['s1', 30 * minute],
      ['s2', minute],
      ['s3', 2 * minute],
    ] as const)
      await world.set(session, inMs, session)
    world.alarms.dispose()
    await world.clock.advance(40 * minute)
    world = await world.kill()
    await world.clock.advance(5_000)
    expect(world.typed('s1')).toHaveLength(1)
    expect(kinds(world)).toEqual([
      ['alarm-due', 1],
      ['alarm-missed', 2],
    ])
    world = await world.kill()
    await world.clock.advance(5_000)
    expect([world.typed('s1').length, kinds(world)]).toEqual([1, []])
  })
})
