/**
 * After a crash the app starts once more. If it crashes again at once it stays down, because it would do so each time.
 * Knows nothing of Electron.
 */

export const againWithinMs = 60_000
/** Marks the next start as one after a crash. */
export const afterCrash = '--after-crash'

/** `startedAt`: of the app that crashes now, epoch milliseconds */
export function mayRestart(argv: readonly string[], startedAt: number, now: number): boolean {
  return !argv.includes(afterCrash) || now - startedAt > againWithinMs
}

/** The arguments of the next start, without the program itself. */
export const restartArgs = (argv: readonly string[]): string[] => [
  ...argv.slice(1).filter((word) => word !== afterCrash),
  afterCrash,
]
