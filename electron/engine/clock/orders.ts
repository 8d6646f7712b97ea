import { isDeepStrictEqual } from 'node:util'
import type { AlarmBy } from '../../../shared/alarms.ts'
import { OnwardError } from '../base/errors.ts'
import { isDue } from './due.ts'
import type { History } from './history.ts'
import { idsOf } from './news.ts'
import type { Office } from './office.ts'
import { createOrderDesk } from './order-desk.ts'
import { underWay } from './refusals.ts'
import { ordersAgain } from './orders-again.ts'
import { mustEnd } from './repeated.ts'
import { claimsOf } from './settle.ts'
import type { Task } from './task.ts'
import type { AlarmOrders, AlarmWish } from './types.ts'

/** Of one session; more than anybody means to set. */
const mostTasks = 5_000

/** What people and models do to alarms. Everything is on the disk before it is answered. */
export function createOrders(office: Office, history: History, look: (sessionId: string) => void): AlarmOrders {
  const { book, deps, news, terminal } = office
  const desk = createOrderDesk(office, look)
  const { where, sessionOf, taskIn, mustNotBeOver, settled, put, free, changed } = desk
  const make = (
    sessionId: string,
    { dueAtMs, task, tool, arguments: args, repeat }: AlarmWish,
    by: AlarmBy,
    requestId: string | null,
  ): Task => {
    const now = office.now()
    const text = task.trim()
    if (text === '') throw new OnwardError('no-words', 'An alarm needs words: say what to do then.', { status: 400 })
    mustNotBeOver(dueAtMs)
    if (repeat) mustEnd(dueAtMs, repeat)
    return {
      taskId: deps.random.uuid(),
      sessionId,
      dueAtMs,
      createdAtMs: now,
      updatedAtMs: now,
      task: text,
      setBy: by === 'model' ? 'model' : 'user',
      deliveryCount: 0,
      ...(repeat ? { repeat: { ...repeat, nth: 1 } } : {}),
      ...(tool ? { tool } : {}),
      ...(args && args !== '{}' ? { arguments: args } : {}),
      // Set within its own window: it may not come back within the exchange that set it.
      ...(requestId !== null && isDue({ dueAtMs }, now, deps.config()) ? { notBeforeRequestId: requestId } : {}),
    }
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
      if (there.length + fresh.length > mostTasks)
        throw new OnwardError(
          'too-many',
          `This session has ${there.length} alarms; more than ${mostTasks} are not kept. Cancel some first.`,
          { status: 409 },
        )
      if (fresh.length > 0) await put(sessionId, fresh, by)
      return all
    },
    async cancel(taskId, by, sessionId) {
      const state = sessionId === undefined ? sessionOf(taskId) : { sessionId, task: taskIn(sessionId, taskId) }
      return settled(state.sessionId, async () => {
        const task = taskIn(state.sessionId, taskId)
        await free(state.sessionId, task)
        const { scope } = where(state.sessionId)
        if (!(await office.commit(state.sessionId, { type: 'cancel', at: office.now(), taskIds: [taskId] }, 'wish')))
          throw underWay()
        news.cancelled({ sessionId: state.sessionId, scope: scope ?? undefined }, [task], by)
        return task
      })
    },
    async skip(taskId) {
      const { sessionId } = sessionOf(taskId)
      try {
        return await office.exclusive(sessionId, () => desk.repeated.skip(taskIn(sessionId, taskId)))
      } finally {
        look(sessionId)
      }
    },
    clear: (sessionId, by) =>
      office.exclusive(sessionId, async () => {
        for (const { route, by: holder } of claimsOf(book.of(sessionId)?.tasks ?? [])) {
          if (route === 'terminal' && (await terminal.takeBack(holder, book.of(sessionId)?.scope)))
            await office.commit(sessionId, { type: 'release', at: office.now(), by: holder }, 'fact')
        }
        const { scope } = where(sessionId)
        const tasks = (book.of(sessionId)?.tasks ?? []).filter(({ claim }) => claim === undefined)
        if (tasks.length === 0) return 0
        await office.commit(sessionId, { type: 'cancel', at: office.now(), taskIds: idsOf(tasks) }, 'wish')
        news.cancelled({ sessionId, scope: scope ?? undefined }, tasks, by)
        return tasks.length
      }),
    ...ordersAgain(office, history, desk, edit),
  }
}

const isSame = (task: Task, wish: AlarmWish): boolean =>
  task.dueAtMs === wish.dueAtMs &&
  task.task === wish.task.trim() &&
  (task.tool ?? '') === (wish.tool ?? '') &&
  (task.arguments ?? '{}') === (wish.arguments || '{}') &&
  (wish.repeat ? isDeepStrictEqual(task.repeat, { ...wish.repeat, nth: 1 }) : task.repeat === undefined)
