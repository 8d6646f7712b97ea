import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../shared/words.ts'
import type { TypeResult } from '../../terminals/types.ts'
import { openWorld, type World } from '../testing/world.ts'
import type { Task } from '../model/task.ts'

const minute = 60_000
const scope: Scope = 'tmux:s1'

/** An alarm that came as far as this on its way through its terminal. */
const stages = ['waiting', 'queued', 'typing', 'submitted', 'delivered'] as const
type Stage = (typeof stages)[number]
async function at(stage: Stage): Promise<{ world: World; task: Task }> {
  const world = await openWorld({ places: new Map([['s1', scope]]) })
  await world.end(await world.begin('s1'), 's1')
  if (stage === 'typing') world.target(scope).answer = () => new Promise<TypeResult>(() => {})
  if (stage === 'queued') await world.begin('s1')
  const task = await world.set('s1', minute)
  if (stage !== 'waiting') await world.clock.advance(minute + 2_000)
  if (stage === 'delivered') await world.end(await world.begin('s1', world.typed('s1')[0]), 's1')
  await world.clock.advance(0)
  return { world, task }
}
const underWay = { code: 'alarm-under-way' }
const free: readonly Stage[] = ['waiting', 'queued', 'delivered']

describe.each(stages)('an alarm that is %s', (stage) => {
  const isFree = free.includes(stage)
  it(isFree ? 'gets another time, and rings then' : 'keeps its time', async () => {
    const { world, task } = await at(stage)
    const edit = world.alarms.edit(task.taskId, { dueAtMs: world.clock.now() + 10 * minute, task: 'else' }, 'user')
    if (!isFree) return expect(edit).rejects.toMatchObject(underWay)
    await expect(edit).resolves.toMatchObject({
      taskId: task.taskId,
      task: 'else',
      dueAtMs: world.clock.now() + 10 * minute,
    })
    expect((await edit).deliveredAtMs).toBeUndefined()
    expect(world.typed('s1')).toHaveLength(stage === 'delivered' ? 1 : 0)
    expect((await world.kill()).alarms.of('s1')).toMatchObject([{ task: 'else' }])
  })
  it(isFree ? 'is cancelled, taken back, and as it was' : 'can not be cancelled', async () => {
    const { world, task } = await at(stage)
    if (!isFree) return expect(world.alarms.cancel(task.taskId, 'user')).rejects.toMatchObject(underWay)
    await world.alarms.cancel(task.taskId, 'model')
    expect(world.alarms.of('s1')).toEqual([])
    await world.clock.advance(5_000)
    expect(world.typed('s1')).toHaveLength(stage === 'delivered' ? 1 : 0)
    await world.alarms.restore(task.taskId)
    await expect(world.alarms.restore(task.taskId)).rejects.toMatchObject({ code: 'alarm-unknown' })
    await world.clock.advance(5_000)
    expect(world.typed('s1')).toHaveLength(stage === 'delivered' ? 1 : 0)
    expect(world.alarms.of('s1')).toMatchObject([{ taskId: task.taskId, deliveryCount: stage === 'delivered' ? 1 : 0 }])
  })
  it(isFree ? 'is snoozed' : 'rings again as a second one when snoozed', async () => {
    const { world, task } = await at(stage)
    const later = await world.alarms.snooze(task.taskId, world.clock.now() + 10 * minute)
    expect(later.taskId === task.taskId).toBe(isFree)
    expect(world.alarms.of('s1')).toHaveLength(isFree ? 1 : 2)
    expect(world.alarms.next()).toMatchObject({ waiting: isFree ? 1 : 2 })
  })
  it(isFree ? 'goes when all are cleared' : 'stays when all are cleared', async () => {
    const { world } = await at(stage)
    await world.set('s1', 30 * minute, 'other')
    expect(await world.alarms.clear('s1', 'marker')).toBe(isFree ? 2 : 1)
    expect(world.alarms.of('s1')).toHaveLength(isFree ? 0 : 1)
    expect(await world.alarms.clear('s2', 'user')).toBe(0)
  })
})

describe('an order', () => {
  it('on one in a request waits until that is over', async () => {
    const world = await openWorld()
    const task = await world.set('s1', 0)
    const taken = await world.alarms.reserve('s1', 'r1')
    await expect(world.alarms.edit(task.taskId, { task: 'x' }, 'user')).rejects.toMatchObject(underWay)
    await expect(world.alarms.cancel(task.taskId, 'user')).rejects.toMatchObject(underWay)
    expect(await world.alarms.clear('s1', 'user')).toBe(0)
    await taken?.release('client-left')
    await world.alarms.cancel(task.taskId, 'user')
    expect(world.alarms.of('s1')).toEqual([])
  })
  it.each<[string, (world: World, task: Task) => Promise<unknown>, string]>([
    ['without words', (world) => world.set('s1', minute, ' \n'), 'no-words'],
    ['for a time long past', (world) => world.set('s1', -20 * minute - 1), 'alarm-over'],
    [
      'of which one part is wrong',
      (world) =>
        world.alarms.schedule(
          's1',
          [
            { dueAtMs: world.clock.now() + minute, task: 'good' },
            { dueAtMs: 0, task: 'bad' },
          ],
          { by: 'model', requestId: null },
        ),
      'alarm-over',
    ],
    [
      'to move one into the past',
      (world, { taskId }) => world.alarms.edit(taskId, { dueAtMs: 0 }, 'user'),
      'alarm-over',
    ],
    ['on an unknown one', (world) => world.alarms.edit('nobody', { task: 'x' }, 'user'), 'alarm-unknown'],
    [
      'to cancel one of another session',
      (world, { taskId }) => world.alarms.cancel(taskId, 'model', { sessionId: 's2', requestId: 'r1' }),
      'alarm-unknown',
    ],
    ['to snooze an unknown one', (world) => world.alarms.snooze('nobody', world.clock.now()), 'alarm-unknown'],
    ['to take back what was not cancelled', (world) => world.alarms.restore('nobody'), 'alarm-unknown'],
    [
      'to settle what is not missed',
      (world) => world.alarms.settleMissed('nobody', { kind: 'dismiss' }),
      'missed-unknown',
    ],
  ])('%s is refused and changes nothing', async (_, order, code) => {
    const world = await openWorld()
    const task = await world.set('s1', 10 * minute)
    const before = new Map(world.disk.files)
    await expect(order(world, task)).rejects.toMatchObject({ code })
    expect(world.alarms.of('s1')).toEqual([task])
    expect(world.disk.files).toEqual(before)
  })
  it('for more than 200 alarms of a session is refused, however they come', async () => {
    const world = await openWorld()
    const now = world.clock.now()
    const wishes = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ dueAtMs: now + minute, task: `no. ${from + i}` }))
    const set = (from: number, count: number, session = 's1') =>
      world.alarms.schedule(session, wishes(from, count), { by: 'model', requestId: null })
    const full = { code: 'too-many', message: expect.stringMatching(/more than 200 are not kept.*Cancel some/) }
    await expect(set(0, 100_000)).rejects.toMatchObject(full)
    expect(world.alarms.of('s1')).toEqual([])
    const [first] = await set(0, 200)
    await expect(set(200, 1)).rejects.toMatchObject(full)
    expect(world.alarms.of('s1')).toHaveLength(200)
    // one that is there already is none more
    await expect(set(7, 1)).resolves.toHaveLength(1)
    await set(0, 200, 's2')
    await world.alarms.cancel(first?.taskId ?? '', 'user')
    await set(200, 1)
    await expect(world.alarms.restore(first?.taskId ?? '')).rejects.toMatchObject(full)
  })
  it('repeated word by word sets one alarm', async () => {
    const world = await openWorld()
    const wish = { dueAtMs: world.clock.now() + minute, task: 'again', tool: 'run', arguments: '{}' }
    const first = await world.alarms.schedule('s1', [wish, wish], { by: 'model', requestId: 'r' })
    const second = await world.alarms.schedule('s1', [{ ...wish, task: ' again ' }], { by: 'model', requestId: 'r' })
    expect([...first, ...second].map(({ taskId }) => taskId)).toEqual(Array.from({ length: 3 }, () => first[0]?.taskId))
    await world.alarms.schedule('s2', [wish], { by: 'model', requestId: 'r' })
    expect(world.alarms.next().waiting).toBe(2)
  })
  it("is found by the beginning of an id, where that is no other one's", async () => {
    const world = await openWorld({
      random: {
        uuid: (() => {
          let n = 0
          return () => `abcd${n++}`
        })(),
        token: () => 't',
        fraction: () => 0,
      },
    })
    await world.set('s1', minute)
    expect(world.alarms.find('abcd').taskId).toBe('abcd0')
    await world.set('s1', 2 * minute)
    expect(() => world.alarms.find('abcd')).toThrow(expect.objectContaining({ code: 'alarm-ambiguous' }))
    expect(() => world.alarms.find('abc')).toThrow(expect.objectContaining({ code: 'alarm-unknown' }))
    expect(world.alarms.find('abcd1').taskId).toBe('abcd1')
  })
})
