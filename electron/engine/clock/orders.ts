import type { AlarmBy } from '../../../shared/alarms.ts'
import { OnwardError } from '../base/errors.ts'
import { unclaimed } from './apply.ts'
import { isDue, isExpired } from './due.ts'
import type { History } from './history.ts'
import { idsOf } from './news.ts'
import type { Office } from './office.ts'
import { claimsOf } from './settle.ts'
import type { SessionTasks, Task } from './task.ts'
import type { AlarmOrders, AlarmWish } from './types.ts'

/** Of one session; more than anybody means to set. */
const mostTasks = 5_000

/** What people and models do to alarms. Everything is on the disk before it is answered. */
export function createOrders(office: Office, history: History, look: (sessionId: string) => void): AlarmOrders {
  const { book, deps, news, missed, terminal } = office
  const where = (sessionId: string) => ({ sessionId, scope: book.of(sessionId)?.scope ?? null })
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
    if (isExpired({ dueAtMs }, office.now(), deps.config())) throw new OnwardError('alarm-over', `${new Date(dueAtMs).toISOString()} is long past. Give a time to come.`, { status: 400 })
  }
  /** Out of the queue of a terminal again; what is being typed or sent can't be changed any more. */
  const free = async (sessionId: string, task: Task): Promise<void> => {
    const { claim } = task
    if (!claim) return
    const isOut = claim.route === 'terminal' && await terminal.takeBack(claim.by, book.of(sessionId)?.scope)
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
  const put = async (sessionId: string, tasks: readonly Task[], by: AlarmBy, also?: () => Promise<void>): Promise<void> => {
    const scope = deps.scopeOf(sessionId) ?? undefined
    await office.commit(sessionId, { type: 'schedule', at: office.now(), tasks, scope }, 'wish')
    await also?.().catch(async (error: unknown) => {
      await office.commit(sessionId, { type: 'cancel', at: office.now(), taskIds: idsOf(tasks) }, 'fact')
      throw error
    })
    deps.record(where(sessionId), { type: 'alarm-set', taskIds: idsOf(tasks), by, earliest: Math.min(...tasks.map(({ dueAtMs }) => dueAtMs)) })
    look(sessionId)
  }
  /** A due time is missed once: the same one, asked for again, is a moment later. */
  const unmissed = (taskId: string, dueAtMs: number): number => {
    let at = dueAtMs
    while (missed.knows({ taskId, dueAtMs: at })) at += 1
    return at
  }
  const again = (task: Task, dueAtMs: number): Task => {
    const { rangAtMs: _, deliveredAtMs: __, claim: ___, notBeforeRequestId: ____, ...rest } = task
    return { ...rest, dueAtMs: unmissed(task.taskId, dueAtMs), updatedAtMs: office.now() }
  }
  const make = (sessionId: string, { dueAtMs, task, tool, arguments: args }: AlarmWish, by: AlarmBy, requestId: string | null): Task => {
    const now = office.now()
    const text = task.trim()
    if (text === '') throw new OnwardError('no-words', 'An alarm needs words: say what to do then.', { status: 400 })
    mustNotBeOver(dueAtMs)
    return {
      taskId: deps.random.uuid(), sessionId, dueAtMs, createdAtMs: now, updatedAtMs: now, task: text, setBy: by === 'model' ? 'model' : 'user', deliveryCount: 0,
      ...(tool ? { tool } : {}),
      ...(args && args !== '{}' ? { arguments: args } : {}),
      // Set within its own window: it may not come back within the exchange that set it.
      ...(requestId !== null && isDue({ dueAtMs }, now, deps.config()) ? { notBeforeRequestId: requestId } : {}),
    }
  }
  const lastKnown = (taskId: string): Task | null =>
    missed.list().find(({ task }) => task.taskId === taskId)?.task ?? history.list().find(({ task }) => task.taskId === taskId)?.task ?? null

  const settle = async (keys: readonly string[], how: 'dismissed' | 'rescheduled', to: number | null): Promise<void> => {
    const entries = keys.flatMap((key) => missed.get(key) ?? [])
    if (entries.length === 0) return
    await missed.settle(keys, how, office.now())
    const tasks = entries.map(({ task }) => task)
    const [first] = tasks
    deps.record({ sessionId: tasks.every((task) => task.sessionId === first?.sessionId) ? first?.sessionId ?? null : null }, { type: 'alarm-settled', taskIds: idsOf(tasks), how })
    news.ended(tasks, to === null ? { kind: 'dismissed' } : { kind: 'rescheduled', to })
    deps.onChange(null)
  }
  /** Inside the session's order. */
  const changed: AlarmOrders['edit'] = async (taskId, change, by) => {
    const { sessionId } = sessionOf(taskId)
    await free(sessionId, taskIn(sessionId, taskId))
    const dueAtMs = change.dueAtMs === undefined ? undefined : unmissed(taskId, change.dueAtMs)
    if (!await office.commit(sessionId, { type: 'edit', at: office.now(), taskId, task: change.task, dueAtMs }, 'wish')) throw underWay()
    const task = taskIn(sessionId, taskId)
    deps.record(where(sessionId), { type: 'alarm-changed', taskId, by, dueAt: task.dueAtMs })
    return task
  }
  const edit: AlarmOrders['edit'] = async (taskId, change, by) => {
    const { sessionId } = sessionOf(taskId)
    if (change.dueAtMs !== undefined) mustNotBeOver(change.dueAtMs)
    return settled(sessionId, () => changed(taskId, change, by))
  }

  return {
    edit,
    async schedule(sessionId, wishes, { by, requestId }) {
      const there = book.of(sessionId)?.tasks ?? []
      const fresh: Task[] = []
      const all = wishes.map((wish) => {
        const same = [...there, ...fresh].find((task) => isSame(task, wish))
        // A client that asks again, after an answer that broke off, runs the model's call again.
        if (same) return same
        const task = make(sessionId, wish, by, requestId)
        fresh.push(task)
        return task
      })
      if (there.length + fresh.length > mostTasks) throw new OnwardError('too-many', `This session has ${there.length} alarms; more than ${mostTasks} are not kept. Cancel some first.`, { status: 409 })
      if (fresh.length > 0) await put(sessionId, fresh, by)
      return all
    },
    async snooze(taskId, dueAtMs) {
      const known = [...book.all()].flatMap(({ tasks }) => tasks).find((task) => task.taskId === taskId) ?? null
      if (known && known.claim === undefined) return edit(taskId, { dueAtMs }, 'user')
      if (known) {
        try {
          return await edit(taskId, { dueAtMs }, 'user')
        } catch (error) {
          if (!OnwardError.isInstance(error) || error.code !== 'alarm-under-way') throw error
          // It is being delivered this moment; a second one rings later.
          const second = { ...again(known, dueAtMs), taskId: deps.random.uuid(), deliveryCount: 0 }
          await put(known.sessionId, [second], 'user')
          return second
        }
      }
      const task = lastKnown(taskId)
      if (!task) throw unknown()
      mustNotBeOver(dueAtMs)
      return settled(task.sessionId, async () => {
        // Two windows may ask at once: the second moves what the first has set.
        if (book.of(task.sessionId)?.tasks.some((one) => one.taskId === taskId)) return changed(taskId, { dueAtMs }, 'user')
        const next = again(task, dueAtMs)
        await put(task.sessionId, [next], 'user', () => settle(missed.list().filter((one) => one.task.taskId === taskId).map(({ key }) => key), 'rescheduled', dueAtMs))
        return next
      })
    },
    async cancel(taskId, by, sessionId) {
      const state = sessionId === undefined ? sessionOf(taskId) : { sessionId, task: taskIn(sessionId, taskId) }
      return settled(state.sessionId, async () => {
        const task = taskIn(state.sessionId, taskId)
        await free(state.sessionId, task)
        const { scope } = where(state.sessionId)
        if (!await office.commit(state.sessionId, { type: 'cancel', at: office.now(), taskIds: [taskId] }, 'wish')) throw underWay()
        news.cancelled({ sessionId: state.sessionId, scope: scope ?? undefined }, [task], by)
        return task
      })
    },
    clear: (sessionId, by) => office.exclusive(sessionId, async () => {
      for (const { route, by: holder } of claimsOf(book.of(sessionId)?.tasks ?? [])) {
        if (route === 'terminal' && await terminal.takeBack(holder, book.of(sessionId)?.scope)) await office.commit(sessionId, { type: 'release', at: office.now(), by: holder }, 'fact')
      }
      const { scope } = where(sessionId)
      const tasks = (book.of(sessionId)?.tasks ?? []).filter(({ claim }) => claim === undefined)
      if (tasks.length === 0) return 0
      await office.commit(sessionId, { type: 'cancel', at: office.now(), taskIds: idsOf(tasks) }, 'wish')
      news.cancelled({ sessionId, scope: scope ?? undefined }, tasks, by)
      return tasks.length
    }),
    async restore(taskId) {
      const past = history.list().find(({ end, task }) => task.taskId === taskId && end.kind === 'cancelled')
      const isThere = [...book.all()].some(({ tasks }) => tasks.some((task) => task.taskId === taskId))
      if (!past || isThere) throw new OnwardError('alarm-unknown', isThere ? 'This alarm is set: there is nothing to take back.' : 'This alarm was not cancelled lately. Set a new one.', { status: 404 })
      mustNotBeOver(past.task.dueAtMs)
      // As it was: what was delivered is not delivered again.
      const task = unclaimed(past.task)
      await put(task.sessionId, [task], 'user')
      return task
    },
    async settleMissed(key, how) {
      const entry = missed.get(key)
      if (!entry) throw settledAlready()
      if (how.kind === 'dismiss') return settle([key], 'dismissed', null)
      const dueAtMs = how.kind === 'deliver' ? office.now() : how.dueAtMs
      mustNotBeOver(dueAtMs)
      const { sessionId, taskId } = entry.task
      await office.exclusive(sessionId, async () => {
        if (missed.get(key) === null) throw settledAlready()
        const isThere = book.of(sessionId)?.tasks.some((task) => task.taskId === taskId) ?? false
        await put(sessionId, [{ ...again(entry.task, dueAtMs), ...(isThere ? { taskId: deps.random.uuid() } : {}) }], 'user', () => settle([key], 'rescheduled', dueAtMs))
      })
    },
    async dismissAllMissed() { await settle(missed.list().map(({ key }) => key), 'dismissed', null) },
  }
}

const isSame = (task: Task, wish: AlarmWish): boolean =>
  task.dueAtMs === wish.dueAtMs && task.task === wish.task.trim() && (task.tool ?? '') === (wish.tool ?? '') && (task.arguments ?? '{}') === (wish.arguments || '{}')

const unknown = () => new OnwardError('alarm-unknown', 'There is no such alarm any more. List them to see which there are.', { status: 404 })
const settledAlready = () => new OnwardError('missed-unknown', 'This missed alarm was settled already.', { status: 404 })
const underWay = () => new OnwardError('alarm-under-way', 'This alarm is being delivered right now, so it can\'t be changed any more.', { status: 409 })
