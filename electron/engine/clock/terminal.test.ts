import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../shared/words.ts'
import { safeFor } from '../terminals/safe-text.ts'
import { openWorld, type World } from './testing/world.ts'

const minute = 60_000
const scope: Scope = 'tmux:s1'
const withTerminal = async (): Promise<World> => {
  const world = await openWorld({ places: new Map([['s1', scope]]) })
  await world.end(await world.begin('s1'), 's1')
  return world
}
const entries = (world: World) => world.outboxes.peek(scope)?.list() ?? []
const missed = (world: World) => world.alarms.missed().map(({ why, task }) => `${task.task}: ${why}`)

describe('in its terminal an alarm', () => {
  it('goes with the others of its minute, later ones apart', async () => {
    const world = await withTerminal()
    await world.set('s1', 20 * minute, 'a')
    await world.set('s1', 20 * minute + 59_000, 'b')
    await world.set('s1', 21 * minute, 'c')
    await world.clock.advance(20 * minute + 1_000)
    expect(world.typed('s1')).toHaveLength(1)
    expect(world.typed('s1')[0]).toMatch(/^2 alarms are due: .*"a".*"b"/)
    await world.begin('s1', world.typed('s1')[0])
    expect(world.alarms.of('s1').map(({ task, deliveredAtMs }) => [task, deliveredAtMs !== undefined])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ])
  })

  it.each([
    ['user', 'see @notes.md', 'user', 'and @more.md', /see @notes\.md.*and @more\.md/],
    ['user', 'see @notes.md', 'model', 'and @more.md', /see \\@notes\.md.*and \\@more\.md/],
  ] as const)('of a %s (%s) and of a %s (%s) is typed as %s', async (by, task, other, otherTask, typed) => {
    const world = await openWorld({ places: new Map([['s1', scope]]), client: 'qwen', safeText: safeFor })
    await world.end(await world.begin('s1'), 's1')
    for (const [who, what] of [
      [by, task],
      [other, otherTask],
    ] as const)
      await world.alarms.schedule('s1', [{ dueAtMs: world.clock.now() + minute, task: what }], {
        by: who,
        requestId: null,
      })
    await world.clock.advance(minute + 1_000)
    expect(world.typed('s1')[0]).toMatch(typed)
  })

  it('waits while a response runs, and its time over it is missed and never typed', async () => {
    const world = await withTerminal()
    const running = await world.begin('s1')
    await world.set('s1', minute)
    await world.clock.advance(10 * minute)
    expect(entries(world)).toMatchObject([{ state: 'queued', hold: { code: 'response-running' } }])
    await world.clock.advance(12 * minute)
    expect(entries(world)).toMatchObject([{ state: 'expired' }])
    expect(missed(world)).toEqual(['look at it: expired'])
    await world.end(running, 's1')
    await world.clock.advance(minute)
    expect(world.typed('s1')).toEqual([])
  })

  it('that is over leaves the others of its message their own', async () => {
    const world = await withTerminal()
    const running = await world.begin('s1')
    await world.set('s1', -19 * minute, 'old')
    await world.set('s1', 0, 'new')
    await world.clock.advance(0)
    await world.clock.advance(3 * minute)
    expect(missed(world)).toEqual(['old: expired'])
    await world.end(running, 's1')
    await world.clock.advance(minute / 2)
    expect(world.typed('s1')).toHaveLength(1)
    expect(world.typed('s1')[0]).toMatch(/^An alarm is due: .*"new"/)
  })

  it.each([
    ['refused', { kind: 'failed', reason: { code: 'not-submitted' } }, 'failed'],
    ['of unknown fate', { kind: 'unknown' }, 'unknown'],
    ['without receipt', { kind: 'submitted', extraEnter: false }, 'failed'],
  ] as const)('%s is missed, and not sent another way', async (_, answer, why) => {
    const world = await withTerminal()
    world.target(scope).answer = () => answer
    await world.set('s1', minute)
    await world.clock.advance(5 * minute)
    expect(missed(world)).toEqual([`look at it: ${why}`])
    expect(await world.alarms.reserve('s1', 'r-next')).toBeNull()
    // A receipt that comes after all is the end of it.
    await world.begin('s1', world.typed('s1')[0])
    await world.clock.advance(0)
    expect(missed(world)).toEqual([])
    expect(world.alarms.history()[0]).toMatchObject({ end: { kind: 'delivered', route: 'terminal', late: true } })
    expect((await world.kill()).alarms.missedCount()).toBe(0)
  })

  it('that stands in the input line already is not taken from there', async () => {
    const world = await withTerminal()
    const target = world.target(scope)
    target.answer = () => {
      target.reading = { kind: 'hold', reason: { code: 'dialog-open' } }
      return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
    }
    const { taskId } = await world.set('s1', minute)
    await world.clock.advance(minute + 1_000)
    expect(await world.alarms.reserve('s1', 'r-next')).toBeNull()
    await expect(world.alarms.cancel(taskId, 'user')).rejects.toMatchObject({ code: 'alarm-under-way' })
    expect(await world.alarms.clear('s1', 'user')).toBe(0)
    expect([entries(world), missed(world)]).toMatchObject([[{ state: 'queued' }], []])
    await world.clock.advance(22 * minute)
    expect(missed(world)).toEqual(['look at it: unknown'])
  })

  it('whose message a person cancels in the queue is cancelled', async () => {
    const world = await withTerminal()
    await world.begin('s1')
    await world.set('s1', minute)
    await world.clock.advance(2 * minute)
    const [entry] = entries(world)
    await world.outboxes.peek(scope)?.cancel(entry?.id ?? '')
    await world.clock.advance(30 * minute)
    expect([world.alarms.of('s1'), missed(world)]).toEqual([[], []])
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'cancelled', by: 'user' } }])
  })

  it('is held while the session is paused, and goes when it is resumed', async () => {
    const world = await withTerminal()
    await world.outboxes.peek(scope)?.pause({ code: 'by-user' })
    await world.set('s1', minute)
    await world.clock.advance(5 * minute)
    expect(world.typed('s1')).toEqual([])
    await world.outboxes.peek(scope)?.resume()
    await world.clock.advance(1_000)
    expect(world.typed('s1')).toHaveLength(1)
  })

  it('that appears only later is typed as soon as somebody says so', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    await world.clock.advance(2 * minute)
    world.places.set('s1', scope)
    await world.end(await world.begin('s1'), 's1')
    world.alarms.deliver('s1')
    await world.clock.advance(1_000)
    expect(world.typed('s1')).toHaveLength(1)
  })

  it('is tried again with the next tick where the disk refused its message', async () => {
    const world = await withTerminal()
    await world.set('s1', minute)
    world.disk.fate = (path) => (path.startsWith('outbox/') ? 'fail' : 'ok')
    await world.clock.advance(minute + 1_000)
    expect(world.typed('s1')).toEqual([])
    world.disk.fate = () => 'ok'
    await world.clock.advance(minute + 1_000)
    expect(world.typed('s1')).toHaveLength(1)
  })

  it('is not sent twice where a refused message reached the disk and the process died', async () => {
    const world = await withTerminal()
    world.disk.fate = (path) => (path.startsWith('outbox/') ? 'fail-after' : 'ok')
    await world.set('s1', 0)
    await world.clock.advance(0)
    const next = await world.kill()
    const taken = await next.alarms.reserve('s1', 'r1')
    await taken?.commit()
    await next.clock.advance(5 * minute)
    expect(next.typed('s1').length + (taken ? 1 : 0)).toBe(1)
  })
})
