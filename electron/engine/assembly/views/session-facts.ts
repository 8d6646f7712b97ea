import type { TurnFailure } from '../../../../shared/state.ts'
import type { Event } from '../../base/disposable.ts'
import { createDriveWatch, type DriveWatch } from '../../pipeline/request/watch-drives.ts'
import { createActivity, type Activity } from '../../sessions/activity.ts'
import { createFailures, failuresIn, type Failures, createStalls, type Stalls } from '../../sessions/failures.ts'
import type { EngineContext } from '../foundation.ts'
import type { Terminals } from '../terminals/terminals.ts'

export interface SessionFacts {
  activity: Activity
  failures: Failures
  stalls: Stalls
  drives: DriveWatch
  /** a session's view changed. Its id */
  onSession: Event<string>
  onGaveUp: Event<{ sessionId: string; failure: TurnFailure; stopped: boolean }>
  /** `since` null: it no longer stalls */
  onStalled: Event<{ sessionId: string; since: number | null }>
}

/** The present work of sessions, and the last turns that failed. */
export function assembleSessionFacts({
  host,
  base,
  events,
  terminals,
}: EngineContext & { terminals: Terminals }): SessionFacts {
  const { clock, log } = host
  const changed = events<string>('what sessions do')
  const gaveUp = events<{ sessionId: string; failure: TurnFailure; stopped: boolean }>('turns that failed')
  const stalled = events<{ sessionId: string; since: number | null }>('agents that hang')
  return {
    stalls: createStalls({
      clock,
      log,
      findTarget: terminals.access.findTarget,
      onChange: changed.emit,
      onStalled: (sessionId, since) => stalled.emit({ sessionId, since }),
    }),
    onStalled: stalled.on,
    drives: createDriveWatch({
      clock,
      sessions: base.sessions,
      refuses: () => base.config.current().drives.refuse,
      paused: (id) => terminals.outboxes.pausedAll() || base.sessions.get(id)?.paused === true,
    }),
    activity: createActivity(clock, changed.emit),
    failures: createFailures({
      clock,
      log,
      findTarget: terminals.access.findTarget,
      kept: failuresIn(base.sessions),
      onChange: changed.emit,
      onGaveUp: (sessionId, failure, stopped) => gaveUp.emit({ sessionId, failure, stopped }),
    }),
    onSession: changed.on,
    onGaveUp: gaveUp.on,
  }
}
