import type { OwnDrive } from '../../../../shared/drives.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { graceMs, missedAt, missedOf } from '../../sessions/drives/missed.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { KeptDrives } from './kept-drives.ts'

export interface MissedDrivesDeps {
  clock: Pick<Clock, 'now' | 'after'>
  sessions: Pick<SessionStore, 'list' | 'flush'>
  /** a turn of it is under way */
  works(sessionId: string): boolean
  record: RecordEvent
  /** whether an alarm takes the place of such a one, and sets it */
  rescues(drive: OwnDrive): boolean
  rescue(sessionId: string, drive: OwnDrive): void
  log: Log
}

export interface MissedDrives extends Disposable {
  /** Looks from now on. */
  start(): void
  /** They changed. */
  changed(): void
}

/** Longer ones are looked at again on the way. */
const mostWaitMs = 3_600_000
/** An agent at work is looked at again then. */
const busyMs = 30_000

/** Notices what does not come at its time: one timer looks when the next of them would count as missed. */
export function createMissedDrives(deps: MissedDrivesDeps, drives: () => KeptDrives): MissedDrives {
  const { clock, sessions, works, record } = deps
  let timer: Disposable | null = null
  let started = false

  function changed(): void {
    if (!started) return
    timer?.dispose()
    timer = null
    const now = clock.now()
    const times = sessions.list().flatMap(({ id, drives: all, lastActivityAt }) =>
      all.flatMap((drive) => {
        const at = missedAt(drive)
        return at === null ? [] : [Math.max(at, works(id) ? now + busyMs : lastActivityAt + graceMs)]
      }),
    )
    if (times.length > 0) timer = clock.after(Math.min(mostWaitMs, Math.max(0, Math.min(...times) - now)), look)
  }

  function look(): void {
    timer = null
    for (const { id, drives: all, lastActivityAt } of sessions.list()) {
      // An agent at work comes to it when it is idle.
      if (all.length === 0 || works(id)) continue
      for (const drive of missedOf(all, lastActivityAt, clock.now())) missed(id, drive)
    }
    changed()
  }

  function missed(sessionId: string, drive: OwnDrive): void {
    const due = ('latest' in drive && drive.latest) || clock.now()
    const rescued = deps.rescues(drive)
    const state = { is: 'missed', due, at: clock.now(), rescued } as const
    drives().change(sessionId, (all) =>
      all.map((one) => (one.id === drive.id ? ({ ...one, next: null, latest: null, state } as OwnDrive) : one)),
    )
    record({ sessionId }, { type: 'drive', did: rescued ? 'rescued' : 'missed', kind: drive.kind, what: drive.what })
    if (!rescued) return
    // It is on the disk first that this was done: once at most, whatever ends the engine.
    sessions
      .flush()
      .then(() => deps.rescue(sessionId, drive))
      .catch((error: unknown) =>
        deps.log.error({ sessionId, error: messageOf(error) }, 'what an agent missed could not become an alarm'),
      )
  }

  return {
    changed,
    start() {
      started = true
      look()
    },
    dispose: () => timer?.dispose(),
  }
}
