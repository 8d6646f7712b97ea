import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply, type ClockEvent, type ClockEffect } from './apply.ts'
import type { SessionTasks, Task } from './task.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const rules = { retentionMs: 1_200_000 }
const at = Date.UTC(2026, 10, 22, 12)
const task = (taskId: string, more: Partial<Task> = {}): Task => ({
  taskId,
  sessionId: 's',
  dueAtMs: at,
  createdAtMs: 0,
  updatedAtMs: 0,
  task: `do ${taskId}`,
  setBy: 'model',
  deliveryCount: 0,
  ...more,
})
const claim = { route: 'terminal', by: 'e1', at } as const
const stateOf = (...tasks: Task[]): SessionTasks => ({ sessionId: 's', tasks, updatedAtMs: 0 })
const ids = (tasks: readonly Task[]): string[] => tasks.map(({ taskId }) => taskId)
const told = (list: readonly ClockEffect[]) =>
  list.map((one) => [one.type, ...ids(one.tasks), ...('why' in one ? [one.why] : [])])

describe('alarms', () => {
  it.each<[string, Task[], ClockEvent, Partial<Task>[], unknown[]]>([
    [
      'are set once, however often that is repeated',
      [task('a')],
      { type: 'schedule', at, tasks: [task('a', { task: 'other' }), task('b')] },
      [{ taskId: 'a', task: 'do a' }, { taskId: 'b' }],
      [],
    ],
    [
      'ring anew at another time',
      [task('a', { deliveredAtMs: at, rangAtMs: at, deliveryCount: 1, notBeforeRequestId: 'r' })],
      { type: 'edit', at, taskId: 'a', dueAtMs: at + 600_000 },
      [{ taskId: 'a', dueAtMs: at + 600_000, deliveryCount: 1, updatedAtMs: at }],
      [],
    ],
    [
      'on their way are not changed',
      [task('a', { claim })],
      { type: 'edit', at, taskId: 'a', task: 'x' },
      [{ taskId: 'a', task: 'do a', claim }],
      [],
    ],
    [
      'are cancelled one by one',
      [task('a'), task('b')],
      { type: 'cancel', at, taskIds: ['a'] },
      [{ taskId: 'b' }],
      [['removed', 'a']],
    ],
    [
      'on their way are not cancelled but by that way',
      [task('a', { claim }), task('b', { claim: { ...claim, by: 'e2' } })],
      { type: 'cancel', at, taskIds: ['a', 'b'], by: 'e1' },
      [{ taskId: 'b' }],
      [['removed', 'a']],
    ],
    [
      'ring once',
      [task('a'), task('b', { rangAtMs: 7 })],
      { type: 'ring', at, taskIds: ['a', 'b'] },
      [
        { taskId: 'a', rangAtMs: at },
        { taskId: 'b', rangAtMs: 7 },
      ],
      [],
    ],
    [
      'are claimed by one route only',
      [task('a'), task('b', { claim }), task('c', { deliveredAtMs: at })],
      { type: 'claim', at, taskIds: ['a', 'b', 'c', 'x'], claim: { route: 'request', by: 'r', at } },
      [{ taskId: 'a', claim: { route: 'request', by: 'r', at } }, { taskId: 'b', claim }, { taskId: 'c' }],
      [],
    ],
    [
      'that are over are claimed by none',
      [task('a')],
      { type: 'claim', at: at + 1_200_001, taskIds: ['a'], claim },
      [{ taskId: 'a' }],
      [],
    ],
    [
      'are free again when they were not delivered',
      [task('a', { claim })],
      { type: 'release', at, by: 'e1' },
      [{ taskId: 'a' }],
      [],
    ],
    [
      'are delivered by who holds them',
      [task('a', { claim }), task('b', { claim: { ...claim, by: 'e2' } })],
      { type: 'commit', at, by: 'e1' },
      [
        { taskId: 'a', deliveredAtMs: at, deliveryCount: 1 },
        { taskId: 'b', claim: { ...claim, by: 'e2' } },
      ],
      [['delivered', 'a']],
    ],
    [
      'whose fate is not known are never sent again',
      [task('a', { claim })],
      { type: 'lost', at, by: 'e1', why: 'unknown' },
      [],
      [['missed', 'a', 'unknown']],
    ],
    [
      'end with their retention',
      [task('a'), task('b', { deliveredAtMs: at }), task('c', { claim }), task('d', { dueAtMs: at + 1 })],
      { type: 'retire', at: at + 1_200_001 },
      [{ taskId: 'c' }, { taskId: 'd' }],
      [['missed', 'a', 'expired']],
    ],
  ])('%s', (_, tasks, event, after, expected) => {
    const applied = apply(stateOf(...tasks), event, rules)
    expect(applied.state.tasks).toMatchObject(after)
    expect(applied.state.tasks).toHaveLength(after.length)
    expect(told(applied.effects)).toEqual(expected)
  })

  const id = fc.constantFrom('a', 'b', 'c')
  const by = fc.constantFrom('e1', 'r1', 'r2')
  const step = fc.oneof<fc.Arbitrary<(now: number) => ClockEvent>[]>(
    fc.tuple(id, fc.integer({ min: -100_000, max: 2_000_000 })).map(([taskId, after]) => (now) => ({
      type: 'schedule',
      at: now,
      tasks: [task(taskId, { dueAtMs: now + after })],
    })),
    fc.tuple(fc.subarray(['a', 'b', 'c']), by).map(([taskIds, who]) => (now) => ({
      type: 'claim',
      at: now,
      taskIds,
      claim: { route: 'request', by: who, at: now },
    })),
    by.map((who) => (now) => ({ type: 'release', at: now, by: who })),
    by.map((who) => (now) => ({ type: 'commit', at: now, by: who })),
    fc.tuple(by, fc.constantFrom('failed' as const, 'unknown' as const)).map(([who, why]) => (now) => ({
      type: 'lost',
      at: now,
      by: who,
      why,
    })),
    fc.tuple(id, fc.integer({ min: 0, max: 2_000_000 })).map(([taskId, after]) => (now) => ({
      type: 'edit',
      at: now,
      taskId,
      dueAtMs: now + after,
    })),
    fc.tuple(fc.subarray(['a', 'b', 'c']), fc.option(by, { nil: undefined })).map(([taskIds, who]) => (now) => ({
      type: 'cancel',
      at: now,
      taskIds,
      ...(who === undefined ? {} : { by: who }),
    })),
    fc.constant((now) => ({ type: 'retire', at: now })),
  )
  it('are delivered at most once per time, and none vanishes untold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.nat(700_000)), { maxLength: 40 }), (steps) => {
        let state = stateOf()
        let now = at
        const delivered = new Set<string>()
        for (const [make, waits] of steps) {
          now += waits
          const before = state
          const event = make(now)
          const applied = apply(before, event, rules)
          for (const one of applied.effects) {
            if (one.type !== 'delivered') continue
            for (const { taskId, dueAtMs, createdAtMs } of one.tasks) {
              const due = `${taskId} ${dueAtMs} ${createdAtMs}`
              expect(delivered.has(due)).toBe(false)
              delivered.add(due)
            }
          }
          const gone = before.tasks.filter((task) => !applied.state.tasks.some(({ taskId }) => taskId === task.taskId))
          // A delivered alarm leaves in silence when its time is over.
          const untold = event.type === 'retire' ? gone.filter(({ deliveredAtMs }) => deliveredAtMs !== undefined) : []
          expect(ids(applied.effects.flatMap((one) => (one.type === 'delivered' ? [] : one.tasks))).sort()).toEqual(
            ids(gone.filter((task) => !untold.includes(task))).sort(),
          )
          // An id that was taken back may come again, as another alarm.
          for (const { taskId } of gone)
            for (const due of delivered) if (due.startsWith(`${taskId} `)) delivered.delete(due)
          state = applied.state
        }
      }),
      runs(500),
    )
  })
})
