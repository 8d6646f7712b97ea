import type { Clock } from '../../base/clock.ts'
import type { AlarmStore } from '../store/alarm-store.ts'
import type { SessionTasks } from '../model/task.ts'
import { nextInstant, type DueRules } from '../model/due.ts'

/** When which session needs attention. One number per session, whatever the number of its alarms. */
export interface DueIndex {
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
