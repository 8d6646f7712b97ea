import type { AlarmBy } from '../../../shared/alarms.ts'
import { OnwardError } from '../base/errors.ts'
import { isExpired } from './due.ts'
import { idsOf } from './news.ts'
import { single } from './occurrence.ts'
import type { Office } from './office.ts'
import { underWay, unknown } from './refusals.ts'
import { isRepeated, mustEnd, repeatedOrders } from './repeated.ts'
import type { SessionTasks, Task } from './task.ts'
import type { AlarmOrders } from './types.ts'
import type { Scope } from '../../../shared/words.ts'

export type OrderDesk = ReturnType<typeof createOrderDesk>

/** What all orders of people and models have in common: to find an alarm, to get hold of it, to set one. */
export function createOrderDesk(office: Office, look: (sessionId: string) => void) {
  const { book, deps, missed, terminal } = office
  const where = (sessionId: string): { sessionId: string; scope: Scope | null } => ({
    sessionId,
    scope: book.of(sessionId)?.scope ?? null,
  })
  const sessionOf = (taskId: string): SessionTasks => {
    for (const state of book.all()) if (state.tasks.some((task) => task.taskId === taskId)) return state
    throw unknown()
  }
  const taskIn = (sessionId: string, taskId: string): Task => {
    const task = book.of(sessionId)?.tasks.find((one) => one.taskId === taskId)
    if (!task) throw unknown()
    return task
  }
  const mustNotBeOver = (dueAtMs: number) => {
    if (isExpired({ dueAtMs }, office.now(), deps.config()))
      throw new OnwardError('alarm-over', `${new Date(dueAtMs).toISOString()} is long past. Give a time to come.`, {
        status: 400,
      })
  }
  /** Out of the queue of a terminal again; what is being typed or sent can't be changed any more. */
  const free = async (sessionId: string, task: Task): Promise<void> => {
    const { claim } = task
    if (!claim) return
    const isOut = claim.route === 'terminal' && (await terminal.takeBack(claim.by, book.of(sessionId)?.scope))
    if (!isOut) throw underWay()
    await office.commit(sessionId, { type: 'release', at: office.now(), by: claim.by }, 'fact')
  }
  const settled = async (sessionId: string, work: () => Promise<Task>): Promise<Task> => {
    try {
      return await office.exclusive(sessionId, work)
    } finally {
      look(sessionId)
    }
  }
  /** `also`: what has to be on the disk with it, or neither is. */
  const put = async (
    sessionId: string,
    tasks: readonly Task[],
    by: AlarmBy,
    also?: () => Promise<void>,
  ): Promise<void> => {
    const scope = deps.scopeOf(sessionId) ?? undefined
    await office.commit(sessionId, { type: 'schedule', at: office.now(), tasks, scope }, 'wish')
    await also?.().catch(async (error: unknown) => {
      await office.commit(sessionId, { type: 'cancel', at: office.now(), taskIds: idsOf(tasks) }, 'fact')
      throw error
    })
    deps.record(where(sessionId), {
      type: 'alarm-set',
      taskIds: idsOf(tasks),
      by,
      earliest: Math.min(...tasks.map(({ dueAtMs }) => dueAtMs)),
    })
    look(sessionId)
  }
  /** A due time is missed once: the same one, asked for again, is a moment later. */
  const unmissed = (taskId: string, dueAtMs: number): number => {
    let at = dueAtMs
    while (missed.knows({ taskId, dueAtMs: at })) at += 1
    return at
  }
  const again = (task: Task, dueAtMs: number): Task => {
    const { rangAtMs: _, deliveredAtMs: __, claim: ___, notBeforeRequestId: ____, ...rest } = single(task)
    return { ...rest, dueAtMs: unmissed(task.taskId, dueAtMs), updatedAtMs: office.now() }
  }
  /** A single alarm for one time of a repeated one. */
  const copyOf = (task: Task, dueAtMs: number): Task => ({
    ...again(task, dueAtMs),
    taskId: deps.random.uuid(),
    copyOf: task.taskId,
    createdAtMs: office.now(),
    deliveryCount: 0,
  })
  /** Inside the session's order. */
  const changed: AlarmOrders['edit'] = async (taskId, change, by) => {
    const { sessionId } = sessionOf(taskId)
    if (change.dueAtMs !== undefined && change.repeat) mustEnd(change.dueAtMs, change.repeat)
    await free(sessionId, taskIn(sessionId, taskId))
    const before = taskIn(sessionId, taskId)
    if (change.dueAtMs !== undefined && !change.repeat && isRepeated(before))
      return desk.repeated.putOff(before, change.dueAtMs, change.task, by)
    const dueAtMs = change.dueAtMs === undefined ? undefined : unmissed(taskId, change.dueAtMs)
    const repeat = change.repeat && { nth: 1, ...change.repeat }
    if (
      !(await office.commit(
        sessionId,
        { type: 'edit', at: office.now(), taskId, task: change.task, dueAtMs, repeat },
        'wish',
      ))
    )
      throw underWay()
    const task = taskIn(sessionId, taskId)
    deps.record(where(sessionId), { type: 'alarm-changed', taskId, by, dueAt: task.dueAtMs })
    return task
  }
  const base = { where, sessionOf, taskIn, mustNotBeOver, settled, put, again, copyOf, free, changed }
  const desk = { ...base, repeated: repeatedOrders(office, base) }
  return desk
}
