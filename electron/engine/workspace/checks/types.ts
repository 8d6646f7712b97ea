import type { CheckRun, CheckView, FolderChecks } from '../../../../shared/review.ts'

/** The result of a run, with the end of its output for a reviewer. */
export interface CheckResult {
  run: CheckRun
  output: string
}

/**
 * The declared checks of all folders: `.onward.json` of a folder and what people declared in the dashboard, and a
 * person's approvals, each bound to the real path of the folder and the exact argv. An approved check stays
 * required until a person forgets it: an agent that takes it out of the file does not get rid of it. Errors are
 * OnwardErrors: `check-unknown`, `check-changed`, `check-not-approved`, `check-running`, `check-exists`, `bad-command`,
 * `store-failed`.
 */
export interface Checks {
  load(): Promise<void>
  /** reads the folder's file now; a broken one is `problem`, and counts as “checks are declared, and can't pass” */
  of(folder: string): Promise<FolderChecks>
  /** as last read, without waiting; null: never looked at in this run */
  peek(folder: string): FolderChecks | null
  /** `argv` as the person saw it */
  approve(folder: string, name: string, argv: readonly string[]): Promise<CheckView>
  forget(folder: string, name: string): Promise<void>
  /** `command`: as one types it; split into words, refused where only a shell could make sense of it */
  declare(folder: string, input: { name?: string; command: string; timeoutSeconds?: number }): Promise<CheckView>
  /**
   * Runs one that is approved, now. One at a time per folder; a second call for the same check waits for its own turn.
   * @throws `check-unknown`, `check-not-approved`
   */
  run(folder: string, name: string, signal: AbortSignal): Promise<CheckResult>
  dispose(): void
}
