import type { AlarmRoute, MissedWhy } from '../../../../shared/alarms/alarms.ts'
import type { Repeat } from '../../../../shared/alarms/repeat.ts'
import type { Scope } from '../../../../shared/words.ts'
import { isExpired, isFree, type DueRules } from './due.ts'
import { movedOn, single } from './occurrence.ts'
import type { Claim, SessionTasks, Task } from './task.ts'

/** Everything that can happen to a session's alarms. */
export type ClockEvent =
  /** one that is known stays as it is, or with `overwrite` is the new one, unless a route has it */
  | { type: 'schedule'; at: number; tasks: readonly Task[]; scope?: Scope | undefined; overwrite?: true }
  /**
   * a person or the model changes it. A new time makes it undelivered again; without a `repeat` that time is its only
   * one
   */
  | {
      type: 'edit'
      at: number
      taskId: string
      dueAtMs?: number | undefined
      repeat?: Repeat | undefined
      task?: string | undefined
    }
  /**
   * alarms that a route has taken stay, unless it is that route's own (`by`), whose one time this ends of a repeated
   * one
   */
  | { type: 'cancel'; at: number; taskIds: readonly string[]; by?: string }
  /** a repeated one goes on without the time it waits for; `instead`: what takes the place of that time */
  | { type: 'skip'; at: number; taskId: string; dueAtMs: number; instead?: Task | undefined }
  /** reported as missed already: they leave without another event */
  | { type: 'gone'; at: number; taskIds: readonly string[] }
  /** a person gets a notice of these */
  | { type: 'ring'; at: number; taskIds: readonly string[] }
  /** a route starts with these, as far as they are free */
  | { type: 'claim'; at: number; taskIds: readonly string[]; claim: Claim; scope?: Scope | undefined }
  /** it was not delivered after all: another route may take them */
  | { type: 'release'; at: number; by: string }
  | { type: 'commit'; at: number; by: string }
  | { type: 'lost'; at: number; by: string; why: Exclude<MissedWhy, 'expired'> }
  /** time went by */
  | { type: 'retire'; at: number }
  /** another session has them now */
  | { type: 'handed-over'; at: number; taskIds: readonly string[] }
  /** the session's terminal is another one */
  | { type: 'move'; at: number; from: Scope; to: Scope }

/** The effects of an event, for ledgers, timeline and notifications. */
export type ClockEffect =
  | { type: 'delivered'; tasks: readonly Task[]; route: AlarmRoute }
  /** `by`: the claim that got lost */
  | { type: 'missed'; tasks: readonly Task[]; why: MissedWhy; by: string | null }
  | { type: 'removed'; tasks: readonly Task[] }

export interface Applied {
  state: SessionTasks
  effects: readonly ClockEffect[]
}

/** The states of alarms. Pure; what does not fit the present state changes nothing and has no effect. */
export function apply(state: SessionTasks, event: ClockEvent, rules: Pick<DueRules, 'retentionMs'>): Applied {
  const { tasks } = state
  const none: Applied = { state, effects: [] }
  const to = (next: readonly Task[], ...effects: ClockEffect[]): Applied => ({
    state: { ...state, tasks: next, updatedAtMs: Math.max(event.at, state.updatedAtMs) },
    effects,
  })
  const lodged = (applied: Applied, scope: Scope | undefined): Applied =>
    scope === undefined ? applied : { ...applied, state: { ...applied.state, scope } }
  const without = (gone: readonly Task[]): readonly Task[] => tasks.filter((task) => !gone.includes(task))
  /** Those whose time is over: a repeated one goes on, any other leaves. */
  const end = (over: readonly Task[], how: 'delivered' | 'missed' = 'missed') => {
    const ends = new Map(over.map((task) => [task, movedOn(unclaimed(task), event.at, how, rules)]))
    return {
      over: over.map((task) => ends.get(task)?.over ?? task),
      left: tasks.flatMap((task) => {
        const ended = ends.get(task)
        return ended ? (ended.next ?? []) : task
      }),
    }
  }
  const change = (isIt: (task: Task) => boolean, how: (task: Task) => Task): readonly Task[] =>
    tasks.map((task) => (isIt(task) ? { ...how(task), updatedAtMs: event.at } : task))

  switch (event.type) {
    case 'schedule': {
      const known = new Set(tasks.map(({ taskId }) => taskId))
      const fresh = event.tasks.filter(({ taskId }) => !known.has(taskId))
      const anew = new Map(event.overwrite ? event.tasks.map((task) => [task.taskId, task]) : [])
      if (fresh.length === 0 && !tasks.some(({ taskId }) => anew.has(taskId))) return none
      return lodged(
        to([...tasks.map((task) => (task.claim ? task : (anew.get(task.taskId) ?? task))), ...fresh]),
        event.scope,
      )
    }
    case 'edit': {
      const found = tasks.find(({ taskId }) => taskId === event.taskId)
      // An alarm on its way can't be changed any more, only taken back first.
      if (!found || found.claim) return none
      return to(
        change(
          (task) => task === found,
          (task) => edited(task, event),
        ),
      )
    }
    case 'cancel': {
      const gone = tasks.filter(
        ({ taskId, claim }) => event.taskIds.includes(taskId) && (claim === undefined || claim.by === event.by),
      )
      if (gone.length === 0) return none
      const left = event.by === undefined ? without(gone) : end(gone, 'delivered').left
      return to(left, { type: 'removed', tasks: gone.map(unclaimed) })
    }
    case 'skip': {
      const found = tasks.find(({ taskId, dueAtMs }) => taskId === event.taskId && dueAtMs === event.dueAtMs)
      if (!found?.repeat || !isFree(found)) return none
      const { left } = end([found], 'delivered')
      return to(event.instead ? [...left, event.instead] : left, { type: 'removed', tasks: [found] })
    }
    case 'gone': {
      const gone = tasks.filter((task) => event.taskIds.includes(task.taskId) && task.claim === undefined)
      return gone.length === 0 ? none : to(end(gone).left)
    }
    case 'ring': {
      const rings = (task: Task): boolean => event.taskIds.includes(task.taskId) && task.rangAtMs === undefined
      return tasks.some(rings) ? to(change(rings, (task) => ({ ...task, rangAtMs: event.at }))) : none
    }
    case 'claim': {
      const wanted = (task: Task): boolean =>
        event.taskIds.includes(task.taskId) && isFree(task) && !isExpired(task, event.at, rules)
      return tasks.some(wanted)
        ? lodged(to(change(wanted, (task) => ({ ...task, claim: event.claim }))), event.scope)
        : none
    }
    case 'release': {
      const isHeld = heldBy(event.by)
      return tasks.some(isHeld) ? to(change(isHeld, unclaimed)) : none
    }
    case 'commit': {
      const isHeld = heldBy(event.by)
      const route = tasks.find(isHeld)?.claim?.route
      if (route === undefined) return none
      const delivered: Task[] = []
      const next = tasks.map((task) => {
        if (!isHeld(task)) return task
        const counted = { ...unclaimed(task), deliveryCount: task.deliveryCount + 1, updatedAtMs: event.at }
        const ended = movedOn(counted, event.at, 'delivered', rules)
        const done = { ...ended.over, deliveredAtMs: event.at }
        delivered.push(done)
        return ended.next ?? done
      })
      return to(next, { type: 'delivered', tasks: delivered, route })
    }
    case 'lost': {
      const lost = tasks.filter(heldBy(event.by))
      if (lost.length === 0) return none
      const { over, left } = end(lost)
      return to(left, { type: 'missed', tasks: over, why: event.why, by: event.by })
    }
    case 'retire': {
      // A route that has begun says itself how it ended.
      const over = tasks.filter((task) => isExpired(task, event.at, rules) && task.claim === undefined)
      if (over.length === 0) return none
      const ended = end(over.filter(({ deliveredAtMs }) => deliveredAtMs === undefined))
      return to(
        ended.left.filter((task) => task.deliveredAtMs === undefined || !over.includes(task)),
        ...(ended.over.length > 0
          ? [{ type: 'missed' as const, tasks: ended.over, why: 'expired' as const, by: null }]
          : []),
      )
    }
    case 'handed-over': {
      const left = tasks.filter(({ taskId }) => !event.taskIds.includes(taskId))
      return left.length === tasks.length ? none : to(left)
    }
    case 'move':
      return state.scope === event.from ? lodged(to(tasks), event.to) : none
  }
}

const heldBy =
  (by: string) =>
  (task: Task | undefined): boolean =>
    task?.claim?.by === by

export function unclaimed(task: Task): Task {
  const { claim: _, ...free } = task
  return free
}

function edited(task: Task, { dueAtMs, repeat, task: text }: Extract<ClockEvent, { type: 'edit' }>): Task {
  const { deliveredAtMs: _, notBeforeRequestId: __, rangAtMs: ___, ...anew } = single(task)
  const timed = dueAtMs === undefined ? task : { ...anew, dueAtMs, ...(repeat ? { repeat } : {}) }
  return text === undefined ? timed : { ...timed, task: text }
}
