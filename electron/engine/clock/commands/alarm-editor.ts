import type { AlarmBy } from '../../../../shared/alarms/alarms.ts'
import { OnwardError } from '../../base/errors.ts'
import { isExpired } from '../model/due.ts'
import { idsOf } from '../alarm-events.ts'
import { single } from '../model/occurrence.ts'
import { logAlarms, type DoneToAlarms } from '../log-alarms.ts'
import type { AlarmService } from '../alarm-service.ts'
import { longPast, underWay, unknown, isRepeated, mustEnd, repeatedOrders } from '../model/repeated.ts'
import type { SessionTasks, Task } from '../model/task.ts'
import type { AlarmCommands } from '../model/types.ts'

/** Per session; more than any person means to set. */
export const mostTasks = 200

export type AlarmEditor = ReturnType<typeof createAlarmEditor>

interface Put {
  requestId?: string | null
  /** what has to be on the disk with it, or neither is */
  also?(): Promise<void>
  overwrite?: true
}

/** Shared by all commands of people and models: finds an alarm, frees it from its route, sets one. */
export function createAlarmEditor(service: AlarmService, deliver: (sessionId: string) => void) {
  const { alarmStore, deps, missed, terminal } = service
  const where = (sessionId: string) => ({ sessionId, scope: alarmStore.of(sessionId)?.scope ?? null })
  const sessionOf = (taskId: string): SessionTasks => {
    const state = alarmStore.withTask(taskId)
    if (!state) throw unknown()
    return state
  }
  const taskIn = (sessionId: string, taskId: string): Task => {
    const task = alarmStore.of(sessionId)?.tasks.find((one) => one.taskId === taskId)
    if (!task) throw unknown()
    return task
  }
  const mustNotBeOver = (dueAtMs: number) => {
    if (isExpired({ dueAtMs }, service.now(), deps.config())) throw longPast(dueAtMs)
  }
  /** Takes it out of a terminal's queue; one that is being typed or sent can't be changed any more. */
  const free = async (sessionId: string, task: Task): Promise<void> => {
    const { claim } = task
    if (!claim) return
    const isOut = claim.route === 'terminal' && (await terminal.takeBack(claim.by, alarmStore.of(sessionId)?.scope))
    if (!isOut) throw underWay()
    await service.commit(sessionId, { type: 'release', at: service.now(), by: claim.by }, 'best-effort')
  }
  const settled = async <T>(sessionId: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await service.exclusive(sessionId, work)
    } finally {
      deliver(sessionId)
    }
  }
  const logged = async <T>(what: Omit<DoneToAlarms, 'write'>, work: () => Promise<T>): Promise<T> => {
    try {
      const done = await work()
      logAlarms(deps.log, { ...what, write: 'written' })
      return done
    } catch (error) {
      logAlarms(deps.log, { ...what, write: { refused: OnwardError.isInstance(error) ? error.code : 'alarms' } })
      throw error
    }
  }
  const put = async (
    sessionId: string,
    tasks: readonly Task[],
    by: AlarmBy,
    { requestId = null, also, overwrite }: Put = {},
  ): Promise<void> => {
    await logged({ did: 'set', sessionId, requestId, tasks }, async () => {
      const there = new Set(idsOf(alarmStore.of(sessionId)?.tasks ?? []))
      mustFit(service, sessionId, tasks.filter(({ taskId }) => !there.has(taskId)).length)
      const scope = deps.scopeOf(sessionId) ?? undefined
      await service.commit(
        sessionId,
        { type: 'schedule', at: service.now(), tasks, scope, ...(overwrite ? { overwrite } : {}) },
        'durable',
      )
      await also?.().catch(async (error: unknown) => {
        await service.commit(sessionId, { type: 'cancel', at: service.now(), taskIds: idsOf(tasks) }, 'best-effort')
        throw error
      })
    })
    const earliest = Math.min(...tasks.map(({ dueAtMs }) => dueAtMs))
    deps.record({ ...where(sessionId), requestId }, { type: 'alarm-set', taskIds: idsOf(tasks), by, earliest })
    deliver(sessionId)
  }
  /** A due time is missed only once: the same one, asked for again, becomes a moment later. */
  const unmissed = (taskId: string, dueAtMs: number): number => {
    let at = dueAtMs
    while (missed.knows({ taskId, dueAtMs: at })) at += 1
    return at
  }
  const again = (task: Task, dueAtMs: number): Task => {
    const { rangAtMs: _, deliveredAtMs: __, claim: ___, notBeforeRequestId: ____, ...rest } = single(task)
    return { ...rest, dueAtMs: unmissed(task.taskId, dueAtMs), updatedAtMs: service.now() }
  }
  /** A single alarm for one time of a repeated one. */
  const copyOf = (task: Task, dueAtMs: number): Task => ({
    ...again(task, dueAtMs),
    taskId: deps.random.uuid(),
    copyOf: task.taskId,
    createdAtMs: service.now(),
    deliveryCount: 0,
  })
  /** Runs inside the session's order. */
  const changed: AlarmCommands['edit'] = async (taskId, change, by) => {
    const { sessionId } = sessionOf(taskId)
    if (change.dueAtMs !== undefined && change.repeat) mustEnd(change.dueAtMs, change.repeat)
    await free(sessionId, taskIn(sessionId, taskId))
    const before = taskIn(sessionId, taskId)
    if (change.dueAtMs !== undefined && !change.repeat && isRepeated(before))
      return desk.repeated.putOff(before, change.dueAtMs, change.task, by)
    const dueAtMs = change.dueAtMs === undefined ? undefined : unmissed(taskId, change.dueAtMs)
    const repeat = change.repeat && { nth: 1, ...change.repeat }
    const tasks = [{ ...before, dueAtMs: dueAtMs ?? before.dueAtMs }]
    await logged({ did: 'changed', sessionId, requestId: null, tasks }, async () => {
      const event = { type: 'edit', at: service.now(), taskId, task: change.task, dueAtMs, repeat } as const
      if (!(await service.commit(sessionId, event, 'durable'))) throw underWay()
    })
    const task = taskIn(sessionId, taskId)
    deps.record(where(sessionId), { type: 'alarm-changed', taskId, by, dueAt: task.dueAtMs })
    return task
  }
  const base = {
    logged,
    where,
    sessionOf,
    taskIn,
    mustNotBeOver,
    settled,
    put,
    unmissed,
    again,
    copyOf,
    free,
    changed,
  }
  const desk = { ...base, repeated: repeatedOrders(service, base) }
  return desk
}

function mustFit({ alarmStore }: AlarmService, sessionId: string, more: number): void {
  const there = alarmStore.of(sessionId)?.tasks.length ?? 0
  const left = mostTasks - there
  if (more > left)
    throw new OnwardError(
      'too-many',
      `This session has ${there} alarms, and more than ${mostTasks} are not kept: none was set. ` +
        `Cancel some first${left > 0 ? `, or set at most ${left}` : ''}.`,
      { status: 409 },
    )
}
