/**
 * The folder a session's agent works in, as Onward looks at it: read-only, never outside of it, never what holds
 * secrets. Plain words out: what is read here is shown to a model as data.
 */

export interface Found {
  ok: boolean
  /** what the reviewer is given, bounded; of a failure why, in a sentence it can act on */
  text: string
  /** the same in a few words, for people: “214 lines”, “no such file” */
  say: string
  /**
   * what was looked at as it really stands there, relative to the folder: `src/a.ts:40-88`; of a failure what was asked
   * for
   */
  what: string
}

/**
 * Every path is relative to the folder; what leaves it by `..`, an absolute path or a symlink is refused, and so are
 * files that hold secrets. None of these rejects.
 */
export interface Workspace {
  readonly folder: string
  /** names under `path`, folders first, to some depth; what git ignores and `node_modules` left out */
  listFiles(input: { path?: string }, signal: AbortSignal): Promise<Found>
  /** lines with their numbers; `from` counts from 1 */
  readFile(input: { path: string; from?: number; lines?: number }, signal: AbortSignal): Promise<Found>
  /** a plain text, not a pattern, in every file of the folder; `path` narrows it to a folder or a file */
  searchText(input: { text: string; path?: string }, signal: AbortSignal): Promise<Found>
  gitStatus(signal: AbortSignal): Promise<Found>
  /** of the working tree and the index against HEAD; without secrets */
  gitDiff(input: { path?: string }, signal: AbortSignal): Promise<Found>
  gitLog(input: { path?: string; count?: number }, signal: AbortSignal): Promise<Found>
  /** whether a path may be looked at and is there: what evidence names */
  exists(path: string): Promise<boolean>
}

/** How a program ended. None of these rejects: a program that can't be started is `not-started`. */
export interface ProgramEnd {
  kind: 'exited' | 'timed-out' | 'stopped' | 'not-started'
  exitCode: number | null
  /** the last `outputChars` of each, UTF-8 */
  stdout: string
  stderr: string
  ms: number
  /** why it did not start; else null */
  problem: string | null
}

export interface ProgramStart {
  /** argv[0] is the program; no shell stands in between */
  argv: readonly string[]
  cwd: string
  stdin?: string
  timeoutMs: number
  /** kept of each stream, its end; default 65 536 */
  outputChars?: number
  /** added to the environment programs are given */
  env?: Readonly<Record<string, string>>
}

/** Runs a program in a process group of its own, which ends as a whole. */
export type RunProgram = (start: ProgramStart, signal: AbortSignal) => Promise<ProgramEnd>
