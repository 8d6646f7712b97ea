import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import type { SessionTasks } from '../model/task.ts'
import { dueBy, firstOf, markOfId, markOfStart, packTasks, unpackTasks } from './packed-tasks.ts'

const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
const text = fc.string({ unit: 'binary', maxLength: 12 })
const name = fc.string({ minLength: 1, maxLength: 4 })
const task = fc.record(
  {
    taskId: name,
    sessionId: fc.constantFrom('s', 'another'),
    dueAtMs: fc.oneof(time, fc.constant(0.5)),
    createdAtMs: fc.constantFrom(0, 1, 2),
    updatedAtMs: fc.constantFrom(0, 1, 2),
    task: text,
    setBy: fc.constantFrom('model' as const, 'user' as const),
    deliveryCount: fc.nat(3),
    tool: text,
    arguments: text,
    rangAtMs: time,
    deliveredAtMs: time,
    notBeforeRequestId: name,
    claim: fc.record({ route: fc.constantFrom(...alarmRoutes), by: name, at: time }),
    repeat: fc.constant({
      rule: { kind: 'interval' as const, ms: 3_600_000 },
      zone: 'Europe/Paris',
      times: 3,
      untilMs: 9,
      nth: 2,
    }),
    copyOf: name,
  },
  {
    requiredKeys: [
      'taskId',
      'sessionId',
      'dueAtMs',
      'createdAtMs',
      'updatedAtMs',
      'task',
      'setBy',
      'deliveryCount',
    ] as const,
  },
)
const written = fc.record(
  {
    sessionId: fc.constant('s'),
    scope: fc.constantFrom('tmux:a' as const, 'pty:b' as const),
    tasks: fc.array(task, { minLength: 1, maxLength: 5 }),
    updatedAtMs: time,
  },
  { requiredKeys: ['sessionId', 'tasks', 'updatedAtMs'] as const },
)
/** as plain objects */
const session = written.map((state): SessionTasks => structuredClone(state))

describe('the alarms of a session in one text', () => {
  it('come out as they went in', () => {
    fc.assert(
      fc.property(session, (state) => {
        expect(unpackTasks(packTasks(state))).toStrictEqual(state)
      }),
      runs(200),
    )
  })

  it('are found by their ids, and by how those begin', () => {
    fc.assert(
      fc.property(session, (state) => {
        const { lines } = packTasks(state)
        for (const { taskId } of state.tasks) {
          expect(lines).toContain(markOfId(taskId))
          expect(lines).toContain(markOfStart(taskId.slice(0, 1)))
        }
      }),
      runs(100),
    )
  })

  it('tell what waits, and the next of it', () => {
    fc.assert(
      fc.property(session, (state) => {
        const packed = packTasks(state)
        const open = state.tasks.filter(({ deliveredAtMs }) => deliveredAtMs === undefined)
        const [first = null] = open.toSorted((a, b) => a.dueAtMs - b.dueAtMs)
        expect(packed.waiting).toBe(open.length)
        expect(packed.firstDueAtMs).toBe(first?.dueAtMs ?? Infinity)
        expect(packed.earliest).toBe(Math.min(...state.tasks.map(({ dueAtMs }) => dueAtMs)))
        expect(firstOf(packed)).toStrictEqual(first)
        const free = open.filter(({ claim }) => claim === undefined)
        expect(packed.freeDueAtMs).toBe(Math.min(Infinity, ...free.map(({ dueAtMs }) => dueAtMs)))
        for (const { dueAtMs: bound } of state.tasks)
          expect([...dueBy(packed, bound)]).toStrictEqual(state.tasks.filter(({ dueAtMs }) => dueAtMs <= bound))
      }),
      runs(100),
    )
  })
})
