import type { AskingDrive, DriveAsk, OwnDrive } from '../../../../shared/drives.ts'
import type { TurnFailure } from '../../../../shared/state.ts'
import type { Event } from '../../base/disposable.ts'
import { createDriveWatch, type DriveWatch } from '../../pipeline/drives/watch-drives.ts'
import { createActivity, type Activity } from '../../sessions/activity.ts'
import { createFailures, failuresIn, type Failures, createStalls, type Stalls } from '../../sessions/failures.ts'
import type { EngineContext } from '../foundation.ts'
import type { Terminals } from '../terminals/terminals.ts'

interface DrivesAsk {
  sessionId: string
  bound: DriveAsk & { drive?: AskingDrive }
}

interface DriveMissed {
  sessionId: string
  drive: OwnDrive
}

export interface SessionFacts {
  activity: Activity
  failures: Failures
  stalls: Stalls
  drives: DriveWatch
  /** a session's view changed. Its id */
  onSession: Event<string>
  onGaveUp: Event<{ sessionId: string; failure: TurnFailure; stopped: boolean }>
  /** `since` null: it no longer stalls */
  onDrivesAsk: Event<DrivesAsk>
  /** an alarm is to take its place */
  onDriveMissed: Event<DriveMissed>
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
  const asks = events<DrivesAsk>('bounds of what agents set themselves')
  const missed = events<DriveMissed>('what agents missed')
  const stalled = events<{ sessionId: string; since: number | null }>('agents that hang')
  const activity = createActivity(clock, changed.emit)
  const drives = createDriveWatch({
    clock,
    log,
    sessions: base.sessions,
    record: base.timeline.record,
    refuses: () => base.config.current().drives.refuse,
    budgets: () => base.config.current().stopMessage.budgets,
    paused: (id) => terminals.outboxes.pausedAll() || base.sessions.get(id)?.paused === true,
    works: (id) => activity.of(id) !== null,
    asks: (sessionId, bound) => asks.emit({ sessionId, bound }),
    rescues({ kind }) {
      const { rescueSchedules, rescueWakeups } = base.config.current().drives
      return kind === 'schedule' ? rescueSchedules : rescueWakeups
    },
    rescue: (sessionId, drive) => missed.emit({ sessionId, drive }),
  })
  return {
    onDrivesAsk: asks.on,
    onDriveMissed: missed.on,
    stalls: createStalls({
      clock,
      log,
      findTarget: terminals.access.findTarget,
      onChange: changed.emit,
      onStalled: (sessionId, since) => stalled.emit({ sessionId, since }),
    }),
    onStalled: stalled.on,
    drives,
    activity,
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
