import type { Task } from './task.ts'

export interface DueRules {
  /** requests and holds may take a task this long before its time (milliseconds) */
  dueWindowMs: number
  /** and this long after it */
  retentionMs: number
}

/** The members of a task that a rule needs. */
type Timed = Pick<Task, 'dueAtMs'>

export const isDue = ({ dueAtMs }: Timed, now: number, { dueWindowMs }: Pick<DueRules, 'dueWindowMs'>): boolean =>
  now >= dueAtMs - dueWindowMs

/** It is too late for it: it is missed. */
export const isExpired = ({ dueAtMs }: Timed, now: number, { retentionMs }: Pick<DueRules, 'retentionMs'>): boolean =>
  now > dueAtMs + retentionMs

/** The HTTP call the task was set in, with its further rounds (`<request>:…`). */
export const isGuarded = (
  { notBeforeRequestId: guard }: Pick<Task, 'notBeforeRequestId'>,
  requestId: string,
): boolean => guard !== undefined && (requestId === guard || requestId.startsWith(`${guard}:`))

/** not delivered, and no route has it */
export const isFree = ({ deliveredAtMs, claim }: Pick<Task, 'deliveredAtMs' | 'claim'>): boolean =>
  deliveredAtMs === undefined && claim === undefined

/** True if a request may take it along. */
export function shouldInject(task: Task, now: number, requestId: string, rules: DueRules): boolean {
  return isFree(task) && isDue(task, now, rules) && !isExpired(task, now, rules) && !isGuarded(task, requestId)
}

const minute = 60_000
/** Alarms due within the same minute for one session are one message. */
export const sameMinute = (a: Timed, b: Timed): boolean =>
  Math.floor(a.dueAtMs / minute) === Math.floor(b.dueAtMs / minute)

/** Returns the alarms a terminal gets at once: all that are due, and those due within the same minute. */
export function dueNow(tasks: readonly Task[], now: number, rules: Pick<DueRules, 'retentionMs'>): readonly Task[] {
  const open = tasks.filter((task) => isFree(task) && !isExpired(task, now, rules))
  const due = open.filter(({ dueAtMs }) => dueAtMs <= now)
  return due.length === 0 ? due : open.filter((task) => due.includes(task) || due.some((one) => sameMinute(one, task)))
}

/** When the next of them needs attention, because it rings or its time is over. Never before `now`. null: never */
export function nextInstant(
  tasks: Iterable<Task>,
  now: number,
  { retentionMs }: Pick<DueRules, 'retentionMs'>,
): number | null {
  let next: number | null = null
  for (const task of tasks) {
    const end = task.dueAtMs + retentionMs + 1
    const rings = task.rangAtMs === undefined && now < end
    // A route that has it says itself how that ended.
    if (!rings && task.claim && end <= now) continue
    const at = Math.max(now, rings ? task.dueAtMs : end)
    if (next === null || at < next) next = at
  }
  return next
}
