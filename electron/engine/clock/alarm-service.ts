import type { Scope } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { problemOf } from '../base/errors.ts'
import { serial, type Serial } from '../base/work.ts'
import type { EntryUpdate } from '../terminals/outbox/listener.ts'
import type { AlarmEvents } from './alarm-events.ts'
import type { ToTerminal } from './deliver/to-terminal.ts'
import type { AlarmsDeps } from './deps.ts'
import type { Applied, ClockEvent } from './model/apply.ts'
import { nextInstant, type DueRules } from './model/due.ts'
import type { SessionTasks, Task } from './model/task.ts'
import type { AlarmStore } from './store/alarm-store.ts'
import { type MissedLedger, type MissedEntry, missedKey } from './store/missed-ledger.ts'

/** Shared by all work on alarms. */
export interface AlarmService {
  deps: AlarmsDeps
  alarmStore: AlarmStore
  missed: MissedLedger
  alarmEvents: AlarmEvents
  terminal: ToTerminal
  dueIndex: DueIndex
  now(): number
  /** One event and all its effects. `requestId`: its cause. @throws OnwardError `store-failed` for a durable one */
  commit(
    sessionId: string,
    event: ClockEvent,
    how: 'durable' | 'best-effort',
    requestId?: string | null,
  ): Promise<Applied | null>
  /** Runs deliveries and people's orders of one session one after the other. */
  exclusive<T>(sessionId: string, work: () => Promise<T>): Promise<T>
  /** where its agent can be typed to now */
  scopeOf(state: SessionTasks): Scope | null
  held(sessionId: string, by: string): readonly Task[]
  /** claims of requests and held answers that are under way; any other was left by an earlier run */
  live: Set<string>
  /** By group: updates of terminals' entries that could not be written down yet. The outbox may forget them. */
  unsettled: Map<string, EntryUpdate>
  problem(sessionId: string | null, error: unknown): void
}

export const asMissed = (at: number, { effects }: Applied): MissedEntry[] =>
  effects.flatMap((one) =>
    one.type === 'missed'
      ? one.tasks.map((task) => ({ key: missedKey(task), at, why: one.why, by: one.by, task }))
      : [],
  )

export function createAlarmService(
  parts: Pick<AlarmService, 'deps' | 'alarmStore' | 'missed' | 'alarmEvents' | 'terminal' | 'dueIndex'>,
): AlarmService {
  const { deps, alarmStore, alarmEvents } = parts
  const queues = new Map<string, { queue: Serial; users: number }>()
  return {
    ...parts,
    live: new Set(),
    unsettled: new Map(),
    now: () => deps.clock.now(),
    async commit(sessionId, event, how, requestId = null) {
      const committed = await alarmStore.commit(sessionId, event, how)
      if (committed) alarmEvents.report(committed, requestId)
      return committed
    },
    async exclusive(sessionId, work) {
      const mine = queues.get(sessionId) ?? { queue: serial(), users: 0 }
      queues.set(sessionId, mine)
      mine.users += 1
      try {
        return await mine.queue(work)
      } finally {
        mine.users -= 1
        if (mine.users === 0) queues.delete(sessionId)
      }
    },
    scopeOf({ sessionId, scope }) {
      // A client that came back in another terminal is known there from its next request on; until then only rebinding
      // knows.
      return deps.scopeOf(sessionId) ?? (scope !== undefined && deps.alive(scope) ? scope : null)
    },
    held: (sessionId, by) => alarmStore.of(sessionId)?.tasks.filter(({ claim }) => claim?.by === by) ?? [],
    problem: (sessionId, error) =>
      deps.record({ sessionId }, { type: 'engine-problem', ...problemOf(error, 'alarms') }),
  }
}

/** When which session needs attention. One number per session, whatever the number of its alarms. */
interface DueIndex {
  /** its alarms changed; `state`: what they are now, where that is at hand */
  changed(sessionId: string, state?: SessionTasks): void
  /** It could not be done now: tried again then (monotonic), and not before, however due it is. */
  again(sessionId: string, at: number): void
  earliest(): number | null
  /** sessions that wait for more than a time: for what becomes of their alarms in a terminal */
  restless(): ReadonlySet<string>
  /**
   * Sessions whose instant has come. They have none until `changed` is called: a delivery takes as long as the disk
   * does.
   */
  due(): readonly string[]
}

export function createDueIndex({
  alarmStore,
  clock,
  rules,
}: {
  alarmStore: Pick<AlarmStore, 'of'>
  clock: Clock
  rules(): Pick<DueRules, 'retentionMs'>
}): DueIndex {
  const next = new Map<string, number>()
  const restless = new Set<string>()
  const later = new Map<string, number>()

  /** of `next`, but for `later`; absent: it was not computed since it changed */
  let first: number | null | undefined

  const put = (sessionId: string, at: number | null) => {
    if (next.get(sessionId) === first || later.size > 0) first = undefined
    else if (at !== null && first !== undefined && (first === null || at < first)) first = at
    if (at === null) next.delete(sessionId)
    else next.set(sessionId, at)
  }
  const changed = (sessionId: string, state = alarmStore.of(sessionId)) => {
    const at = state && nextInstant(state.tasks, clock.now(), rules())
    put(sessionId, at)
    if (state?.tasks.some(({ claim }) => claim?.route === 'terminal')) restless.add(sessionId)
    else restless.delete(sessionId)
    if (!state && later.delete(sessionId)) first = undefined
  }
  const firstOfAll = (): number | null => {
    let earliest: number | null = null
    for (const [sessionId, at] of next) if ((earliest === null || at < earliest) && !later.has(sessionId)) earliest = at
    return earliest
  }
  return {
    changed,
    restless: () => restless,
    again(sessionId, at) {
      first = undefined
      later.set(sessionId, at)
    },
    earliest() {
      first = first === undefined ? firstOfAll() : first
      let earliest = first
      for (const until of later.values()) {
        const at = clock.now() + until - clock.monotonic()
        if (earliest === null || at < earliest) earliest = at
      }
      return earliest
    },
    due() {
      const now = clock.now()
      const found: string[] = []
      for (const [sessionId, at] of next) if (at <= now && !later.has(sessionId)) found.push(sessionId)
      for (const [sessionId, until] of later) if (until <= clock.monotonic()) found.push(sessionId)
      if (found.length > 0) first = undefined
      for (const sessionId of found) {
        next.delete(sessionId)
        later.delete(sessionId)
      }
      return found
    },
  }
}

export interface RingTimerDeps {
  clock: Clock
  tickMs(): number
  /** when something is due next; null: nothing waits */
  next(): number | null
  /** something waits for more than a time: it is checked every tick */
  restless(): boolean
  ring(): void
}

export interface RingTimer extends Disposable {
  /** something changed: it may have to ring earlier */
  arm(): void
  /** the clock itself may have changed */
  again(): void
  start(): void
}

/**
 * One timer for all alarms, armed for the earliest. It is never armed for longer than a tick, because a timer notices
 * neither that the computer slept nor that the clock was set. Without any alarm there is none.
 */
export function createRingTimer({ clock, tickMs, next, restless, ring }: RingTimerDeps): RingTimer {
  let timer: Disposable | null = null
  let armedFor = Infinity
  let running = false

  const arm = () => {
    if (!running) return
    const instant = next()
    if (instant === null && !restless()) {
      timer?.dispose()
      timer = null
      return
    }
    const at = instant ?? Infinity
    // A check that comes too early finds nothing and sets the timer again.
    if (timer && at >= armedFor) return
    timer?.dispose()
    armedFor = at
    timer = clock.after(Math.max(0, Math.min(at - clock.now(), tickMs())), () => {
      timer = null
      armedFor = Infinity
      ring()
      arm()
    })
  }
  return {
    arm,
    again() {
      armedFor = Infinity
      timer?.dispose()
      timer = null
      arm()
    },
    start() {
      running = true
      arm()
    },
    dispose() {
      running = false
      timer?.dispose()
      timer = null
    },
  }
}
