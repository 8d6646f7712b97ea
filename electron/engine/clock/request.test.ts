import { describe, expect, it } from 'vitest'
import { openWorld } from './testing/world.ts'

const minute = 60_000

describe('a request', () => {
  it.each([
    [61_000, false],
    [60_000, true],
    [0, true],
    [-20 * minute, true],
  ])('takes along what is due in %d ms: %s', async (inMs, takes) => {
    const world = await openWorld()
    await world.set('s1', inMs)
    expect((await world.alarms.reserve('s1', 'r1')) !== null).toBe(takes)
    expect(await world.alarms.reserve('s2', 'r2')).toBeNull()
  })

  it('takes all that is due in one message, and a request beside it nothing', async () => {
    const world = await openWorld()
    for (const task of ['a', 'b']) await world.set('s1', 0, task)
    await world.set('s1', 5 * minute, 'later')
    const both = await Promise.all(['r1', 'r2'].map((id) => world.alarms.reserve('s1', id)))
    expect(both.filter((one) => one !== null)).toMatchObject([
      { text: expect.stringMatching(/^2 alarms[^]*"a"[^]*"b"/) },
    ])
  })

  it('tells that the system completes missing tools', async () => {
    const world = await openWorld()
    await world.set('s1', 0)
    expect((await world.alarms.reserve('s1', 'r1'))?.text).toMatch(
      /you may call tools for it, and the system completes the list of tools where some are missing\./,
    )
  })

  it('does not get back what it set itself, nor its further rounds; the next one does', async () => {
    const world = await openWorld()
    await world.alarms.schedule('s1', [{ dueAtMs: world.clock.now() + 30_000, task: 'soon' }], {
      by: 'model',
      requestId: 'r1',
    })
    expect(await world.alarms.reserve('s1', 'r1')).toBeNull()
    expect(await world.alarms.reserve('s1', 'r1:2')).toBeNull()
    expect(world.alarms.holdFor('s1', 'r1:2')).toBeNull()
    expect(await world.alarms.reserveHeld('s1', 'r1')).toBeNull()
    expect(await world.alarms.reserve('s1', 'r2')).not.toBeNull()
  })

  it('that set one for later may get it', async () => {
    const world = await openWorld()
    await world.alarms.schedule('s1', [{ dueAtMs: world.clock.now() + 90_000, task: 'later' }], {
      by: 'model',
      requestId: 'r1',
    })
    await world.clock.advance(minute)
    expect(await world.alarms.reserve('s1', 'r1:2')).not.toBeNull()
  })

  it('does not tell of one twice that it takes along already', async () => {
    const world = await openWorld()
    await world.set('s1', 0, 'a')
    const first = await world.alarms.reserve('s1', 'r1')
    await world.set('s1', 0, 'b')
    const second = await world.alarms.reserveHeld('s1', 'r1')
    expect(second?.text).toMatch(/^An alarm[^]*"b"/)
    await first?.commit()
    await second?.release('client-left')
    expect(world.alarms.of('s1').map(({ task, deliveryCount }) => [task, deliveryCount])).toEqual([
      ['a', 1],
      ['b', 0],
    ])
  })

  it('delivers with its answer: counted, told, written down; a second word on it changes nothing', async () => {
    const world = await openWorld()
    const task = await world.set('s1', 0)
    const taken = await world.alarms.reserve('s1', 'r1')
    await taken?.commit()
    await taken?.release('client-left')
    const next = await world.kill()
    expect(next.alarms.of('s1')).toMatchObject([
      { taskId: task.taskId, deliveryCount: 1, deliveredAtMs: next.clock.now() },
    ])
    expect(await next.alarms.reserve('s1', 'r2')).toBeNull()
    expect(world.told('s1').map(({ type }) => type)).toEqual([
      'alarm-set',
      'alarm-rang',
      'alarm-claimed',
      'alarm-delivered',
    ])
  })

  it('that ended without an answer gives it back; once over it is missed', async () => {
    const world = await openWorld()
    await world.set('s1', 0)
    const taken = await world.alarms.reserve('s1', 'r1')
    await world.clock.advance(30 * minute)
    expect(world.alarms.missed()).toEqual([])
    await taken?.release('upstream-failed')
    await world.clock.advance(0)
    expect(world.alarms.missed()).toMatchObject([{ why: 'expired' }])
  })

  it.each(['crash', 'crash-after'] as const)(
    'under way when the process dies (%s of its answer): missed as unknown or delivered, never sent again',
    async (fate) => {
      const world = await openWorld()
      await world.set('s1', 0)
      const taken = await world.alarms.reserve('s1', 'r1')
      world.disk.fate = () => fate
      void taken?.commit()
      await world.clock.advance(0)
      const next = await world.kill()
      expect(next.alarms.missed().map(({ why }) => why)).toEqual(fate === 'crash' ? ['unknown'] : [])
      expect(await next.alarms.reserve('s1', 'r2')).toBeNull()
      await next.clock.advance(60 * minute)
      expect(next.alarms.missedCount()).toBe(fate === 'crash' ? 1 : 0)
    },
  )

  it('under way when the process died is settled later where the ledger refused it at the start', async () => {
    const world = await openWorld()
    await world.set('s1', 0)
    await world.alarms.reserve('s1', 'r1')
    const starting = world.kill()
    world.disk.fate = (path) => (path.endsWith('missed.jsonl') ? 'fail' : 'ok')
    const next = await starting
    expect(next.alarms.missedCount()).toBe(0)
    next.disk.fate = () => 'ok'
    await next.clock.advance(2 * minute)
    expect(next.alarms.missed()).toMatchObject([{ why: 'unknown' }])
  })

  it('goes without where the disk refuses the claim', async () => {
    const world = await openWorld()
    await world.set('s1', 0)
    world.disk.fate = () => 'fail'
    expect(await world.alarms.reserve('s1', 'r1')).toBeNull()
    world.disk.fate = () => 'ok'
    expect(await world.alarms.reserve('s1', 'r2')).not.toBeNull()
  })
})

describe('an answer held open', () => {
  it.each([
    [59_000, true],
    [60_000, true],
    [61_000, false],
  ])('waits for one due in %d ms: %s', async (inMs, waits) => {
    const world = await openWorld()
    const { dueAtMs } = await world.set('s1', inMs)
    expect(world.alarms.holdFor('s1', 'r1')).toEqual(waits ? { dueAtMs, at: dueAtMs } : null)
  })
  it.each<[string, (world: Awaited<ReturnType<typeof openWorld>>) => void]>([
    ['has a terminal', (world) => world.places.set('s1', 'tmux:s1')],
    ['is paused', (world) => world.paused.add('s1')],
    [
      'may not be held',
      (world) => {
        world.rules.holdMaxMs = 0
      },
    ],
  ])('is none where the session %s', async (_, change) => {
    const world = await openWorld()
    await world.set('s1', 30_000)
    change(world)
    expect(world.alarms.holdFor('s1', 'r1')).toBeNull()
  })
  it.each<[number, boolean]>([
    [0, true],
    [59 * 60_000, true],
    [61 * 60_000, false],
  ])('keeps its end back for an alarm %i ms ahead: %s', async (ahead, keeps) => {
    const world = await openWorld()
    await world.set('s1', ahead)
    expect(world.alarms.mayHold('s1')).toBe(keeps)
    expect(world.alarms.mayHold('s2')).toBe(false)
    world.places.set('s1', 'tmux:s1')
    expect(world.alarms.mayHold('s1')).toBe(false)
  })
  it('takes it at its time and not before', async () => {
    const world = await openWorld()
    await world.set('s1', 30_000)
    expect(await world.alarms.reserveHeld('s1', 'r1')).toBeNull()
    await world.clock.advance(30_000)
    const taken = await world.alarms.reserveHeld('s1', 'r1')
    await taken?.commit()
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'delivered', route: 'hold' } }])
  })
})
