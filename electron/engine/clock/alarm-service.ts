import type { Scope } from '../../../shared/words.ts'
import { problemOf } from '../base/errors.ts'
import { serial, type Serial } from '../base/work.ts'
import type { EntryUpdate } from '../terminals/outbox/listener.ts'
import type { AlarmsDeps } from './deps.ts'
import type { Applied, ClockEvent } from './model/apply.ts'
import type { AlarmStore } from './store/alarm-store.ts'
import type { DueIndex } from './schedule/due-index.ts'
import { type MissedLedger, type MissedEntry, missedKey } from './store/missed-ledger.ts'
import type { AlarmEvents } from './alarm-events.ts'
import type { SessionTasks, Task } from './model/task.ts'
import type { ToTerminal } from './deliver/to-terminal.ts'

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
