/** Why a test can't run on this machine; a skipped test reports it at the end of the run. */
declare module 'vitest' {
  interface TaskMeta {
    skippedBecause?: string
  }
}

interface Skipping {
  skip?: boolean
  meta?: { skippedBecause: string }
}

/**
 * Skips a test or a suite where something is missing, and keeps the reason for the end of the run.
 * @param why null: nothing is missing
 * @example describe('a tmux pane', unless(tmuxMissing), () => { … })
 */
export const unless = (why: string | null): Skipping =>
  why === null ? {} : { skip: true, meta: { skippedBecause: why } }

/** for tests that show what permissions refuse */
export const asRoot: string | null = process.getuid?.() === 0 ? 'root may write everywhere' : null

/** for features that POSIX has and Windows has not */
export const onWindows: string | null = process.platform === 'win32' ? 'not on Windows' : null

export const notOnLinux: string | null = process.platform === 'linux' ? null : 'on Linux only'

/** several conditions: the first that is missing */
export const firstOf = (...reasons: readonly (string | null)[]): string | null =>
  reasons.find((reason) => reason !== null) ?? null
