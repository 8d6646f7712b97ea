import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createLists } from './alarms.ts'
import { nextInstant } from './model/due.ts'
import type { Task } from './model/task.ts'
import { createDueIndex } from './alarm-service.ts'
import type { AlarmStore } from './store/alarm-store.ts'
import { openWorld } from './testing/world.ts'

const minute = 60_000

describe('an alarm', () => {
  it('is typed into its terminal at its time, and delivered when its receipt comes', async () => {
    const world = await openWorld({ places: new Map([['s1', 'tmux:s1']]) })
    await world.end(await world.begin('s1'), 's1')
    await world.set('s1', 20 * minute)
    await world.clock.advance(20 * minute - 1)
    expect(world.typed('s1')).toEqual([])
    await world.clock.advance(5_000)
    expect(world.typed('s1')).toEqual([
      'An alarm is due: [scheduled task:"look at it"] due ' +
        '2026-11-21T14:20:00+00:00. Do this now; you may call tools for it, and the system completes missing ones.',
    ])
    expect(world.alarms.of('s1')).toMatchObject([{ claim: { route: 'terminal' } }])
    await world.begin('s1', world.typed('s1')[0])
    await world.clock.advance(0)
    expect(world.alarms.of('s1')).toMatchObject([{ deliveryCount: 1 }])
    expect(world.told('s1').map(({ type }) => type)).toEqual([
      'alarm-set',
      'alarm-rang',
      'alarm-claimed',
      'alarm-delivered',
    ])
    expect(world.notices.map(({ notice }) => notice)).toMatchObject([
      { class: 'alarm-due', message: 'look at it', more: 0 },
    ])
    await world.clock.advance(60 * minute)
    expect(world.alarms.of('s1')).toEqual([])
    expect([...world.disk.files.keys()].filter((name) => name.startsWith('clock/s1'))).toEqual([])
    expect(world.alarms.missed()).toEqual([])
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'delivered', route: 'terminal' } }])
  })

  it.each(['missed', 'history'])('rings though its %s can’t be read', async (name) => {
    const before = await openWorld()
    await before.set('s1', minute)
    const { disk } = before
    before.store.crash()
    before.alarms.dispose()
    disk.fate = (path) => (path === `read clock/${name}.jsonl` ? 'fail' : 'ok')
    const world = await openWorld({ disk, clock: before.clock })
    expect(world.told()).toMatchObject([{ type: 'store-problem', file: `clock/${name}.jsonl` }])
    await world.clock.advance(minute)
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due'])
  })

  it('without any way is missed when its time is over', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    await world.clock.advance(21 * minute + 1_000)
    expect(world.alarms.missed()).toMatchObject([{ why: 'expired', task: { task: 'look at it' } }])
    expect(world.notices.map(({ notice }) => notice.class)).toEqual(['alarm-due', 'alarm-missed'])
    expect(world.clock.pending()).toBe(0)
  })

  it('goes with the next request of its session, once', async () => {
    const world = await openWorld()
    await world.set('s1', minute)
    await world.clock.advance(10_000)
    const first = await world.alarms.reserve('s1', 'r1')
    expect(first?.text).toContain('[scheduled task:"look at it"]')
    expect(await world.alarms.reserve('s1', 'r2')).toBeNull()
    await first?.release('upstream-failed')
    const second = await world.alarms.reserve('s1', 'r3')
    await second?.commit()
    expect(await world.alarms.reserve('s1', 'r4')).toBeNull()
    expect(world.alarms.of('s1')).toMatchObject([{ deliveryCount: 1 }])
  })

  it('is taken out of the queue of a busy terminal by the next request', async () => {
    const world = await openWorld({ places: new Map([['s1', 'tmux:s1']]) })
    const running = await world.begin('s1')
    await world.set('s1', minute)
    await world.clock.advance(2 * minute)
    expect(world.typed('s1')).toEqual([])
    const taken = await world.alarms.reserve('s1', 'r-next')
    expect(taken).not.toBeNull()
    await taken?.commit()
    await world.end(running, 's1')
    await world.clock.advance(5 * minute)
    expect(world.typed('s1')).toEqual([])
    expect(world.alarms.history()).toMatchObject([{ end: { kind: 'delivered', route: 'request' } }])
  })
})

const rules = { retentionMs: 100 }
const sessions = ['a', 'b', 'c', 'd'] as const
const task = fc.record({ dueAtMs: fc.integer({ min: 0, max: 300 }), delivered: fc.boolean(), rang: fc.boolean() })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('set' as const),
      session: fc.constantFrom(...sessions),
      tasks: fc.array(task, { maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 120 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('again' as const),
      session: fc.constantFrom(...sessions),
      ms: fc.integer({ min: 0, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'due' as const }) },
)

/** Heads, lists and instants over sessions whose alarms are whatever a test says. */
function stage() {
  const values = new Map<string, { sessionId: string; tasks: readonly Task[]; updatedAtMs: number }>()
  const alarmStore: Pick<AlarmStore, 'of' | 'all'> = {
    of: (id) => values.get(id) ?? null,
    all: () => values.values(),
  }
  const clock = virtualClock()
  const ledger = { list: () => [], count: () => 0 }
  const dueIndex = createDueIndex({ alarmStore, clock, rules: () => rules })
  const lists = createLists(alarmStore, ledger, ledger, silentLog)
  let ids = 0
  const set = (sessionId: string, wanted: readonly { dueAtMs: number; delivered: boolean; rang: boolean }[]) => {
    const tasks = wanted.map(({ dueAtMs, delivered, rang }): Task => ({
      taskId: `task-${++ids}`,
      sessionId,
      dueAtMs: clock.now() + dueAtMs,
      createdAtMs: 0,
      updatedAtMs: 0,
      task: 'x',
      setBy: 'user',
      deliveryCount: 0,
      ...(delivered ? { deliveredAtMs: 1 } : {}),
      ...(rang ? { rangAtMs: 1 } : {}),
    }))
    values.delete(sessionId)
    if (tasks.length > 0) values.set(sessionId, { sessionId, tasks, updatedAtMs: 0 })
    dueIndex.changed(sessionId)
  }
  return { values, clock, instants: dueIndex, lists, set }
}
const byDue = (a: Task, b: Task) => a.dueAtMs - b.dueAtMs

describe('alarms of all sessions', () => {
  it('are listed and counted as if all were looked at', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 8 }), (steps, most) => {
        const { values, lists, set } = stage()
        for (const one of steps) {
          if (one.type === 'set') set(one.session, one.tasks)
          const all = [...values.values()].flatMap(({ tasks }) => tasks)
          const open = all.filter(({ deliveredAtMs }) => deliveredAtMs === undefined)
          expect(lists.list(most).map(({ dueAtMs }) => dueAtMs)).toEqual(
            all
              .toSorted(byDue)
              .slice(0, most)
              .map(({ dueAtMs }) => dueAtMs),
          )
          expect(new Set(lists.list(most)).size).toBe(Math.min(most, all.length))
          expect(lists.next()).toEqual({
            waiting: open.length,
            first: open.length === 0 ? null : expect.objectContaining({ dueAtMs: open.toSorted(byDue)[0]?.dueAtMs }),
          })
          for (const session of sessions) {
            const waiting = open.filter(({ sessionId }) => sessionId === session)
            expect(lists.nextOf(session)?.waiting ?? 0).toBe(waiting.length)
            expect(lists.nextOf(session)?.first.dueAtMs).toBe(waiting.toSorted(byDue)[0]?.dueAtMs)
          }
        }
      }),
      runs(100),
    )
  })

  it('have the earliest instant of those that are to be looked at', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { values, clock, instants: dueIndex, set } = stage()
        /** as the book's sessions were when they were looked at last */
        const next = new Map<string, number>()
        const later = new Map<string, number>()
        for (const one of steps) {
          if (one.type === 'wait') await clock.advance(one.ms)
          if (one.type === 'again') {
            dueIndex.again(one.session, clock.monotonic() + one.ms)
            later.set(one.session, clock.monotonic() + one.ms)
          }
          if (one.type === 'set') {
            set(one.session, one.tasks)
            const at = nextInstant(values.get(one.session)?.tasks ?? [], clock.now(), rules)
            if (at === null) next.delete(one.session)
            else next.set(one.session, at)
            if (!values.has(one.session)) later.delete(one.session)
          }
          const times = [
            ...[...next].filter(([id]) => !later.has(id)).map(([, at]) => at),
            ...[...later.values()].map((at) => clock.now() + at - clock.monotonic()),
          ]
          expect(dueIndex.earliest()).toBe(times.length === 0 ? null : Math.min(...times))
          if (one.type !== 'due') continue
          const due = new Set(
            [
              ...[...next].filter(([id, at]) => at <= clock.now() && !later.has(id)),
              ...[...later].filter(([, at]) => at <= clock.monotonic()),
            ].map(([id]) => id),
          )
          expect(new Set(dueIndex.due())).toEqual(due)
          for (const id of due) {
            next.delete(id)
            later.delete(id)
          }
        }
      }),
      runs(100),
    )
  })
})
