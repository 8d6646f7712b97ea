import { isOpen, type OwnDrive } from '../../../../shared/drives.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { happened } from '../../sessions/drives/reduce.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Turn } from '../turn.ts'
import type { KeptDrives } from './kept-drives.ts'

export interface DriveOrdersDeps {
  clock: Pick<Clock, 'now'>
  sessions: Pick<SessionStore, 'get' | 'note'>
  /** turns of what a person stopped, or of what goes on while all is paused, are answered with an error */
  refuses(): boolean
  paused(sessionId: string): boolean
  record: RecordEvent
}

/** A person's word on what an agent set itself. */
export interface DriveOrders {
  /**
   * Stops this one of a session's drives, null: all. @returns those that its agent is to be told of
   * @throws `drive-unknown`
   */
  stop(sessionId: string, drive: string | null): readonly OwnDrive[]
  /** Lets all of a session's go on, past a bound: they count anew. */
  letGoOn(sessionId: string): void
  /** @throws `drive-stopped`, `drive-paused`: a drive began the turn, and the config has such turns refused */
  refuse(turn: Turn): void
}

const wasStopped = ({ state }: OwnDrive): boolean => state.is === 'stopping' || state.is === 'stopped'

export function createDriveOrders(deps: DriveOrdersDeps, drives: KeptDrives): DriveOrders {
  const { clock, sessions, refuses, paused, record } = deps
  /** They count anew, and nothing is asked. */
  const settle = (sessionId: string) => {
    if (sessions.get(sessionId)?.driven) sessions.note(sessionId, () => ({ driven: null }))
  }
  return {
    stop(sessionId, wanted) {
      const chosen = drives.of(sessionId).filter((drive) => isOpen(drive) && (wanted === null || drive.id === wanted))
      const [first] = chosen
      if (!first)
        throw new OnwardError(
          'drive-unknown',
          wanted === null
            ? 'Nothing besides Onward keeps this agent going, as far as its requests show.'
            : `Nothing of the agent that goes on is called ${wanted}. “onward drives” lists what does.`,
          { status: 404 },
        )
      const state = { is: 'stopping', at: clock.now(), refuses: refuses() || undefined } as const
      drives.change(sessionId, (all) => all.map((drive) => (chosen.includes(drive) ? { ...drive, state } : drive)))
      const one = wanted === null ? { kind: null, what: null } : { kind: first.kind, what: first.what }
      record({ sessionId }, { type: 'drive', did: 'stop', ...one })
      settle(sessionId)
      return chosen
    },
    letGoOn(sessionId) {
      if (sessions.get(sessionId)?.driven?.asked)
        record({ sessionId }, { type: 'drive', did: 'let', kind: null, what: null })
      settle(sessionId)
    },
    refuse({ identity: { sessionId, kind } }) {
      if (sessionId === null || kind !== 'turn' || !refuses()) return
      const held = paused(sessionId) || Boolean(sessions.get(sessionId)?.driven?.asked)
      const drive = drives.of(sessionId).find((one) => one.works && (held || wasStopped(one)))
      if (!drive) return
      const what = drive.what === null ? '' : ` (“${drive.what}”)`
      if (!wasStopped(drive))
        throw new OnwardError(
          'drive-paused',
          `Onward refuses this turn: the agent’s own ${drive.kind} began it${what}, while the session is paused or ` +
            'waits for a person’s word. Resume it, let it go on, or turn “drives.refuse” off in the config.',
          { status: 400 },
        )
      const { id } = drive
      drives.change(sessionId, (all) =>
        happened(all, { type: 'refused', id }, { at: clock.now(), live: true, version: null }),
      )
      record({ sessionId }, { type: 'drive', did: 'refused', kind: drive.kind, what: drive.what })
      throw new OnwardError(
        'drive-stopped',
        `Onward refuses this turn: a person stopped what began it${what}. ` +
          'Your next message is answered; “drives.refuse” in the config turns this off.',
        { status: 400 },
      )
    },
  }
}
