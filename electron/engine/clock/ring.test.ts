import { describe, expect, it } from 'vitest'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const rung = (world: World) =>
  world.notices
    .filter(({ notice }) => notice.class === 'alarm-due')
    .map(({ notice, taskIds }) => [notice.message, taskIds.length])

describe('a person', () => {
  it('is told at the very time, once, of several of a session together', async () => {
    const world = await openWorld()
    for (const [session, task] of [
      ['s1', 'a'],
      ['s1', 'b'],
      ['s2', 'c'],
    ] as const)
      await world.set(session, 10 * minute, task)
    await world.clock.advance(10 * minute - 1)
    expect(rung(world)).toEqual([])
    await world.clock.advance(1)
    expect(rung(world)).toEqual([
      ['a', 2],
      ['c', 1],
    ])
    await world.clock.advance(10 * minute)
    expect(rung(world)).toHaveLength(2)
  })
  it('is told also of what a request took before its time, and again of a new time', async () => {
    const world = await openWorld()
    const { taskId } = await world.set('s1', 30_000)
    await (await world.alarms.reserve('s1', 'r1'))?.commit()
    expect(rung(world)).toEqual([])
    await world.clock.advance(30_000)
    expect(rung(world)).toHaveLength(1)
    await world.alarms.snooze(taskId, world.clock.now() + 10 * minute)
    await world.clock.advance(10 * minute)
    expect(rung(world)).toHaveLength(2)
  })
  it('is told though the disk is full', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    world.disk.fate = () => 'fail'
    await world.clock.advance(minute)
    expect(rung(world)).toHaveLength(1)
    await world.clock.advance(10 * minute)
    expect(rung(world)).toHaveLength(1)
  })
})

describe('the timer', () => {
  it('is there only while something waits', async () => {
    const world = await openWorld()
    expect(world.clock.pending()).toBe(0)
    const { taskId } = await world.set('s1', 90 * minute)
    expect(world.clock.pending()).toBe(1)
    await world.set('s2', 10 * minute)
    expect(world.clock.pending()).toBe(1)
    await world.alarms.clear('s2', 'user')
    await world.alarms.cancel(taskId, 'user')
    expect(world.clock.pending()).toBe(0)
  })
  it('does not run in circles while a look takes long', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    // Orders to a dying process are never answered.
    world.disk.fate = () => 'crash'
    await world.clock.advance(3 * minute)
    expect(world.clock.pending()).toBeLessThanOrEqual(1)
  })
  it('is gone when the engine ends', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    world.alarms.dispose()
    expect(world.clock.pending()).toBe(0)
    await world.clock.advance(2 * minute)
    expect(world.notices).toEqual([])
  })
})

describe("a session's file", () => {
  it('that can not be read costs its own alarms, and none of the others', async () => {
    const world = await openWorld()
    await world.set('s1', 10 * minute)
    await world.set('s2', 10 * minute)
    world.disk.files.set('clock/s1.json', '{"version":1}')
    const next = await world.kill()
    expect([next.alarms.of('s1'), next.alarms.of('s2').length]).toEqual([[], 1])
    expect(next.told().some(({ type }) => type === 'store-problem')).toBe(true)
  })
  it('goes with its last alarm, and has every field', async () => {
    const world = await openWorld({ places: new Map([['s1', 'tmux:s1']]) })
    const task = await world.set('s1', 10 * minute)
    expect(JSON.parse(world.disk.files.get('clock/s1.json') ?? '')).toEqual({
      sessionId: 's1',
      scope: 'tmux:s1',
      tasks: [task],
      updatedAtMs: world.clock.now(),
    })
    await world.alarms.cancel(task.taskId, 'model')
    expect(world.disk.files.has('clock/s1.json')).toBe(false)
  })
})
