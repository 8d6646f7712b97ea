import { describe, expect, it } from 'vitest'
import { hour, minute, syncWorld } from './testing/sync-world.ts'

const disabled = { status: 'disabled', offsetMs: 0, at: null, lastError: null }

describe('a time sync that is off', () => {
  it('by its environment asks nobody and writes nothing, ever', async () => {
    const world = syncWorld({ a: { offsetMs: 5000 } }, { env: { ROUTECODEX_CLOCK_NTP: 'Off' } })
    expect(world.sync.state()).toEqual(disabled)
    await world.start()
    expect(world.clock.pending()).toBe(0)
    await world.clock.advance(10 * hour)
    expect([world.sync.state(), world.net.asked, world.told, world.disk.content.size, world.wrongBy(0)]).toEqual([
      disabled,
      [],
      [],
      0,
      0,
    ])
  })
  it('by its config looks into that again, and asks when it is on', async () => {
    const world = syncWorld({ a: { offsetMs: 5000 } }, { config: { enabled: false } })
    await world.start()
    await world.clock.advance(2 * hour)
    expect([world.sync.state(), world.net.asked, world.told]).toEqual([disabled, [], []])
    world.config.enabled = true
    await world.clock.advance(hour + minute)
    expect(world.told).toMatchObject([{ status: 'synced', offsetMs: 5000 }])
    world.config.enabled = false
    await world.clock.advance(hour + minute)
    expect(world.told.map((one) => one.status)).toEqual(['synced', 'disabled'])
    expect([world.wrongBy(0), world.net.asked.length]).toEqual([0, 1])
    // The offset of before is not forgotten.
    world.config.enabled = true
    world.net.servers.a = { silent: true }
    await world.clock.advance(hour + minute)
    expect(world.sync.state()).toMatchObject({ status: 'stale', offsetMs: 5000 })
  })
  it('while a server is asked does not hear the answer', async () => {
    const world = syncWorld({ a: { offsetMs: 5000 } })
    await world.start()
    world.config.enabled = false
    await world.clock.advance(20)
    expect([world.sync.state(), world.told, world.wrongBy(0)]).toEqual([disabled, [disabled], 0])
  })
  it('does not watch the clock', async () => {
    const world = syncWorld({ a: {} }, { config: { enabled: false } })
    await world.start()
    world.setWall(-hour)
    expect(world.wrongBy(0)).toBe(-hour)
    await world.clock.advance(minute)
    expect(world.net.asked).toEqual([])
  })
})

describe('servers of the config', () => {
  it('are looked at anew in every round', async () => {
    const world = syncWorld({ a: {}, b: { offsetMs: 100 } }, { config: { servers: ['a'] } })
    await world.start()
    world.config.servers = ['b:1123']
    await world.clock.advance(hour + minute)
    expect(world.net.asked).toEqual(['a', 'b:1123'])
    expect(world.sync.state().offsetMs).toBe(100)
  })
})
