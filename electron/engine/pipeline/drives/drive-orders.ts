import { isOpen, isFree, type DriveLimits, type OwnDrive } from '../../../../shared/drives.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { bounded } from '../../sessions/drives/bounds.ts'
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
  /** Its agent is told of these by this entry of its outbox, or, without one, holds them already. */
  told(sessionId: string, drives: readonly string[], entry: string | null): void
  /**
   * Lets this one of a session's go on, null: all, past a bound: they count anew. One that was stopped is not any more.
   * @param untold its agent will not hear that it was stopped @throws `drive-unknown`, `drive-over`
   */
  letGoOn(sessionId: string, drive: string | null, untold?: boolean): void
  /** Gives it these bounds of its own, null: none. They count from now on. @throws `drive-unknown` */
  bound(sessionId: string, drive: string, limits: DriveLimits | null): void
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
  const unknown = (wanted: string) =>
    new OnwardError(
      'drive-unknown',
      `Nothing of the agent that goes on is called ${wanted}. “onward drives” lists what does.`,
      { status: 404 },
    )
  const replace = (sessionId: string, id: string, next: (drive: OwnDrive) => OwnDrive) =>
    drives.change(sessionId, (all) => all.map((drive) => (drive.id === id ? next(drive) : drive)))
  return {
    stop(sessionId, wanted) {
      const chosen = drives.of(sessionId).filter((drive) => isOpen(drive) && (wanted === null || drive.id === wanted))
      const [first] = chosen
      if (!first && wanted !== null) throw unknown(wanted)
      if (!first)
        throw new OnwardError(
          'drive-unknown',
          'Nothing besides Onward keeps this agent going, as far as its requests show.',
          { status: 404 },
        )
      const state = { is: 'stopping', at: clock.now(), refuses: refuses() || undefined } as const
      drives.change(sessionId, (all) => all.map((drive) => (chosen.includes(drive) ? { ...drive, state } : drive)))
      const one = wanted === null ? { kind: null, what: null } : { kind: first.kind, what: first.what }
      record({ sessionId }, { type: 'drive', did: 'stop', ...one })
      if (!drives.of(sessionId).some(isFree)) settle(sessionId)
      return chosen
    },
    told(sessionId, ids, entry) {
      const at = clock.now()
      for (const id of ids)
        replace(sessionId, id, (drive) => {
          if (drive.state.is !== 'stopping') return drive
          if (entry !== null) return { ...drive, state: { ...drive.state, entry } }
          return { ...drive, works: undefined, state: { is: 'stopped', at, how: 'paused' } }
        })
    },
    letGoOn(sessionId, wanted, untold = false) {
      const now = clock.now()
      if (wanted === null) {
        const { driven, drives: all = [] } = sessions.get(sessionId) ?? {}
        if (driven?.asked || all.some(({ bound }) => bound?.asked))
          record({ sessionId }, { type: 'drive', did: 'let', kind: null, what: null })
        settle(sessionId)
        return drives.change(sessionId, (each) =>
          each.map((drive) => (drive.bound?.asked ? bounded(drive, drive.bound, now) : drive)),
        )
      }
      const drive = drives.of(sessionId).find(({ id }) => id === wanted)
      if (!drive) throw unknown(wanted)
      const { state } = drive
      if (!isOpen(drive) && (state.is !== 'stopped' || state.how === 'by-agent'))
        throw new OnwardError('drive-over', 'The agent has ended it already. Ask the agent to begin it again.', {
          status: 409,
        })
      record({ sessionId }, { type: 'drive', did: 'let', kind: drive.kind, what: drive.what })
      const stopped = wasStopped(drive)
      replace(sessionId, wanted, (one) => ({
        ...bounded(one, one.bound ?? null, now),
        ...(stopped && { state: untold ? { is: 'on' } : { is: 'unknown', at: now, why: 'told' } }),
      }))
    },
    bound(sessionId, wanted, limits) {
      const drive = drives.of(sessionId).find(({ id }) => id === wanted)
      if (!drive || !isOpen(drive)) throw unknown(wanted)
      replace(sessionId, wanted, (one) => bounded(one, limits, clock.now()))
      const did = limits === null ? 'unbound' : 'bound'
      record({ sessionId }, { type: 'drive', did, kind: drive.kind, what: drive.what })
    },
    refuse({ identity: { sessionId, kind } }) {
      if (sessionId === null || kind !== 'turn' || !refuses()) return
      const held = paused(sessionId) || Boolean(sessions.get(sessionId)?.driven?.asked)
      const drive = drives.of(sessionId).find((one) => one.works && (held || one.bound?.asked || wasStopped(one)))
      if (!drive) return
      const what = drive.what === null ? '' : ` (“${drive.what}”)`
      if (!wasStopped(drive)) {
        // Its turn is over with this.
        replace(sessionId, drive.id, (one) => ({ ...one, works: undefined }))
        throw new OnwardError(
          'drive-paused',
          `Onward refuses this turn: the agent’s own ${drive.kind} began it${what}, while the session is paused or ` +
            'waits for a person’s word. Resume it, let it go on, or turn “drives.refuse” off in the config.',
          { status: 400 },
        )
      }
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
