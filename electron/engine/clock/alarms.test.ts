import { describe, expect, it } from 'vitest'
import { openWorld } from './testing/world.ts'

const minute = 60_000

describe('an alarm', () => {
  it('is typed into its terminal at its time, and delivered when its receipt comes', async () => {
    const world = await openWorld({ places: new Map([['s1', 'tmux:s1']]) })
    await world.end(await world.begin('s1'), 's1')
    await world.set('s1', 20 * minute)
    await world.clock.advance(20 * minute - 1)
    expect(world.typed('s1')).toEqual([])
    await world.clock.advance(5_000)
    expect(world.typed('s1')).toEqual([
      'An alarm is due: [scheduled task:"look at it"] due ' +
        '2026-11-21T14:20:00+00:00. Do this now; you may call tools for it, and the system completes missing ones.',
    ])
    expect(world.alarms.of('s1')).toMatchObject([{ claim: { route: 'terminal' } }])
    await world.begin('s1', world.typed('s1')[0])
    await world.clock.advance(0)
    expect(world.alarms.of('s1')).toMatchObject([{ deliveryCount: 1 }])
    expect(world.told('s1').map(({ type }) => type)).toEqual([
      'alarm-set',
      'alarm-rang',
      'alarm-claimed',
      'alarm-delivered',
    ])
    expect(world.notices.map(({ notice }) => notice)).toMatchObject([
      { class: 'alarm-due', message: 'look at it', more: 0 },
    ])
    await world.clock.advance(60 * minute)
    expect(world.alarms.of('s1')).toEqual([])
    expect([...world.disk.files.keys()].filter((name) => name.startsWith('clock/s1'))).toEqual([])
    expect(world.alarms.missed()).toEqual([])
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'delivered', route: 'terminal' } }])
  })

  it.each(['missed', 'history'])('rings though its %s can’t be read', async (name) => {
    const before = await openWorld()
    await before.set('s1', minute)
    const { disk } = before
    before.store.crash()
    before.alarms.dispose()
    disk.fate = (path) => (path === `read clock/${name}.jsonl` ? 'fail' : 'ok')
    const world = await openWorld({ disk, clock: before.clock })
    expect(world.told()).toMatchObject([{ type: 'store-problem', file: `clock/${name}.jsonl` }])
    await world.clock.advance(minute)
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due'])
  })

  it('without any way is missed when its time is over', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    await world.clock.advance(21 * minute + 1_000)
    expect(world.alarms.missed()).toMatchObject([{ why: 'expired', task: { task: 'look at it' } }])
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due', 'alarm-missed'])
    expect(world.clock.pending()).toBe(0)
  })

  it('goes with the next request of its session, once', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    await world.clock.advance(10_000)
    const first = await world.alarms.reserve('s1', 'r1')
    expect(first?.text).toContain('[scheduled task:"look at it"]')
    expect(await world.alarms.reserve('s1', 'r2')).toBeNull()
    await first?.release('upstream-failed')
    const second = await world.alarms.reserve('s1', 'r3')
    await second?.commit()
    expect(await world.alarms.reserve('s1', 'r4')).toBeNull()
    expect(world.alarms.of('s1')).toMatchObject([{ deliveryCount: 1 }])
  })

  it('is taken out of the queue of a busy terminal by the next request', async () => {
    const world = await openWorld({ places: new Map([['s1', 'tmux:s1']]) })
    const running = await world.begin('s1')
    await world.set('s1', minute)
    await world.clock.advance(2 * minute)
    expect(world.typed('s1')).toEqual([])
    const taken = await world.alarms.reserve('s1', 'r-next')
    expect(taken).not.toBeNull()
    await taken?.commit()
    await world.end(running, 's1')
    await world.clock.advance(5 * minute)
    expect(world.typed('s1')).toEqual([])
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'delivered', route: 'request' } }])
  })
})
