import type { MissedWhy } from '../../../shared/alarms.ts'
import { isExpired, type DueRules } from './due.ts'
import type { Claim, SessionTasks, Task } from './task.ts'

/** Everything that can happen to a session's alarms. */
export type ClockEvent =
  | { type: 'schedule'; at: number; tasks: readonly Task[] }
  /** a person's or the model's change of mind; a new time makes it undelivered again */
  | { type: 'edit'; at: number; taskId: string; dueAtMs?: number; task?: string }
  | { type: 'cancel'; at: number; taskId: string }
  | { type: 'clear'; at: number }
  /** a route starts with these, as far as they are free */
  | { type: 'claim'; at: number; taskIds: readonly string[]; claim: Claim }
  /** it was not delivered after all: another route may take them */
  | { type: 'release'; at: number; by: string }
  | { type: 'commit'; at: number; by: string }
  | { type: 'lost'; at: number; by: string; why: 'failed' | 'unknown' }
  /** time went by */
  | { type: 'retire'; at: number }

/** What came of it, for ledgers, timeline and notifications. */
export type ClockTold =
  | { type: 'delivered'; tasks: readonly Task[] }
  | { type: 'missed'; tasks: readonly Task[]; why: MissedWhy }
  | { type: 'removed'; tasks: readonly Task[] }
  /** delivered ones whose time is over */
  | { type: 'over'; tasks: readonly Task[] }

export interface Applied { state: SessionTasks; told: readonly ClockTold[] }

/** The life of alarms (spec 04). Pure; what does not fit the present state changes nothing and tells nothing. */
export function apply(state: SessionTasks, event: ClockEvent, rules: Pick<DueRules, 'retentionMs'>): Applied {
  const { tasks } = state
  const none: Applied = { state, told: [] }
  const to = (next: readonly Task[], ...told: ClockTold[]): Applied => ({ state: { ...state, tasks: next, updatedAtMs: Math.max(event.at, state.updatedAtMs) }, told })
  const without = (gone: readonly Task[]): readonly Task[] => tasks.filter((task) => !gone.includes(task))
  const change = (isIt: (task: Task) => boolean, how: (task: Task) => Task): readonly Task[] => tasks.map((task) => (isIt(task) ? { ...how(task), updatedAtMs: event.at } : task))

  switch (event.type) {
    case 'schedule': {
      const known = new Set(tasks.map(({ taskId }) => taskId))
      const fresh = event.tasks.filter(({ taskId }) => !known.has(taskId))
      return fresh.length === 0 ? none : to([...tasks, ...fresh])
    }
    case 'edit': {
      const found = tasks.find(({ taskId }) => taskId === event.taskId)
      // What is on its way can't be changed any more, only taken back first.
      if (!found || found.claim) return none
      return to(change((task) => task === found, (task) => edited(task, event)))
    }
    case 'cancel': {
      const gone = tasks.filter(({ taskId }) => taskId === event.taskId)
      return gone.length === 0 ? none : to(without(gone), { type: 'removed', tasks: gone })
    }
    case 'clear':
      return tasks.length === 0 ? none : to([], { type: 'removed', tasks })
    case 'claim': {
      const isFree = (task: Task): boolean => event.taskIds.includes(task.taskId) && task.claim === undefined && task.deliveredAtMs === undefined && !isExpired(task, event.at, rules)
      return tasks.some(isFree) ? to(change(isFree, (task) => ({ ...task, claim: event.claim }))) : none
    }
    case 'release': {
      const isHeld = heldBy(event.by)
      return tasks.some(isHeld) ? to(change(isHeld, unclaimed)) : none
    }
    case 'commit': {
      const isHeld = heldBy(event.by)
      if (!tasks.some(isHeld)) return none
      const next = change(isHeld, (task) => ({ ...unclaimed(task), deliveredAtMs: event.at, deliveryCount: task.deliveryCount + 1 }))
      return to(next, { type: 'delivered', tasks: next.filter((_, i) => isHeld(tasks[i])) })
    }
    case 'lost': {
      const lost = tasks.filter(heldBy(event.by))
      return lost.length === 0 ? none : to(without(lost), { type: 'missed', tasks: lost.map(unclaimed), why: event.why })
    }
    case 'retire': {
      // A route that has begun says itself how it ended.
      const over = tasks.filter((task) => isExpired(task, event.at, rules) && task.claim === undefined)
      if (over.length === 0) return none
      const [delivered, missed] = [over.filter(isDelivered), over.filter((task) => !isDelivered(task))]
      return to(without(over),
        ...(missed.length > 0 ? [{ type: 'missed' as const, tasks: missed, why: 'expired' as const }] : []),
        ...(delivered.length > 0 ? [{ type: 'over' as const, tasks: delivered }] : []))
    }
  }
}

const isDelivered = ({ deliveredAtMs }: Task): boolean => deliveredAtMs !== undefined
const heldBy = (by: string) => (task: Task | undefined): boolean => task?.claim?.by === by

function unclaimed(task: Task): Task {
  const { claim: _, ...free } = task
  return free
}

function edited(task: Task, { dueAtMs, task: text }: Extract<ClockEvent, { type: 'edit' }>): Task {
  const { deliveredAtMs: _, notBeforeRequestId: __, ...anew } = task
  const timed = dueAtMs === undefined || dueAtMs === task.dueAtMs ? task : { ...anew, dueAtMs }
  return text === undefined ? timed : { ...timed, task: text }
}
