import {
  limitsUsed,
  asksAtBound,
  isFree,
  usedOfBound,
  type AskingDrive,
  type DriveAsk,
  type DriveLimits,
  type DriveUse,
  type OwnDrive,
} from '../../../../shared/drives.ts'
import type { SessionState } from '../session-state.ts'

/** The first bound that was reached; null: none. */
export function boundOf(used: DriveUse, limits: DriveLimits, now: number): DriveAsk | null {
  const reached = limitsUsed(used, limits, now).find((one) => one.used !== null && one.used >= one.limit)
  return reached ? { budget: reached.budget, limit: reached.limit } : null
}

/** With a bound of its own that counts from now on, or without any. */
export function bounded(drive: OwnDrive, limits: DriveLimits | null, now: number): OwnDrive {
  const { rounds, hours, tokens, costUsd } = limits ?? { rounds: null, hours: null, tokens: null, costUsd: null }
  const none = rounds === null && hours === null && tokens === null && costUsd === null
  const from = { since: now, turns: drive.turns, tokens: drive.tokens, costUsd: drive.costUsd }
  return { ...drive, bound: none ? undefined : { rounds, hours, tokens, costUsd, from, asked: null } }
}

/** The bound that a drive has reached by now, and about which nobody was asked. */
export const newlyReached = (drive: OwnDrive, now: number): DriveAsk | null =>
  drive.bound && !drive.bound.asked && isFree(drive) ? boundOf(usedOfBound(drive, drive.bound), drive.bound, now) : null

/** What a person is asked of a session's drives: of one of them, or (without `drive`) of all; null: nothing */
export function askOf({
  driven,
  drives,
}: Pick<SessionState, 'driven' | 'drives'>): (DriveAsk & { drive?: AskingDrive }) | null {
  if (driven?.asked) return driven.asked
  const one = drives.find(asksAtBound)
  return one ? { ...one.bound.asked, drive: { id: one.id, kind: one.kind, what: one.what } } : null
}
