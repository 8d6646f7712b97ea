import type { Task } from './task.ts'

export interface DueRules {
  /** requests and holds may take a task this long before its time (milliseconds) */
  dueWindowMs: number
  /** and this long after it */
  retentionMs: number
}

/** What a rule looks at of a task. */
type Timed = Pick<Task, 'dueAtMs'>

export const isDue = ({ dueAtMs }: Timed, now: number, { dueWindowMs }: Pick<DueRules, 'dueWindowMs'>): boolean => now >= dueAtMs - dueWindowMs

/** Nobody wants to hear of it any more: it is missed. */
export const isExpired = ({ dueAtMs }: Timed, now: number, { retentionMs }: Pick<DueRules, 'retentionMs'>): boolean => now > dueAtMs + retentionMs

/** The exchange the task was set in, with its further rounds (`<request>:…`). */
export const isGuarded = ({ notBeforeRequestId: guard }: Pick<Task, 'notBeforeRequestId'>, requestId: string): boolean =>
  guard !== undefined && (requestId === guard || requestId.startsWith(`${guard}:`))

/** Whether a request may take it along (spec 04, Due rules). `requestId` null: no request, the terminal or a hold of its own. */
export function shouldInject(task: Task, now: number, requestId: string | null, rules: DueRules): boolean {
  return isDue(task, now, rules) && !isExpired(task, now, rules) && task.deliveredAtMs === undefined && task.claim === undefined
    && !(requestId !== null && isGuarded(task, requestId))
}

/** When the next of them has to be looked at: due at their very time, or over. null: never */
export function nextInstant(tasks: Iterable<Task>, now: number, { retentionMs }: Pick<DueRules, 'retentionMs'>): number | null {
  let next: number | null = null
  for (const task of tasks) {
    // What is delivered has only its end before it.
    const at = task.deliveredAtMs === undefined && task.dueAtMs > now ? task.dueAtMs : task.dueAtMs + retentionMs + 1
    if (at > now && (next === null || at < next)) next = at
  }
  return next
}
