/** Goal mode as data: the reviewer's findings, the checks Onward ran for it, and how each round went. */
import type { Spend, Spent } from './cost/cost.ts'
import type { Usage } from './cost/usage.ts'

/**
 * A reviewer's evidence for a claim. `source` is where it was found: `check:tests`, `file:src/a.ts:40-88`,
 * `git:status`, `search:TODO`, or words of its own.
 */
export interface Evidence {
  claim: string
  source: string
  result: string
}

export const blockerKinds = ['needs_user', 'external_wait', 'run_failed', 'missing_evidence'] as const
export type BlockerKind = (typeof blockerKinds)[number]
export interface Blocker {
  kind: BlockerKind
  text: string
}

/** A reviewer's verdict, schema-checked, and believed only where Onward saw the evidence. */
export interface Verdict {
  goalReached: boolean
  evidence: readonly Evidence[]
  blockers: readonly Blocker[]
  /** the next message to the agent; empty where nothing has to be done */
  followup: string
}

/** The reviewer's tools in the session's folder. None of them writes. */
export const inspectionTools = [
  'list_files',
  'read_file',
  'search_text',
  'git_status',
  'git_diff',
  'git_log',
  'run_check',
] as const
export type InspectionTool = (typeof inspectionTools)[number]
/**
 * One of them as it was done. `what`: a path with lines, a query, a check's name. `say`: the result, in a few words.
 */
export interface Inspection {
  tool: InspectionTool
  what: string
  ok: boolean
  say: string
}

export interface CheckRun {
  name: string
  argv: readonly string[]
  outcome: 'passed' | 'failed' | 'timed-out' | 'not-started' | 'stopped'
  /** null: a signal ended it, or it never ran */
  exitCode: number | null
  /** when it ended, epoch milliseconds */
  at: number
  ms: number
  /** one line: “2 of 214 fail”, else its last line, or why it did not start */
  say: string
}

/** `changed`: approved once, with other words or in another folder; `removed`: approved, and no longer declared. */
export type CheckApproval = 'approved' | 'not-approved' | 'changed' | 'removed'

/** A check that has to pass before a goal counts as reached. */
export interface CheckView {
  name: string
  argv: readonly string[]
  timeoutSeconds: number
  /** `.onward.json` of the folder, or the dashboard */
  from: 'file' | 'dashboard'
  approval: CheckApproval
  approvedAt: number | null
  /** what was approved before, where that differs */
  approvedArgv: readonly string[] | null
  /** files it runs that are not what they were at its approval, relative to the folder */
  changedFiles: readonly string[]
  running: boolean
  last: CheckRun | null
}

export interface FolderChecks {
  /** absolute; null: the folder the session's agent works in is not known */
  folder: string | null
  checks: readonly CheckView[]
  /** why `.onward.json` could not be read; null: it could, or there is none */
  problem: string | null
}

/** The outcome of a review. */
export type ReviewOutcome =
  | { code: 'not-reached' }
  /** all declared checks passed */
  | { code: 'reached'; checks: number }
  /** no check is declared, or no folder is known: the evidence alone says so */
  | { code: 'reached-unchecked' }
  | { code: 'checks-failed'; names: readonly string[] }
  | { code: 'checks-unapproved'; names: readonly string[] }
  | { code: 'needs-user'; text: string }
  /** `inARow`: how many before it, this one counted */
  | { code: 'failed'; why: string; inARow: number }
  | { code: 'discarded' }

export interface ReviewView extends Spend {
  /** of the followup it decides about */
  round: number
  at: number
  ms: number
  /** `zai/glm-5` or the command's name */
  by: string
  backend: 'model' | 'command'
  outcome: ReviewOutcome
  /** in a sentence, of what it found */
  say: string
  evidence: readonly Evidence[]
  blockers: readonly Blocker[]
  looks: readonly Inspection[]
  checks: readonly CheckRun[]
  /** of the reviewer alone, apart from the session's own, as is the cost */
  usage: Usage | null
}

/** One round: the agent's work until it stopped, the reviewer's findings, the followup. */
export interface RoundView {
  n: number
  at: number
  did: {
    /** tool calls between the last followup and this stop, and how often each tool was called, most often first */
    calls: number
    tools: readonly { name: string; count: number }[]
    /** its last words, cut */
    text: string
  }
  review: ReviewView | null
  /** the followup; null: nothing was sent */
  sent: string | null
  /** whether what the agent did after `sent` made any progress; null: not known yet */
  progress: boolean | null
}

/** The facts that goal card and guards show beside the message itself. */
export interface GoalFacts {
  /** where budgets count from: a person who lets it go on begins them anew */
  from: { at: number; used: number }
  /** since then, by the agent */
  spent: Spent
  /** since then, by the reviewer, counted apart */
  reviewSpent: Spent
  /** rounds in a row without progress */
  stuck: number
  /** the last 40 rounds that were sent, oldest first */
  rounds: readonly { n: number; progress: boolean | null }[]
  /** changes when a round is added or ends: what loads all rounds loads them again */
  roundsAt: number
  latest: ReviewView | null
  /** as they were when last looked at; null: not yet */
  checks: FolderChecks | null
}
