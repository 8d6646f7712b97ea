import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueNow, isDue, isExpired, isGuarded, nextInstant, shouldInject, type DueRules } from './due.ts'
import type { Task } from './task.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const rules: DueRules = { dueWindowMs: 60_000, retentionMs: 1_200_000 }
const at = Date.UTC(2026, 10, 22, 12)
const task = (more: Partial<Task> = {}): Task => ({
  taskId: 't',
  sessionId: 's',
  dueAtMs: at,
  createdAtMs: 0,
  updatedAtMs: 0,
  task: 'look',
  setBy: 'model',
  deliveryCount: 0,
  ...more,
})

describe('an alarm', () => {
  it.each<[string, number, boolean, boolean]>([
    ['a moment before its window', at - 60_001, false, false],
    ['as its window opens', at - 60_000, true, false],
    ['at its time', at, true, false],
    ['at the end of its retention', at + 1_200_000, true, false],
    ['a moment behind it', at + 1_200_001, true, true],
  ])('%s', (_, now, due, expired) => {
    expect([isDue(task(), now, rules), isExpired(task(), now, rules)]).toEqual([due, expired])
    expect(shouldInject(task(), now, 'r', rules)).toBe(due && !expired)
  })
  it.each<[string, Partial<Task>]>([
    ['that is delivered', { deliveredAtMs: at }],
    ['that another route has', { claim: { route: 'terminal', by: 'e', at } }],
    ['set in this very request', { notBeforeRequestId: 'r' }],
  ])('%s is not given to a request', (_, more) => expect(shouldInject(task(more), at, 'r', rules)).toBe(false))
  it.each([
    ['r', true],
    ['r:clock', true],
    ['r2', false],
    ['', false],
    ['x:r', false],
  ])('set in request r keeps away from request %s: %s', (requestId, guarded) => {
    expect(isGuarded(task({ notBeforeRequestId: 'r' }), requestId)).toBe(guarded)
    expect(isGuarded(task(), requestId)).toBe(false)
  })
  it('set in a request may ring at its terminal', () =>
    expect(dueNow([task({ notBeforeRequestId: 'r' })], at, rules)).toHaveLength(1))
})

describe('what a terminal is told', () => {
  const due = (...tasks: Partial<Task>[]) =>
    dueNow(
      tasks.map((more, i) => task({ taskId: `t${i}`, ...more })),
      at,
      rules,
    ).map(({ taskId }) => taskId)
  it.each<[string, Partial<Task>[], string[]]>([
    ['nothing before its time', [{ dueAtMs: at + 1 }], []],
    ['all that is due', [{}, { dueAtMs: at - 600_000 }, { dueAtMs: at + 60_000 }], ['t0', 't1']],
    ['with it what is due in the same minute', [{}, { dueAtMs: at + 59_999 }, { dueAtMs: at + 60_000 }], ['t0', 't1']],
    ['nothing that is over', [{ dueAtMs: at - 1_200_001 }], []],
    [
      'nothing that is delivered or on another way',
      [{ deliveredAtMs: at }, { claim: { route: 'request', by: 'r', at } }],
      [],
    ],
  ])('%s', (_, tasks, expected) => expect(due(...tasks)).toEqual(expected))
})

describe('the next instant to look', () => {
  const tasks = fc.array(
    fc
      .record({
        dueAtMs: fc.integer({ min: -5_000_000, max: 5_000_000 }),
        deliveredAtMs: fc.option(fc.constant(1), { nil: undefined }),
        rangAtMs: fc.option(fc.constant(1), { nil: undefined }),
      })
      .map((more) => task(more)),
    { maxLength: 20 },
  )
  it('is never behind a change of any of them, and never before now', () => {
    fc.assert(
      fc.property(tasks, fc.integer({ min: -5_000_000, max: 5_000_000 }), (all, now) => {
        const next = nextInstant(all, now, rules)
        if (next !== null) expect(next).toBeGreaterThanOrEqual(now)
        const until = next ?? Number.MAX_SAFE_INTEGER
        for (const one of all) {
          if (one.rangAtMs === undefined && !isExpired(one, now, rules))
            expect(until).toBeLessThanOrEqual(Math.max(now, one.dueAtMs))
          expect(until).toBeLessThanOrEqual(Math.max(now, one.dueAtMs + rules.retentionMs + 1))
        }
      }),
      runs(100),
    )
  })
  it('is none without any', () => expect(nextInstant([], at, rules)).toBeNull())
  it('leaves what a route has to that route', () =>
    expect(
      nextInstant([task({ rangAtMs: 1, claim: { route: 'terminal', by: 'e', at } })], at + 2_000_000, rules),
    ).toBeNull())
})
