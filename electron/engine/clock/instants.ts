import type { Clock } from '../base/clock.ts'
import type { Book } from './book.ts'
import { nextInstant, type DueRules } from './due.ts'

/** When which session has to be looked at. One number per session, whatever the number of its alarms. */
export interface Instants {
  /** its alarms changed */
  changed(sessionId: string): void
  /** all of them, after the files were read */
  rebuild(): void
  /** It could not be done now: tried again then (monotonic), and not before, however due it is. */
  again(sessionId: string, at: number): void
  earliest(): number | null
  /** sessions that wait for more than a time: for what becomes of their alarms in a terminal */
  restless(): ReadonlySet<string>
  /** Sessions whose instant has come. They have none until `changed` is called: whoever looks at them takes as long as the disk does. */
  due(): readonly string[]
}

export function createInstants({ book, clock, rules }: { book: Book; clock: Clock; rules(): Pick<DueRules, 'retentionMs'> }): Instants {
  const next = new Map<string, number>()
  const restless = new Set<string>()
  const later = new Map<string, number>()

  const changed = (sessionId: string) => {
    const state = book.of(sessionId)
    const at = state && nextInstant(state.tasks, clock.now(), rules())
    if (at === null) next.delete(sessionId)
    else next.set(sessionId, at)
    if (state?.tasks.some(({ claim }) => claim?.route === 'terminal')) restless.add(sessionId)
    else restless.delete(sessionId)
    if (!state) later.delete(sessionId)
  }
  return {
    changed,
    rebuild() {
      next.clear()
      restless.clear()
      for (const { sessionId } of book.all()) changed(sessionId)
    },
    restless: () => restless,
    again(sessionId, at) { later.set(sessionId, at) },
    earliest() {
      let earliest: number | null = null
      for (const [sessionId, at] of next) if ((earliest === null || at < earliest) && !later.has(sessionId)) earliest = at
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
      for (const sessionId of found) {
        next.delete(sessionId)
        later.delete(sessionId)
      }
      return found
    },
  }
}
