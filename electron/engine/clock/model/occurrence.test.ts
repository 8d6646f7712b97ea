import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyDay, repeatLimits, workdays, type Repeat, type RepeatRule } from '../../../../shared/alarms/repeat.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { apply, type ClockEvent } from './apply.ts'
import { movedOn, nextTime } from './occurrence.ts'
import { dateAt, offsetsOf, timeAt } from '../../base/calendar/wall-time.ts'
import { weekdayOf } from '../read-time/said.ts'
import type { SessionTasks, Task } from './task.ts'

const rules = { retentionMs: 1_200_000 }
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const at = (text: string): number => Date.parse(text)
const nine = (weekdays: readonly number[] = everyDay): RepeatRule => ({
  kind: 'days',
  weekdays: [...weekdays],
  hour: 9,
  minute: 0,
})
const repeated = (dueAtMs: number, rule: RepeatRule, more: Partial<Repeat> = {}): Task & { repeat: Repeat } => ({
  taskId: 'a',
  sessionId: 's',
  dueAtMs,
  createdAtMs: 0,
  updatedAtMs: 0,
  task: 'look',
  setBy: 'user',
  deliveryCount: 0,
  repeat: { rule, zone: 'Europe/Berlin', nth: 1, times: 1_000, untilMs: dueAtMs + repeatLimits.longestMs, ...more },
})

describe('the next time', () => {
  it.each<[string, RepeatRule, string, string]>([
    ['keeps its hour when the clocks go forward', nine(), '2026-03-28T09:00+01:00', '2026-03-29T09:00+02:00'],
    ['keeps its hour when the clocks go back', nine(), '2026-10-24T09:00+02:00', '2026-10-25T09:00+01:00'],
    ['leaves the weekend out', nine(workdays), '2026-11-27T09:00+01:00', '2026-11-30T09:00+01:00'],
    ['is a week later', nine([1]), '2026-11-23T09:00+01:00', '2026-11-30T09:00+01:00'],
    [
      'moves on with an hour that is skipped',
      { kind: 'days', weekdays: [...everyDay], hour: 2, minute: 30 },
      '2026-03-28T02:30+01:00',
      '2026-03-29T03:30+02:00',
    ],
    [
      'is the first of an hour that comes twice',
      { kind: 'days', weekdays: [...everyDay], hour: 2, minute: 30 },
      '2026-10-24T02:30+02:00',
      '2026-10-25T02:30+02:00',
    ],
    [
      'is so much later, whatever the clocks do',
      { kind: 'interval', ms: 2 * hour },
      '2026-03-29T01:00+01:00',
      '2026-03-29T04:00+02:00',
    ],
  ])('%s', (_, rule, from, to) => expect(nextTime(rule, 'Europe/Berlin', at(from), at(from))).toBe(at(to)))
})

describe('a repeated alarm', () => {
  const monday = at('2026-11-23T09:00+01:00')
  it('that was delivered is due at what comes then, unclaimed and unrung', () => {
    const task = { ...repeated(monday, nine()), rangAtMs: monday, deliveryCount: 1 }
    const { over, next } = movedOn(task, monday + minute, 'delivered', rules)
    expect(over).toEqual(task)
    expect(next).toEqual({
      ...repeated(monday + day, nine(), { nth: 2, untilMs: task.repeat.untilMs }),
      deliveryCount: 1,
      updatedAtMs: monday + minute,
    })
  })
  it('that was taken before its time is not due then again', () => {
    const { next } = movedOn(repeated(monday, nine()), monday - minute, 'delivered', rules)
    expect(next?.dueAtMs).toBe(monday + day)
  })
  it('tells what went by during a sleep as one, and goes on', () => {
    const { over, next } = movedOn(repeated(monday, nine()), monday + 3 * day + 2 * hour, 'missed', rules)
    expect(over.repeat?.passed).toBe(3)
    expect(next).toMatchObject({ dueAtMs: monday + 4 * day, repeat: { nth: 5 } })
    expect(next?.repeat).not.toHaveProperty('passed')
  })
  it('is not past the time that is due just now', () => {
    const { over, next } = movedOn(repeated(monday, nine()), monday + 3 * day + 10 * minute, 'missed', rules)
    expect(over.repeat?.passed).toBe(2)
    expect(next).toMatchObject({ dueAtMs: monday + 3 * day, repeat: { nth: 4 } })
  })
  it.each([
    ['its times are over', { times: 3 }],
    ['its end has come', { untilMs: monday + 2 * day }],
  ])('ends when %s', (_, end) => {
    const last = repeated(monday + 2 * day, nine(), { nth: 3, ...end })
    expect(movedOn(last, last.dueAtMs, 'delivered', rules)).toEqual({ over: last, next: null })
    const slept = movedOn(repeated(monday, nine(), end), monday + 30 * day, 'missed', rules)
    expect(slept).toMatchObject({ over: { repeat: { passed: 2 } }, next: null })
  })
})

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata', 'UTC']
const rule: fc.Arbitrary<RepeatRule> = fc.oneof(
  fc.record({
    kind: fc.constant('days' as const),
    weekdays: fc
      .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
      .map((days) => days.toSorted((a, b) => a - b)),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
  }),
  fc.record({
    kind: fc.constant('interval' as const),
    ms: fc.constantFrom(5 * minute, 20 * minute, 2 * hour, 25 * hour),
  }),
)
const start = fc.integer({ min: at('2026-01-01T00:00Z') / minute, max: at('2027-01-01T00:00Z') / minute })
const claimed = (by: string, now: number, route: 'terminal' | 'request' = 'request'): ClockEvent => ({
  type: 'claim',
  at: now,
  taskIds: ['a'],
  claim: { route, by, at: now },
})

describe('of any rule in any zone', () => {
  it('days come at their hour on their weekdays, each later than the last', () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...zones), start, (one, zone, from) => {
        const offsetAt = offsetsOf(zone)
        let last = from * minute
        for (let i = 0; i < 12; i++) {
          const next = nextTime(one, zone, last, last)
          expect(next).toBeGreaterThan(last)
          if (one.kind === 'interval') expect(next - last).toBe(one.ms)
          else {
            const wall = timeAt(next, offsetAt)
            // Moved on by what the clocks skip: half an hour on Lord Howe.
            const moved = (wall.hour - one.hour) * 60 + wall.minute - one.minute
            expect([0, 30, 60]).toContain(moved)
            expect(one.weekdays).toContain(weekdayOf(dateAt(next, offsetAt)))
          }
          last = next
        }
      }),
      runs(100),
    )
  })

  it('each time is delivered, missed, passed or left out exactly once, and none comes after the end', () => {
    const step = fc.record({
      what: fc.constantFrom(
        'wait',
        'claim',
        'claim',
        'commit',
        'commit',
        'release',
        'lost',
        'retire',
        'skip',
        'unqueue',
      ),
      ms: fc.oneof(fc.integer({ min: 0, max: 30 * minute }), fc.integer({ min: 0, max: 4 * day })),
      back: fc.boolean(),
    })
    fc.assert(
      fc.property(
        rule,
        fc.constantFrom(...zones),
        start,
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 60 }),
        (one, zone, from, times, steps) => {
          const first = nextTime(one, zone, from * minute, from * minute)
          let state: SessionTasks = {
            sessionId: 's',
            tasks: [repeated(first, one, { zone, times })],
            updatedAtMs: 0,
          }
          let now = first - day
          const over: number[] = []
          const count = (tasks: readonly Task[]) => {
            for (const { repeat } of tasks)
              for (let i = 0; i <= (repeat?.passed ?? 0); i++) over.push((repeat?.nth ?? 0) + i)
          }
          const act = (event: ClockEvent) => {
            const applied = apply(state, event, rules)
            for (const told of applied.effects) {
              count(told.tasks)
              if (told.type !== 'removed') continue
              // A time that is left out is not late: the times that passed with it are those in between.
              const next = applied.state.tasks[0]?.repeat?.nth ?? times + 1
              for (let nth = (told.tasks[0]?.repeat?.nth ?? 0) + 1; nth < next; nth++) over.push(nth)
            }
            state = applied.state
            expect(state.tasks.length).toBeLessThanOrEqual(1)
          }
          for (const { what, ms, back } of steps) {
            now += back && what === 'wait' ? -Math.min(ms, hour) : ms
            const task = state.tasks[0]
            if (!task) break
            if (what === 'claim') act(claimed('c', now))
            if (what === 'commit') act({ type: 'commit', at: now, by: 'c' })
            if (what === 'release') act({ type: 'release', at: now, by: 'c' })
            if (what === 'lost') act({ type: 'lost', at: now, by: 'c', why: 'unknown' })
            if (what === 'retire') act({ type: 'retire', at: now })
            if (what === 'skip') act({ type: 'skip', at: now, taskId: 'a', dueAtMs: task.dueAtMs })
            if (what === 'unqueue' && task.claim) act({ type: 'cancel', at: now, taskIds: ['a'], by: 'c' })
          }
          act({ type: 'release', at: now, by: 'c' })
          act({ type: 'retire', at: now + 400 * day })
          act({ type: 'retire', at: now + 800 * day })
          expect(state.tasks).toEqual([])
          expect(over.toSorted((a, b) => a - b)).toEqual(Array.from({ length: times }, (_, i) => i + 1))
        },
      ),
      runs(150),
    )
  })
})
