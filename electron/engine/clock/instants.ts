import type { Clock } from '../base/clock.ts'
import type { Book } from './book.ts'
import { nextInstant, type DueRules } from './due.ts'

/** When which session has to be looked at. One number per session, whatever the number of its alarms. */
export interface Instants {
  /** its alarms changed */
  changed(sessionId: string): void
  /** all of them, after the files were read */
  rebuild(): void
  /** It could not be done now: not before this (monotonic), however due it is. */
  notBefore(sessionId: string, at: number): void
  earliest(): number | null
  /** sessions that wait for more than a time: for what becomes of their alarms in a terminal */
  restless(): ReadonlySet<string>
  /** sessions whose instant has come */
  due(): readonly string[]
}

export function createInstants({ book, clock, rules }: { book: Book; clock: Clock; rules(): Pick<DueRules, 'retentionMs'> }): Instants {
  const next = new Map<string, number>()
  const restless = new Set<string>()
  const refused = new Map<string, number>()

  const changed = (sessionId: string) => {
    const state = book.of(sessionId)
    const at = state && nextInstant(state.tasks, clock.now(), rules())
    if (at === null) next.delete(sessionId)
    else next.set(sessionId, at)
    if (state?.tasks.some(({ claim }) => claim?.route === 'terminal')) restless.add(sessionId)
    else restless.delete(sessionId)
    if (!state) refused.delete(sessionId)
  }
  const instantOf = (sessionId: string, at: number): number => {
    const until = refused.get(sessionId)
    return until === undefined ? at : Math.max(at, clock.now() + until - clock.monotonic())
  }
  return {
    changed,
    rebuild() {
      next.clear()
      restless.clear()
      for (const { sessionId } of book.all()) changed(sessionId)
    },
    restless: () => restless,
    notBefore(sessionId, at) { refused.set(sessionId, at) },
    earliest() {
      let earliest: number | null = null
      for (const [sessionId, at] of next) {
        if (earliest !== null && at >= earliest) continue
        const instant = refused.size === 0 ? at : instantOf(sessionId, at)
        if (earliest === null || instant < earliest) earliest = instant
      }
      return earliest
    },
    due() {
      const now = clock.now()
      const found: string[] = []
      for (const [sessionId, at] of next) {
        if (at > now || instantOf(sessionId, at) > now) continue
        refused.delete(sessionId)
        found.push(sessionId)
      }
      return found
    },
  }
}
