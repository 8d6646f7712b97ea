import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../shared/words.ts'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const [from, to]: readonly [Scope, Scope] = ['tmux:old', 'tmux:new']

/** as assembly/goals/automation.ts does it */
const move = async (world: World) => {
  world.places.set('s1', to)
  await world.outboxes.rebind(from, to)
  await world.alarms.move(from, to)
}
const typed = (world: World) => [from, to].map((scope) => world.target(scope).typed.length)
const open = async (): Promise<World> => {
  const world = await openWorld({ places: new Map([['s1', from]]) })
  world.target(to)
  await world.end(await world.begin('s1'), 's1')
  return world
}
/** the session's client begins and ends a turn in its terminal */
const turn = async (world: World, text?: string) => {
  await world.end(await world.begin('s1', text), 's1')
}

describe('a session that moves to another terminal', () => {
  it('before its alarm is due is told there', async () => {
    const world = await open()
    await world.set('s1', 10 * minute)
    await move(world)
    await turn(world)
    await world.clock.advance(11 * minute)
    expect(typed(world)).toEqual([0, 1])
  })
  it('waits in its queue before its client is known there again', async () => {
    const world = await open()
    await world.set('s1', 10 * minute)
    await move(world)
    // until its next request only the alarm itself knows where its terminal is
    world.places.delete('s1')
    world.places.set('someone else', to)
    await world.clock.advance(11 * minute)
    expect(world.alarms.of('s1')).toMatchObject([{ claim: { route: 'terminal' } }])
  })
  it('waits in no queue while neither its client nor its terminal is known', async () => {
    const world = await open()
    await world.set('s1', 10 * minute)
    await move(world)
    world.places.delete('s1')
    await world.clock.advance(11 * minute)
    expect(world.alarms.of('s1')[0]).not.toHaveProperty('claim')
  })
  it('takes along what waits in the queue', async () => {
    const world = await open()
    await world.begin('s1')
    await world.set('s1', 0)
    await world.clock.advance(minute)
    await move(world)
    await turn(world)
    await world.clock.advance(5_000)
    expect(typed(world)).toEqual([0, 1])
    await turn(world, world.target(to).typed[0]?.text)
    await world.clock.advance(0)
    expect(world.alarms.of('s1')).toMatchObject([{ deliveryCount: 1 }])
  })
  it('after its alarm was typed is not told again', async () => {
    const world = await open()
    await world.set('s1', 0)
    await world.clock.advance(1_000)
    expect(typed(world)).toEqual([1, 0])
    await move(world)
    await turn(world)
    await world.clock.advance(5 * minute)
    expect(typed(world)).toEqual([1, 0])
    expect(world.alarms.missed()).toMatchObject([{ why: 'unknown' }])
  })
  it.each(['request', 'cancel', 'edit'] as const)(
    'half way is not told of what a %s takes out of the queue',
    async (what) => {
      const world = await open()
      await world.begin('s1')
      const { taskId } = await world.set('s1', 0)
      await world.clock.advance(minute)
      const moving = move(world)
      const other =
        what === 'request'
          ? world.alarms.reserve('s1', 'r-next')
          : what === 'cancel'
            ? world.alarms.cancel(taskId, 'user')
            : world.alarms.edit(taskId, { dueAtMs: world.clock.now() + 60 * minute }, 'user')
      const took = await other.then(
        (value) => value !== null,
        () => false,
      )
      await moving
      await turn(world)
      await world.clock.advance(5 * minute)
      expect(typed(world)).toEqual([0, took ? 0 : 1])
    },
  )
  it.each([1, 2, 3, 4])('has its alarm once, though the process dies at write %d', async (n) => {
    const world = await open()
    await world.begin('s1')
    await world.set('s1', 0)
    await world.clock.advance(minute)
    let writes = 0
    world.disk.fate = () => (++writes === n ? 'crash-after' : 'ok')
    void move(world)
    await world.clock.advance(0)
    const next = await world.kill()
    next.places.set('s1', to)
    await turn(next)
    next.alarms.deliver('s1')
    await next.clock.advance(5 * minute)
    expect(typed(next)).toEqual([0, 1])
  })
})

describe('a conversation that goes on under another id', () => {
  const rename = async (world: World) => {
    world.places.set('s2', from)
    await world.alarms.rename('s1', 's2')
    await (await world.outboxes.of(from)).exclusive((transaction) => transaction.rename('s1', 's2'))
  }

  it('takes its alarms along, and has each once', async () => {
    const world = await open()
    await world.set('s1', 10 * minute)
    await rename(world)
    await world.alarms.rename('s1', 's2')
    expect(world.alarms.of('s1')).toEqual([])
    await world.end(await world.begin('s2'), 's2')
    await world.clock.advance(11 * minute)
    expect(world.typed('s2')).toHaveLength(1)
    expect(world.told('s2').some(({ type }) => type === 'alarm-claimed')).toBe(true)
  })

  it('takes one along that waits in the queue', async () => {
    const world = await open()
    const requestId = await world.begin('s1')
    await world.set('s1', 0)
    await world.clock.advance(minute)
    await rename(world)
    await world.end(requestId, 's1')
    await world.clock.advance(5_000)
    expect(world.typed('s2')).toHaveLength(1)
    await world.end(await world.begin('s2', world.typed('s2')[0]), 's2')
    expect(world.alarms.of('s2')).toMatchObject([{ deliveryCount: 1 }])
  })

  it.each([1, 2, 3])('has it once, though the process dies at write %d', async (n) => {
    const world = await open()
    await world.set('s1', 10 * minute)
    let writes = 0
    world.disk.fate = () => (++writes === n ? 'crash-after' : 'ok')
    void rename(world)
    await world.clock.advance(0)
    const next = await world.kill()
    await rename(next)
    expect([...next.alarms.of('s1'), ...next.alarms.of('s2')]).toHaveLength(1)
  })
})
