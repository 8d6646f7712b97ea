import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hour, minute, syncWorld } from './testing/sync-world.ts'
import { runs } from '../../../../shared/testing/runs.ts'

async function syncedWorld(offsetMs: number) {
  const world = syncWorld({ a: { offsetMs } })
  await world.start()
  await world.clock.advance(minute)
  return world
}

describe('a computer whose clock is set', () => {
  it('asks at once, and is right meanwhile when it went back', async () => {
    const world = await syncedWorld(500)
    world.setWall(-2 * hour)
    expect(world.wrongBy(500)).toBe(0)
    await world.clock.advance(0)
    expect(world.net.asked).toHaveLength(2)
    await world.clock.advance(20)
    expect(world.wrongBy(500)).toBe(0)
    expect(world.told.map((one) => one.offsetMs)).toEqual([500, 2 * hour + 500])
  })
  it('is right when it was put right', async () => {
    const world = await syncedWorld(40 * minute)
    world.net.servers.a = { silent: true }
    world.setWall(40 * minute)
    expect(world.wrongBy(40 * minute)).toBe(0)
    await world.clock.advance(800)
    expect(world.sync.state()).toMatchObject({ status: 'stale', offsetMs: 0, lastError: 'a: no answer within 800 ms' })
  })
  it('is noticed at the next round when nobody reads the time', async () => {
    const world = await syncedWorld(0)
    world.setWall(30 * minute)
    await world.clock.advance(hour)
    expect(world.wrongBy(0)).toBe(0)
    expect(world.net.asked).toHaveLength(2)
  })
  it('while a server is asked gets its answer right, and asks once more', async () => {
    const world = syncWorld({ a: { offsetMs: 0, thereMs: 150, backMs: 150 } })
    await world.start()
    await world.clock.advance(100)
    world.setWall(-hour)
    // No caller reads the time meanwhile.
    await world.clock.advance(minute)
    expect([world.net.asked.length, world.sync.state().status, world.wrongBy(0)]).toEqual([2, 'synced', 0])
  })
  it('is not in doubt any more once a server answered', async () => {
    const world = await syncedWorld(0)
    world.setWall(-hour)
    world.sync.clock.now()
    await world.clock.advance(minute)
    world.net.servers.a = { silent: true }
    await world.clock.advance(hour)
    expect(world.sync.state()).toMatchObject({ status: 'synced', lastError: 'a: no answer within 800 ms' })
  })
  it('again and again asks no more than every 15 seconds', async () => {
    const world = await syncedWorld(0)
    const before = world.net.asked.length
    for (let second = 0; second < 60; second++) {
      world.setWall(-5000)
      expect(world.wrongBy(0)).toBe(0)
      await world.clock.advance(1000)
    }
    expect(world.net.asked.length - before).toBeLessThanOrEqual(5)
    expect(world.net.asked.length - before).toBeGreaterThan(2)
  })
  it('by less than a second does nothing', async () => {
    const world = await syncedWorld(0)
    world.setWall(1000)
    expect(world.wrongBy(0)).toBe(1000)
    await world.clock.advance(minute)
    expect(world.net.asked).toHaveLength(1)
  })
  it('never has a wrong time for longer than a round takes, whatever it is set to', async () => {
    const jump = fc.integer({ min: -10 * hour, max: 10 * hour }).filter((ms) => Math.abs(ms) > 1000)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -hour, max: hour }),
        fc.array(jump, { minLength: 1, maxLength: 2 }),
        async (offset, jumps) => {
          const world = await syncedWorld(offset)
          for (const ms of jumps) {
            world.setWall(ms)
            world.sync.clock.now()
            await world.clock.advance(16_000)
            expect(world.wrongBy(offset)).toBe(0)
          }
          expect(world.sync.state().status).toBe('synced')
          world.sync.dispose()
        },
      ),
      runs(25),
    )
  })
})
