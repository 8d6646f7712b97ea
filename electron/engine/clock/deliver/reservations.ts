import type { AlarmRoute } from '../../../../shared/alarms/alarms.ts'
import { dueNow, isDue, isExpired, isFree, isGuarded, shouldInject } from '../model/due.ts'
import { idsOf } from '../alarm-events.ts'
import type { AlarmService } from '../alarm-service.ts'
import { reminderText } from './reminder-text.ts'
import type { Task } from '../model/task.ts'
import type { AlarmRoutes, Reservation } from '../model/types.ts'

/**
 * Only an answer that takes no longer than this to come is held open for an alarm; the end of others is not kept back.
 */
const longestAnswerMs = 3_600_000

/** Routes for alarms into requests and into answers that are held open. */
export function createReservations(service: AlarmService, deliver: (sessionId: string) => void): AlarmRoutes {
  const { alarmStore, deps } = service
  /** Releases under way, by session. A new request of the session waits for them, not for another request. */
  const releasing = new Map<string, Set<Promise<void>>>()
  const tracked = async (sessionId: string, release: Promise<void>): Promise<void> => {
    const mine = releasing.get(sessionId) ?? new Set()
    releasing.set(sessionId, mine.add(release))
    await release
    mine.delete(release)
    if (mine.size === 0) releasing.delete(sessionId)
  }
  const claim = async (
    sessionId: string,
    requestId: string,
    route: Exclude<AlarmRoute, 'terminal'>,
    tasks: readonly Task[],
  ): Promise<Reservation | null> => {
    if (tasks.length === 0) return null
    const by = freeName(service, requestId)
    const at = service.now()
    service.live.add(by)
    const applied = await service
      .commit(sessionId, { type: 'claim', at, taskIds: idsOf(tasks), claim: { route, by, at } }, 'durable')
      .catch((error: unknown) => {
        service.live.delete(by)
        throw error
      })
    const mine = applied ? service.held(sessionId, by) : []
    if (mine.length === 0) {
      service.live.delete(by)
      return null
    }
    const taskIds = idsOf(mine)
    const where = { sessionId, requestId, scope: alarmStore.of(sessionId)?.scope ?? null }
    deps.record(where, { type: 'alarm-claimed', taskIds, route })
    let over = false
    const end = async (work: () => Promise<unknown>): Promise<void> => {
      if (over) return
      over = true
      try {
        await work()
      } catch (error) {
        service.problem(sessionId, error)
      }
      service.live.delete(by)
    }
    return {
      text: reminderText(mine, deps.zone()),
      taskIds,
      commit: () =>
        end(() => service.commit(sessionId, { type: 'commit', at: service.now(), by }, 'best-effort', requestId)),
      release: (why) =>
        tracked(
          sessionId,
          end(async () => {
            if (await service.commit(sessionId, { type: 'release', at: service.now(), by }, 'best-effort'))
              deps.record(where, { type: 'alarm-released', taskIds, route, why })
            deliver(sessionId)
          }),
        ),
    }
  }

  return {
    async reserve(sessionId, requestId) {
      if (noneBefore(service, sessionId, service.now() + deps.config().dueWindowMs)) return null
      await Promise.all(releasing.get(sessionId) ?? [])
      if (!tasksOf(service, sessionId).some((task) => couldGo(service, task, service.now(), requestId))) return null
      return safely(service, sessionId, async () => {
        await takeBack(service, sessionId, requestId)
        const now = service.now()
        return claim(
          sessionId,
          requestId,
          'request',
          tasksOf(service, sessionId).filter((task) => shouldInject(task, now, requestId, deps.config())),
        )
      })
    },
    mayHold(sessionId) {
      const soon = service.now() + longestAnswerMs + aheadMs(service)
      if (noneBefore(service, sessionId, soon)) return false
      return (
        tasksOf(service, sessionId).some((task) => isFree(task) && task.dueAtMs <= soon) &&
        !hasTerminal(service, sessionId)
      )
    },
    holdFor(sessionId, requestId) {
      const { holdMaxMs } = deps.config()
      const now = service.now()
      const last = now + holdMaxMs + aheadMs(service)
      if (holdMaxMs === 0 || noneBefore(service, sessionId, last)) return null
      if (deps.paused(sessionId) || hasTerminal(service, sessionId)) return null
      const soon = tasksOf(service, sessionId).filter(
        (task) =>
          isFree(task) && !isExpired(task, now, deps.config()) && !isGuarded(task, requestId) && task.dueAtMs <= last,
      )
      if (soon.length === 0) return null
      const dueAtMs = Math.min(...soon.map((task) => task.dueAtMs))
      return { dueAtMs, at: dueAtMs - aheadMs(service) }
    },
    reserveHeld: (sessionId, requestId) =>
      safely(service, sessionId, () =>
        claim(sessionId, requestId, 'hold', heldFor(service, tasksOf(service, sessionId), requestId)),
      ),
  }
}

const tasksOf = ({ alarmStore }: AlarmService, sessionId: string): readonly Task[] =>
  alarmStore.of(sessionId)?.tasks ?? []

/** No alarm of the session comes before this time: most requests need to know no more. */
const noneBefore = (service: AlarmService, sessionId: string, time: number): boolean =>
  tasksOf(service, sessionId).every(({ dueAtMs }) => dueAtMs > time)

/** Takes back only alarms that no terminal has begun to type; then they are free. */
async function takeBack(service: AlarmService, sessionId: string, requestId: string): Promise<void> {
  const now = service.now()
  const wanted = tasksOf(service, sessionId).filter(
    (task) => task.claim?.route === 'terminal' && mayRing(service, task, now, requestId),
  )
  for (const by of new Set(wanted.flatMap(({ claim }) => (claim ? [claim.by] : [])))) {
    if (await service.terminal.takeBack(by, service.alarmStore.of(sessionId)?.scope))
      await service.commit(sessionId, { type: 'release', at: service.now(), by }, 'best-effort')
  }
}

/**
 * The rounds of a JSON answer reach the client together: until then each keeps the alarms it took along, under a name
 * of its own.
 */
function freeName(service: AlarmService, requestId: string): string {
  let name = `${requestId}:clock`
  for (let n = 2; service.live.has(name); n++) name = `${requestId}:clock:${n}`
  return name
}

/**
 * Runs in the session's order: an alarm taken out of a queue must not be queued again by a delivery. If the disk
 * refuses, the alarm loses this route, but the client never loses its turn.
 */
async function safely(
  service: AlarmService,
  sessionId: string,
  work: () => Promise<Reservation | null>,
): Promise<Reservation | null> {
  try {
    return await service.exclusive(sessionId, work)
  } catch (error) {
    service.problem(sessionId, error)
    return null
  }
}

const couldGo = (service: AlarmService, task: Task, now: number, requestId: string): boolean =>
  task.deliveredAtMs === undefined &&
  (task.claim === undefined || task.claim.route === 'terminal') &&
  mayRing(service, task, now, requestId)

const mayRing = ({ deps }: AlarmService, task: Task, now: number, requestId: string): boolean =>
  isDue(task, now, deps.config()) && !isExpired(task, now, deps.config()) && !isGuarded(task, requestId)

function hasTerminal(service: AlarmService, sessionId: string): boolean {
  const state = service.alarmStore.of(sessionId)
  return state !== null && service.scopeOf(state) !== null
}

/** so long before its time an alarm goes on in an answer that was held open for it */
const aheadMs = ({ deps }: AlarmService): number =>
  deps.config().hold.until === 'window' ? deps.config().dueWindowMs : 0

function heldFor(service: AlarmService, tasks: readonly Task[], requestId: string): readonly Task[] {
  const [now, rules] = [service.now(), service.deps.config()]
  if (rules.hold.until === 'window') return tasks.filter((task) => shouldInject(task, now, requestId, rules))
  return dueNow(tasks, now, rules).filter((task) => !isGuarded(task, requestId))
}
