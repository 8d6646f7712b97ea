import { describe, expect, it } from 'vitest'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const missedOne = async (session = 's1'): Promise<{ world: World; key: string; taskId: string }> => {
  const world = await openWorld()
  const { taskId } = await world.set(session, minute)
  await world.clock.advance(22 * minute)
  return { world, key: world.alarms.missed()[0]?.key ?? '', taskId }
}

describe('a missed alarm', () => {
  it('stays listed over restarts until a person dismisses it, and is told once', async () => {
    const { world, key } = await missedOne()
    const next = await world.kill()
    await next.clock.advance(minute)
    expect([next.alarms.missedCount(), next.notices]).toEqual([1, []])
    await next.alarms.settleMissed(key, { kind: 'dismiss' })
    await expect(next.alarms.settleMissed(key, { kind: 'dismiss' })).rejects.toMatchObject({ code: 'missed-unknown' })
    expect((await next.kill()).alarms.missedCount()).toBe(0)
  })
  it('is delivered now on request', async () => {
    const { world, key } = await missedOne()
    await world.alarms.settleMissed(key, { kind: 'deliver' })
    expect(world.alarms.missedCount()).toBe(0)
    await (await world.alarms.reserve('s1', 'r1'))?.commit()
    expect(world.alarms.history().map(({ end }) => end.kind)).toEqual(['delivered', 'rescheduled', 'missed'])
  })
  it.each(['reschedule', 'snooze'] as const)('rings again later: %s', async (how) => {
    const { world, key, taskId } = await missedOne()
    const dueAtMs = world.clock.now() + 10 * minute
    if (how === 'snooze') await world.alarms.snooze(taskId, dueAtMs)
    else await world.alarms.settleMissed(key, { kind: 'reschedule', dueAtMs })
    const next = await world.kill()
    expect([next.alarms.missedCount(), next.alarms.of('s1')]).toMatchObject([0, [{ taskId, dueAtMs }]])
    await next.clock.advance(40 * minute)
    expect(next.alarms.missedCount()).toBe(1)
  })
  it('does not vanish when it is missed at the same instant again', async () => {
    const world = await openWorld()
    const { dueAtMs } = await world.set('s1', 0)
    await world.alarms.reserve('s1', 'r1')
    const next = await world.kill()
    const [lost] = next.alarms.missed()
    await next.alarms.settleMissed(lost?.key ?? '', { kind: 'reschedule', dueAtMs })
    await next.clock.advance(30 * minute)
    expect(next.alarms.missed()).toMatchObject([{ why: 'expired' }])
    expect((await next.kill()).alarms.missedCount()).toBe(1)
  })
  it('is ordered once when two windows ask at the same time', async () => {
    const { world, key } = await missedOne()
    const later = (min: number) => world.clock.now() + min * minute
    const [first, second] = await Promise.allSettled([
      world.alarms.settleMissed(key, { kind: 'reschedule', dueAtMs: later(5) }),
      world.alarms.settleMissed(key, { kind: 'reschedule', dueAtMs: later(9) }),
    ])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect(world.alarms.of('s1')).toMatchObject([{ dueAtMs: later(5) }])
    const other = await missedOne()
    const at = (min: number) => other.world.clock.now() + min * minute
    await Promise.all([other.world.alarms.snooze(other.taskId, at(5)), other.world.alarms.snooze(other.taskId, at(9))])
    expect(other.world.alarms.of('s1')).toMatchObject([{ dueAtMs: at(9) }])
  })
  it('of any number is dismissed at once', async () => {
    const { world } = await missedOne()
    await world.set('s2', -20 * minute)
    await world.clock.advance(1_000)
    expect(world.alarms.missedCount()).toBe(2)
    await world.alarms.dismissAllMissed()
    expect(world.alarms.missedCount()).toBe(0)
    expect(world.told().at(-1)).toMatchObject({
      type: 'alarm-settled',
      how: 'dismissed',
      taskIds: expect.arrayContaining([expect.any(String)]),
    })
  })
  it.each(['fail', 'fail-after'] as const)(
    'is listed when dismissing it was refused (%s), after a restart as well',
    async (fate) => {
      const { world, key } = await missedOne()
      world.disk.fate = (path) => (path.endsWith('missed.jsonl') ? fate : 'ok')
      await expect(world.alarms.settleMissed(key, { kind: 'dismiss' })).rejects.toMatchObject({ code: 'store-failed' })
      expect(world.alarms.missedCount()).toBe(1)
      world.disk.fate = () => 'ok'
      await world.clock.advance(6_000)
      expect((await world.kill()).alarms.missedCount()).toBe(1)
    },
  )
  it('is not listed when it was given another time after the ledger refused it', async () => {
    const world = await openWorld()
    const { taskId } = await world.set('s1', -20 * minute)
    world.disk.fate = (path) => (path.endsWith('missed.jsonl') ? 'fail-after' : 'ok')
    await world.clock.advance(1_000)
    expect(world.alarms.missedCount()).toBe(0)
    world.disk.fate = () => 'ok'
    await world.alarms.edit(taskId, { dueAtMs: world.clock.now() + 10 * minute }, 'user')
    await world.clock.advance(6_000)
    const next = await world.kill()
    expect([next.alarms.missedCount(), next.alarms.of('s1').length]).toEqual([0, 1])
  })
})
