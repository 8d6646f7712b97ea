import type { OwnDrive } from '../../../../shared/drives.ts'

/** An agent that is idle has this long to come by itself. */
export const graceMs = 60_000

/** When it counts as missed where nothing of it comes; null: it has no known time. */
export const missedAt = (drive: OwnDrive): number | null =>
  'latest' in drive &&
  drive.latest !== null &&
  !drive.works &&
  (drive.state.is === 'on' || drive.state.is === 'unknown')
    ? drive.latest + graceMs
    : null

/** `since`: its agent was busy until then, and comes to it only afterwards */
export const missedOf = (drives: readonly OwnDrive[], since: number, now: number): readonly OwnDrive[] =>
  drives.filter((drive) => {
    const at = missedAt(drive)
    return at !== null && now >= Math.max(at, since + graceMs)
  })
