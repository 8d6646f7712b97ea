import { describe, expect, it } from 'vitest'
import { createTimeSync } from './time-sync.ts'
import { hour, minute, noon, syncWorld } from './ntp/testing/sync-world.ts'

describe('the time', () => {
  it("is this computer's own until a server answers, and the server's from then on", async () => {
    const world = syncWorld({ a: { offsetMs: 90_000 } })
    expect(world.sync.state()).toEqual({ status: 'stale', offsetMs: 0, at: null, lastError: null })
    await world.start()
    expect([world.net.asked, world.wrongBy(0)]).toEqual([['a'], 0])
    await world.clock.advance(20)
    expect(world.sync.state()).toEqual({ status: 'synced', offsetMs: 90_000, at: noon + 20 + 90_000, lastError: null })
    expect(world.wrongBy(90_000)).toBe(0)
    expect(world.sync.clock.monotonic()).toBe(world.clock.monotonic())
    expect(world.told).toEqual([world.sync.state()])
    expect(world.net.openSockets()).toBe(0)
  })

  it('is asked for every hour, more or less, and told of only when it changed', async () => {
    const world = syncWorld({ a: { offsetMs: 1000 } })
    world.chance.fraction = 0
    await world.start()
    await world.clock.advance(20)
    await world.clock.advance(54 * minute - 1)
    expect(world.net.asked).toHaveLength(1)
    world.net.servers.a = { offsetMs: 1050 }
    world.chance.fraction = 1
    await world.clock.advance(21)
    expect([world.net.asked.length, world.sync.state().offsetMs, world.told.length]).toEqual([2, 1050, 1])
    await world.clock.advance(66 * minute - 21)
    expect(world.net.asked).toHaveLength(2)
    world.net.servers.a = { offsetMs: 1051 }
    await world.clock.advance(41)
    expect([world.net.asked.length, world.told.map((one) => one.offsetMs)]).toEqual([3, [1000, 1051]])
  })

  it('comes from the first server that has it', async () => {
    const world = syncWorld({
      silent: { silent: true },
      gone: { unreachable: true },
      unset: { says: { leap: 3 } },
      far: { offsetMs: 25 * hour },
      good: { offsetMs: 7 },
    })
    await world.start()
    await world.clock.advance(799)
    expect(world.net.asked).toEqual(['silent'])
    await world.clock.advance(61)
    expect(world.net.asked).toEqual(['silent', 'gone', 'unset', 'far', 'good'])
    expect(world.sync.state()).toMatchObject({ status: 'synced', offsetMs: 7, lastError: null })
    expect(world.net.openSockets()).toBe(0)
  })

  it('is not there without servers: why is told once, and they are asked again soon, then seldom', async () => {
    const world = syncWorld({ silent: { silent: true }, far: { offsetMs: -25 * hour }, 'x:y:z': {} })
    await world.start()
    await world.clock.advance(820)
    const lastError =
      "silent: no answer within 800 ms; far: it says that this computer's time is off by " +
      '25.0 hours; more than 24 are not believed; x:y:z: is no host or host:port'
    expect(world.told).toEqual([{ status: 'error', offsetMs: 0, at: null, lastError }])
    const rounds: number[] = []
    for (let minutes = 0; minutes < 240; minutes++) {
      const before = world.net.asked.length
      await world.clock.advance(minute)
      if (world.net.asked.length > before) rounds.push(minutes)
    }
    expect(rounds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
    expect(world.told).toHaveLength(1)
    world.net.servers.silent = { offsetMs: 3 }
    await world.clock.advance(hour)
    expect(world.sync.state()).toMatchObject({ status: 'synced', lastError: null })
  })

  it('stays as good as it is as long as servers answer, and is asked for again soon when they do not', async () => {
    const world = syncWorld({ a: {} })
    await world.start()
    await world.clock.advance(10 * hour + minute)
    expect([world.told.map((one) => one.status), world.net.asked.length]).toEqual([['synced'], 11])
    world.net.servers.a = { silent: true }
    await world.clock.advance(hour + 4 * minute)
    world.net.servers.a = {}
    await world.clock.advance(10 * minute)
    expect(world.sync.state()).toMatchObject({ status: 'synced', lastError: null })
    const asked = world.net.asked.length
    await world.clock.advance(45 * minute)
    expect(world.net.asked).toHaveLength(asked)
  })

  it('is stale when nobody said it for three refreshes', async () => {
    const world = syncWorld({ a: { offsetMs: 400 } })
    await world.start()
    await world.clock.advance(20)
    world.net.servers.a = { silent: true }
    await world.clock.advance(3 * hour - 1)
    expect(world.sync.state()).toMatchObject({ status: 'synced', lastError: 'a: no answer within 800 ms' })
    await world.clock.advance(1)
    expect(world.told.map((one) => one.status)).toEqual(['synced', 'stale'])
    await world.clock.advance(2 * hour)
    expect(world.sync.state()).toMatchObject({ status: 'stale', offsetMs: 400 })
    expect(world.wrongBy(400)).toBe(0)
    expect(world.told).toHaveLength(2)
  })

  it('is not asked of a server that wants to be left alone for an hour', async () => {
    const world = syncWorld(
      { kiss: { says: { stratum: 0, leap: 3, code: 'RATE' } }, good: {} },
      { config: { refreshMs: 10 * minute } },
    )
    await world.start()
    await world.clock.advance(55 * minute)
    expect(world.net.asked).toEqual(['kiss', ...Array.from({ length: 6 }, () => 'good')])
    world.net.servers.good = { silent: true }
    await world.clock.advance(2 * minute)
    expect(world.sync.state()).toMatchObject({ status: 'synced' })
    world.net.servers.kiss = {}
    await world.clock.advance(15 * minute)
    expect(world.net.asked.filter((server) => server === 'kiss').length).toBeGreaterThan(1)
  })

  it('is not asked for again as long as another round runs, and not at all behind its end', async () => {
    const world = syncWorld({ a: { silent: true } })
    await world.start()
    world.sync.dispose()
    await world.clock.advance(0)
    expect([world.net.openSockets(), world.clock.pending(), world.told]).toEqual([0, 0, []])
    await world.clock.advance(hour)
    expect(world.net.asked).toEqual(['a'])
  })

  it('needs nothing before it starts', () => {
    const no = (): never => {
      throw new Error('asked too early')
    }
    const sync = createTimeSync({
      store: { document: no, read: no, list: no, newestFirst: no, flush: no, fold: no },
      clock: { now: () => noon, monotonic: no, after: no },
      random: { uuid: no, token: no, fraction: no },
      log: { debug: no, info: no, warn: no, error: no, child: no },
      env: { ROUTECODEX_CLOCK_NTP: 'off' },
      config: no,
      udp: { addresses: no, open: no },
    })
    expect([sync.state().status, sync.clock.now()]).toEqual(['disabled', noon])
  })
})
