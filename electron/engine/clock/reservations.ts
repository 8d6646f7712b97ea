import type { AlarmRoute } from '../../../shared/alarms.ts'
import { dueNow, isDue, isExpired, isFree, isGuarded, shouldInject } from './due.ts'
import { idsOf } from './news.ts'
import type { Office } from './office.ts'
import { reminderText } from './reminder-text.ts'
import type { Task } from './task.ts'
import type { AlarmRoutes, Reservation } from './types.ts'

/** No answer that is to be held open for an alarm takes longer to come; the end of others is not kept back. */
const longestAnswerMs = 3_600_000

/** The ways of alarms into requests and into answers that are held open. */
export function createReservations(office: Office, look: (sessionId: string) => void): AlarmRoutes {
  const { book, deps, terminal } = office
  const tasksOf = (sessionId: string): readonly Task[] => book.of(sessionId)?.tasks ?? []

  /** Only what no terminal has begun to type; after this they are free. */
  const takeBack = async (sessionId: string, requestId: string): Promise<void> => {
    const now = office.now()
    const wanted = tasksOf(sessionId).filter(
      (task) =>
        task.claim?.route === 'terminal' &&
        isDue(task, now, deps.config()) &&
        !isExpired(task, now, deps.config()) &&
        !isGuarded(task, requestId),
    )
    for (const by of new Set(wanted.flatMap(({ claim }) => (claim ? [claim.by] : [])))) {
      if (await terminal.takeBack(by, book.of(sessionId)?.scope))
        await office.commit(sessionId, { type: 'release', at: office.now(), by }, 'fact')
    }
  }
  /**
   * The rounds of a JSON answer reach the client together: until then each keeps what it took along, under its own
   * name.
   */
  const freeName = (requestId: string): string => {
    let name = `${requestId}:clock`
    for (let n = 2; office.live.has(name); n++) name = `${requestId}:clock:${n}`
    return name
  }
  const claim = async (
    sessionId: string,
    requestId: string,
    route: Exclude<AlarmRoute, 'terminal'>,
    tasks: readonly Task[],
  ): Promise<Reservation | null> => {
    if (tasks.length === 0) return null
    const by = freeName(requestId)
    const at = office.now()
    office.live.add(by)
    const applied = await office
      .commit(sessionId, { type: 'claim', at, taskIds: idsOf(tasks), claim: { route, by, at } }, 'wish')
      .catch((error: unknown) => {
        office.live.delete(by)
        throw error
      })
    const mine = applied ? office.held(sessionId, by) : []
    if (mine.length === 0) {
      office.live.delete(by)
      return null
    }
    const taskIds = idsOf(mine)
    const where = { sessionId, requestId, scope: book.of(sessionId)?.scope ?? null }
    deps.record(where, { type: 'alarm-claimed', taskIds, route })
    let over = false
    const end = async (work: () => Promise<unknown>): Promise<void> => {
      if (over) return
      over = true
      try {
        await work()
      } catch (error) {
        office.problem(sessionId, error)
      }
      office.live.delete(by)
    }
    return {
      text: reminderText(mine, deps.zone()),
      taskIds,
      commit: () => end(() => office.commit(sessionId, { type: 'commit', at: office.now(), by }, 'fact')),
      release: (why) =>
        end(async () => {
          if (await office.commit(sessionId, { type: 'release', at: office.now(), by }, 'fact'))
            deps.record(where, { type: 'alarm-released', taskIds, route, why })
          look(sessionId)
        }),
    }
  }
  /**
   * In the session's order: what is taken out of a queue must not be queued again by a look. A disk that refuses costs
   * the alarm this way, not the client its turn.
   */
  const safely = async (sessionId: string, work: () => Promise<Reservation | null>): Promise<Reservation | null> => {
    try {
      return await office.exclusive(sessionId, work)
    } catch (error) {
      office.problem(sessionId, error)
      return null
    }
  }
  const couldGo = (task: Task, now: number, requestId: string): boolean =>
    task.deliveredAtMs === undefined &&
    (task.claim === undefined || task.claim.route === 'terminal') &&
    isDue(task, now, deps.config()) &&
    !isExpired(task, now, deps.config()) &&
    !isGuarded(task, requestId)
  const hasTerminal = (sessionId: string): boolean => {
    const state = book.of(sessionId)
    return state !== null && office.scopeOf(state) !== null
  }

  return {
    async reserve(sessionId, requestId) {
      if (!tasksOf(sessionId).some((task) => couldGo(task, office.now(), requestId))) return null
      return safely(sessionId, async () => {
        await takeBack(sessionId, requestId)
        const now = office.now()
        return claim(
          sessionId,
          requestId,
          'request',
          tasksOf(sessionId).filter((task) => shouldInject(task, now, requestId, deps.config())),
        )
      })
    },
    mayHold(sessionId) {
      const soon = office.now() + longestAnswerMs
      return tasksOf(sessionId).some((task) => isFree(task) && task.dueAtMs <= soon) && !hasTerminal(sessionId)
    },
    holdFor(sessionId, requestId) {
      const { holdMaxMs } = deps.config()
      const now = office.now()
      if (holdMaxMs === 0 || deps.paused(sessionId) || hasTerminal(sessionId)) return null
      const soon = tasksOf(sessionId).filter(
        (task) =>
          isFree(task) &&
          !isExpired(task, now, deps.config()) &&
          !isGuarded(task, requestId) &&
          task.dueAtMs - now <= holdMaxMs,
      )
      return soon.length === 0 ? null : { dueAtMs: Math.min(...soon.map(({ dueAtMs }) => dueAtMs)) }
    },
    reserveHeld: (sessionId, requestId) =>
      safely(sessionId, () =>
        claim(
          sessionId,
          requestId,
          'hold',
          dueNow(tasksOf(sessionId), office.now(), deps.config()).filter((task) => !isGuarded(task, requestId)),
        ),
      ),
  }
}
