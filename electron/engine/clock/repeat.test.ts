import { describe, expect, it } from 'vitest'
import type { RepeatRule } from '../../../shared/alarms/repeat.ts'
import type { Scope } from '../../../shared/words.ts'
import type { Task } from './model/task.ts'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const hour = 60 * minute
const scope: Scope = 'tmux:s1'
const hourly: RepeatRule = { kind: 'interval', ms: hour }

async function repeated(world: World, times = 5, inMs = hour): Promise<Task> {
  const dueAtMs = world.clock.now() + inMs
  const repeat = { rule: hourly, zone: 'UTC', times, untilMs: dueAtMs + (times - 1) * hour }
  const [task] = await world.alarms.schedule('s1', [{ dueAtMs, task: 'look', repeat }], { by: 'user', requestId: null })
  if (!task) throw new Error('nothing was set')
  return task
}
const nths = (world: World) =>
  world.alarms.of('s1').map(({ repeat, dueAtMs }) => [repeat?.nth ?? null, dueAtMs - world.clock.now()])
const ends = (world: World) =>
  world.alarms
    .history()
    .toReversed()
    .map(({ end, task }) => [end.kind, task.repeat?.nth ?? null])

describe('a repeated alarm', () => {
  it('is typed at each of its times, to the last', async () => {
    const world = await openWorld({ places: new Map([['s1', scope]]) })
    await world.end(await world.begin('s1'), 's1')
    await repeated(world, 3)
    for (let i = 1; i <= 3; i++) {
      await world.clock.advance(hour + 1_000)
      expect(world.typed('s1')).toHaveLength(i)
      await world.end(await world.begin('s1', world.typed('s1').at(-1)), 's1')
    }
    await world.clock.advance(5 * hour)
    expect(world.typed('s1')).toHaveLength(3)
    expect(ends(world)).toEqual([
      ['delivered', 1],
      ['delivered', 2],
      ['delivered', 3],
    ])
    expect(world.alarms.list(9)).toEqual([])
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due', 'alarm-due', 'alarm-due'])
  })

  it('that a request takes before its time rings all the same, and goes on', async () => {
    const world = await openWorld()
    await repeated(world)
    await world.clock.advance(hour - 30_000)
    const taken = await world.alarms.reserve('s1', 'r')
    await taken?.commit()
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due'])
    expect(nths(world)).toEqual([[2, hour + 30_000]])
    expect(await world.alarms.reserve('s1', 'r2')).toBeNull()
  })

  it('that nobody takes is missed as one, and told once', async () => {
    const world = await openWorld()
    await repeated(world, 4)
    await world.clock.advance(3 * hour + 30 * minute)
    expect(world.alarms.missed()).toMatchObject([{ times: 3, task: { repeat: { nth: 3 } } }])
    expect(world.alarms.missedCount()).toBe(1)
    expect(world.notices.filter(({ notice }) => notice.class === 'alarm-missed')).toHaveLength(1)
    const again = await world.kill()
    expect(again.alarms.missed()).toMatchObject([{ times: 3 }])
    await again.alarms.settleMissed(again.alarms.missed()[0]?.key ?? '', { kind: 'dismiss' })
    expect(again.alarms.missed()).toEqual([])
    expect(nths(again)).toEqual([[4, 30 * minute]])
  })

  it('that was missed is delivered once by a word, beside what is to come', async () => {
    const world = await openWorld()
    await repeated(world)
    await world.clock.advance(2 * hour + 30 * minute)
    await world.alarms.settleMissed(world.alarms.missed()[0]?.key ?? '', { kind: 'deliver' })
    expect(nths(world)).toEqual([
      [null, 0],
      [3, 30 * minute],
    ])
    expect(world.alarms.missed()).toEqual([])
  })

  it('leaves out one time, and has it back', async () => {
    const world = await openWorld()
    const { taskId } = await repeated(world)
    expect(await world.alarms.skip(taskId)).toMatchObject({ repeat: { nth: 2 } })
    expect(nths(world)).toEqual([[2, 2 * hour]])
    await world.alarms.restore(taskId)
    expect(nths(world)).toEqual([[1, hour]])
    await expect(world.alarms.restore(taskId)).rejects.toMatchObject({ code: 'alarm-unknown' })
  })

  it('without its last time is over, and has it back', async () => {
    const world = await openWorld()
    const { taskId } = await repeated(world, 1)
    expect(await world.alarms.skip(taskId)).toBeNull()
    expect(nths(world)).toEqual([])
    await world.alarms.restore(taskId)
    expect(nths(world)).toEqual([[1, hour]])
  })

  it('is cancelled whole, and has what is still to come back', async () => {
    const world = await openWorld()
    const { taskId } = await repeated(world)
    await world.alarms.cancel(taskId, 'user')
    expect(nths(world)).toEqual([])
    await world.clock.advance(2 * hour + 30 * minute)
    await world.alarms.restore(taskId)
    expect(nths(world)).toEqual([[3, 30 * minute]])
  })

  it('that rings and is snoozed rings once more, and goes on', async () => {
    const world = await openWorld()
    const { taskId } = await repeated(world)
    await world.clock.advance(hour + minute)
    await world.alarms.snooze(taskId, world.clock.now() + 10 * minute)
    // The other window
    await world.alarms.snooze(taskId, world.clock.now() + 10 * minute)
    expect(nths(world)).toEqual([
      [null, 10 * minute],
      [2, 59 * minute],
    ])
    expect(ends(world)).toEqual([['rescheduled', 1]])
  })

  it('that was delivered and is snoozed keeps the time to come', async () => {
    const world = await openWorld()
    const { taskId } = await repeated(world)
    await world.clock.advance(hour)
    await (await world.alarms.reserve('s1', 'r'))?.commit()
    await world.alarms.snooze(taskId, world.clock.now() + 10 * minute)
    expect(nths(world)).toEqual([
      [null, 10 * minute],
      [2, hour],
    ])
  })

  it('moves one time alone, or all of them', async () => {
    const world = await openWorld()
    const { taskId, dueAtMs } = await repeated(world)
    const alone = await world.alarms.edit(taskId, { dueAtMs: dueAtMs + minute, task: 'look twice' }, 'user')
    expect(alone).toMatchObject({ task: 'look twice', copyOf: taskId })
    expect(alone).not.toHaveProperty('repeat')
    expect(nths(world)).toEqual([
      [null, hour + minute],
      [2, 2 * hour],
    ])
    const repeat = { rule: hourly, zone: 'UTC', times: 2, untilMs: dueAtMs + 9 * hour }
    await world.alarms.edit(taskId, { dueAtMs: dueAtMs + 5 * hour, repeat }, 'user')
    expect(world.alarms.find(taskId)).toMatchObject({ dueAtMs: dueAtMs + 5 * hour, repeat: { ...repeat, nth: 1 } })
  })

  it('out of a terminal’s queue loses that one time', async () => {
    const world = await openWorld({ places: new Map([['s1', scope]]) })
    const running = await world.begin('s1')
    await repeated(world)
    await world.clock.advance(hour + minute)
    const outbox = world.outboxes.peek(scope)
    const [entry] = outbox?.list() ?? []
    await outbox?.cancel(entry?.id ?? '')
    await world.clock.advance(0)
    expect(nths(world)).toEqual([[2, 59 * minute]])
    expect(ends(world)).toEqual([['skipped', 1]])
    await world.end(running, 's1')
    expect(world.typed('s1')).toEqual([])
  })

  it.each([
    ['before its first time', -1],
    ['in more than a year', 367 * 24 * hour],
  ])('may not end %s', async (_, ms) => {
    const world = await openWorld()
    const dueAtMs = world.clock.now() + hour
    const repeat = { rule: hourly, zone: 'UTC', times: 5, untilMs: dueAtMs + ms }
    await expect(
      world.alarms.schedule('s1', [{ dueAtMs, task: 'look', repeat }], { by: 'user', requestId: null }),
    ).rejects.toMatchObject({ code: 'bad-repeat' })
  })
})
