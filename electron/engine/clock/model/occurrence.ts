import type { Repeat, RepeatRule } from '../../../../shared/alarms/repeat.ts'
import { isExpired, type DueRules } from './due.ts'
import { addDays, weekdayOf } from '../read-time/said.ts'
import { dateAt, instantOf, offsetsOf, type CalendarDate, type OffsetAt } from '../../base/calendar/wall-time.ts'
import type { Task } from './task.ts'

interface Occurrence {
  dueAtMs: number
  nth: number
}
type Repeated = Pick<Task, 'dueAtMs'> & { repeat: Repeat }

const zones = new Map<string, OffsetAt>()
/** Making a format of a zone costs more than using it here. */
function offsetsIn(zone: string): OffsetAt {
  const known = zones.get(zone) ?? offsetsOf(zone)
  zones.set(zone, known)
  return known
}

/**
 * The first time of the rule later than `after`. `grid`: one of its times, which intervals count from; a rule of days
 * needs none.
 */
export function nextTime(rule: RepeatRule, zone: string, after: number, grid: number): number {
  if (rule.kind === 'interval') return grid + (Math.floor((after - grid) / rule.ms) + 1) * rule.ms
  const offsetAt = offsetsIn(zone)
  const time = { hour: rule.hour, minute: rule.minute, second: 0 }
  const today = dateAt(after, offsetAt)
  // The day before, too: an hour that the clocks skip may have moved on beyond midnight.
  for (let ahead = -1; ; ahead++) {
    const date = addDays(today, ahead)
    if (!rule.weekdays.includes(weekdayOf(date)) || !isMonthDay(date, rule.monthDay)) continue
    const at = instantOf(date, time, offsetAt)
    if (at > after) return at
  }
}

const isMonthDay = (date: CalendarDate, wanted: number | undefined): boolean =>
  wanted === undefined || date.day === wanted || (date.day < wanted && addDays(date, 1).day === 1)

function following({ dueAtMs, repeat }: Repeated): Occurrence | null {
  const at = nextTime(repeat.rule, repeat.zone, dueAtMs, dueAtMs)
  return repeat.nth < repeat.times && at <= repeat.untilMs ? { dueAtMs: at, nth: repeat.nth + 1 } : null
}

/** Goes from the next occurrence to the first that `isIt`, at most to the end. */
function firstOf(from: Repeated, isIt: (one: Occurrence) => boolean): Occurrence | null {
  const { repeat } = from
  let one = following(from)
  while (one && !isIt(one)) one = following({ dueAtMs: one.dueAtMs, repeat: { ...repeat, nth: one.nth } })
  return one
}

/**
 * Computes a repeated alarm after one of its times is over, and the report of that time. Times that passed meanwhile
 * are counted with it and never come one by one. `delivered`: the next one is in the future; else a later one that can
 * still be delivered is not skipped.
 */
export function movedOn(
  task: Task,
  now: number,
  how: 'delivered' | 'missed',
  rules: Pick<DueRules, 'retentionMs'>,
): { over: Task; next: Task | null } {
  const { repeat } = task
  if (!repeat) return { over: task, next: null }
  const from = { dueAtMs: task.dueAtMs, repeat }
  const coming = firstOf(from, ({ dueAtMs }) => dueAtMs > now)
  const late = how === 'delivered' ? null : lastOf(from, coming, (one) => !isExpired(one, now, rules))
  const next = late ?? coming
  const passed = (next?.nth ?? lastNth(from) + 1) - repeat.nth - 1
  return {
    over: passed > 0 ? { ...task, repeat: { ...repeat, passed } } : task,
    next: next && withTime(task, repeat, next, now),
  }
}

/** The last before `end` that `isIt`; null: none. */
function lastOf(from: Repeated, end: Occurrence | null, isIt: (one: Occurrence) => boolean): Occurrence | null {
  let last: Occurrence | null = null
  for (let one = firstOf(from, isIt); one && one.nth !== end?.nth;)
    one = following({ dueAtMs: (last = one).dueAtMs, repeat: { ...from.repeat, nth: one.nth } })
  return last
}

function lastNth(from: Repeated): number {
  let nth = from.repeat.nth
  firstOf(from, (one) => {
    nth = one.nth
    return false
  })
  return nth
}

function withTime(task: Task, repeat: Repeat, { dueAtMs, nth }: Occurrence, now: number): Task {
  const { rangAtMs: _, deliveredAtMs: __, claim: ___, notBeforeRequestId: ____, ...rest } = task
  return { ...rest, dueAtMs, repeat: { ...repeat, nth }, updatedAtMs: now }
}

/** The alarm of one time alone. */
export function single(task: Task): Task {
  const { repeat: _, ...rest } = task
  return rest
}
