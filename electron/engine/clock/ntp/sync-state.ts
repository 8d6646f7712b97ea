import { noSync, type ClockSync } from '../../../../shared/alarms/alarms.ts'
import { mostOffsetMs } from './judge.ts'

/** A wall clock may run this far from monotonic time, as it is drawn towards the right time bit by bit. */
export const steadyMs = 1000
/** An older measurement says little about a computer's clock today. */
const longestKeptMs = 7 * 24 * 3_600_000
const worthTellingMs = 50

/** Nothing was heard yet, nothing failed yet. */
export const unheard: ClockSync = { ...noSync, status: 'stale' }

/** Returns the state of an earlier run as far as it can still be used. `wall` is this computer's time now. */
export function restored(kept: ClockSync | null, wall: number): ClockSync {
  if (kept === null || kept.at === null) return unheard
  const age = wall + kept.offsetMs - kept.at
  // An answer from the future: the clock was set back since then.
  return age < -steadyMs || age > longestKeptMs ? unheard : { ...kept, status: 'stale' }
}

/** No server answered. `doubted`: the clock was set since the last answer. */
export function failed(sync: ClockSync, why: string, doubted: boolean): ClockSync {
  if (sync.at === null) return { ...sync, status: 'error', lastError: why }
  return { ...sync, status: doubted ? 'stale' : sync.status, lastError: why }
}

/**
 * The wall clock moved by `jumpMs` against monotonic time. Backwards, or forwards by just what was missing: it was set,
 * and true time did not move with it. Forwards otherwise: as likely the computer slept, which leaves the offset as it
 * was.
 */
export function offsetAfterJump(offsetMs: number, jumpMs: number): number {
  const moved = offsetMs - jumpMs
  if (jumpMs > 0 && Math.abs(moved) > steadyMs) return offsetMs
  return Math.abs(moved) > mostOffsetMs ? 0 : Math.round(moved) || 0
}

/** True if listeners should be called: most refreshes change nothing for them. */
export const isWorthAnnouncing = (announced: ClockSync, now: ClockSync): boolean =>
  announced.status !== now.status || Math.abs(announced.offsetMs - now.offsetMs) > worthTellingMs
