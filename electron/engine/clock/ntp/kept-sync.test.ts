import { describe, expect, it } from 'vitest'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { hour, minute, noon, syncWorld } from './testing/sync-world.ts'

const day = 24 * hour

describe('what was learnt', () => {
  it('is there after a restart, until a server answers', async () => {
    const first = syncWorld({ a: { offsetMs: -90_000 } })
    await first.start()
    await first.clock.advance(20)
    expect(first.kept()).toEqual({ version: 1, state: first.sync.state() })
    first.sync.dispose()

    const second = syncWorld({ a: { silent: true } }, { disk: first.disk, start: noon + day })
    await second.start()
    expect(second.sync.state()).toEqual({ ...first.sync.state(), status: 'stale' })
    expect(second.wrongBy(-90_000)).toBe(0)
    await second.clock.advance(minute)
    expect(second.sync.state()).toMatchObject({
      status: 'stale',
      offsetMs: -90_000,
      lastError: 'a: no answer within 800 ms',
    })
    second.net.servers.a = { offsetMs: -95_000 }
    await second.clock.advance(hour)
    expect(second.told.map((one) => [one.status, one.offsetMs])).toEqual([['synced', -95_000]])
  })
  it('is nothing after a week', async () => {
    const first = syncWorld({ a: { offsetMs: 90_000 } })
    await first.start()
    await first.clock.advance(20)
    first.sync.dispose()
    const second = syncWorld({ a: { silent: true } }, { disk: first.disk, start: noon + 7 * day + minute })
    await second.start()
    expect(second.wrongBy(0)).toBe(0)
    await second.clock.advance(minute)
    expect(second.sync.state().status).toBe('error')
  })
  it.each<[string, string]>([
    ['no JSON', '{"version":1,'],
    ['another shape', '{"version":1,"state":{"offset":3}}'],
    [
      'an offset nobody believes',
      JSON.stringify({ version: 1, state: { status: 'synced', offsetMs: 1e12, at: noon, lastError: null } }),
    ],
  ])('is nothing in a file of %s', async (_, text) => {
    const disk = memoryFiles()
    disk.content.set('/r/clock/ntp-state.json', text)
    const world = syncWorld({ a: { offsetMs: 5 } }, { disk })
    await world.start()
    await world.clock.advance(20)
    expect(world.sync.state()).toMatchObject({ status: 'synced', offsetMs: 5 })
    expect(world.kept()).toMatchObject({ state: { offsetMs: 5 } })
  })
})

describe('a disk that', () => {
  it('refuses to be written costs nothing but a warning, and has the state once it is mended', async () => {
    const world = syncWorld({ a: { offsetMs: 5 } })
    world.files.fail('ENOSPC', 'writeAtomic')
    await world.start()
    await world.clock.advance(20)
    expect([world.sync.state().status, world.kept()]).toEqual(['synced', null])
    expect(world.warnings).toContain('the state of the time sync could not be written')
    world.files.mend()
    await world.clock.advance(hour + minute)
    expect(world.kept()).toMatchObject({ state: { status: 'synced' } })
  })
  it('refused the same before gets it again', async () => {
    const world = syncWorld({ a: { silent: true } })
    world.files.fail('ENOSPC', 'writeAtomic')
    await world.start()
    await world.clock.advance(801)
    expect(world.kept()).toBeNull()
    world.files.mend()
    await world.clock.advance(minute)
    const written = world.files.writes.length
    expect(world.kept()).toMatchObject({ state: { status: 'error' } })
    await world.clock.advance(5 * minute)
    expect(world.files.writes).toHaveLength(written)
  })
  it('refuses to be read does not keep it from asking', async () => {
    const world = syncWorld({ a: { offsetMs: 5 } })
    world.files.fail('EIO', 'read')
    await world.start()
    await world.clock.advance(20)
    expect(world.sync.state()).toMatchObject({ status: 'synced', offsetMs: 5 })
    expect(world.warnings).toContain('the state of the time sync could not be read')
  })
  it('hangs does not hold up a round', async () => {
    const world = syncWorld({ a: { offsetMs: 5 } })
    const release = world.files.hold()
    await world.start()
    await world.clock.advance(3 * hour)
    expect(world.net.asked.length).toBeGreaterThan(2)
    release()
  })
})
