/** A report on a stretch of time, per session and in total, as plain data. Instants are epoch milliseconds. */
import type { Spent } from './cost/cost.ts'
import type { CheckRun } from './review.ts'
import type { LimitSubject } from './routing.ts'
import type { SessionSay } from './state.ts'
import type { ClientKind, SessionShape } from './words.ts'

/**
 * What a session did, or why it did nothing. `followup`: one is on its way, reviewed, held or typed. `person`: it waits
 * for one. `off`: Onward did not run. `idle`: nothing was left to do, or it is not known
 */
export const spanKinds = [
  'working',
  'followup',
  'person',
  'outage',
  'limit',
  'stalled',
  'paused',
  'closed',
  'off',
  'idle',
] as const
export type SpanKind = (typeof spanKinds)[number]

export interface Span {
  kind: SpanKind
  from: number
  until: number
  /** of an outage or a limit */
  provider?: string
}

export type SpanSums = Readonly<Record<SpanKind, number>>

/** `until` null: it goes on. `lostMs`: how long the sessions it hit waited for it, all together */
interface Trouble {
  from: number
  until: number | null
  /** ids */
  sessions: readonly string[]
  lostMs: number
}

export interface ReportOutage extends Trouble {
  provider: string
  models: readonly string[]
  /** an HTTP status or an error's code, the most frequent one */
  cause: string
  /** calls that failed */
  failed: number
}

export interface ReportLimit extends Trouble {
  provider: string
  /** null: of all of its keys, or of the client's login */
  key: string | null
  subject: LimitSubject | null
  /** as the provider stated it; null: it did not */
  resets: number | null
}

/** One agent without a sign of life. */
export interface ReportStall {
  session: string
  from: number
  until: number | null
}

/** A session that went on after an outage or a limit. `by`: Onward typed that it is to; else agent or person did */
export interface ReportRecovery {
  session: string
  why: 'outage' | 'limit'
  provider: string
  from: number
  until: number
  by: 'onward' | 'other'
}

/** An agent that ended by itself and was started again. */
export interface ReportRevival {
  session: string
  at: number
  exitCode: number | null
  signal: string | null
}

/** Lines of the folder against its last commit before the time, without files that git does not know. */
export interface ReportDiff {
  files: number
  added: number
  removed: number
}

export interface SessionReport {
  id: string
  name: string
  client: ClientKind
  cwd: string | null
  /** the goal or followup that is or was set, else the last message sent from here; null: not known */
  asked: string | null
  /** the first instant of its report: the beginning of the time, or of the session */
  from: number
  /** without gaps, from `from` to the report's `until` */
  spans: readonly Span[]
  sums: SpanSums
  turns: number
  /** in this time; of how many in all, while one is set */
  rounds: { here: number; used: number; max: number | null } | null
  /** the agent's last words at a stop; null: they were not read */
  claims: { text: string; at: number } | null
  /** what the reviewer found last, in its words */
  reviewed: { text: string; at: number } | null
  /** each check as it last ran */
  checks: readonly Pick<CheckRun, 'name' | 'outcome' | 'say' | 'at'>[]
  /** null: no git repository is there, or it could not be asked */
  diff: ReportDiff | null
  /** by agent and reviewer */
  spent: Spent
  /** as the list of sessions shows it */
  now: { shape: SessionShape; say: SessionSay }
  needsYou: boolean
}

export interface ReportView {
  /** as it was asked for */
  since: number
  /** the records begin no earlier: all figures count from here */
  from: number
  until: number
  /** those that need a person first */
  sessions: readonly SessionReport[]
  outages: readonly ReportOutage[]
  limits: readonly ReportLimit[]
  stalls: readonly ReportStall[]
  recoveries: readonly ReportRecovery[]
  revivals: readonly ReportRevival[]
  total: {
    sums: SpanSums
    turns: number
    rounds: number
    /** texts that were sent, and those whose receipt came */
    followups: { sent: number; confirmed: number }
    alarms: number
    checks: { passed: number; all: number }
    /** each folder once */
    diff: ReportDiff | null
    /** of everything that was asked for, calls without a session among it */
    spent: Spent
  }
}

export const noSums: SpanSums = Object.fromEntries(spanKinds.map((kind) => [kind, 0])) as Record<SpanKind, number>

export const addSums = (a: SpanSums, b: SpanSums): SpanSums =>
  Object.fromEntries(spanKinds.map((kind) => [kind, a[kind] + b[kind]])) as Record<SpanKind, number>

/** of what `sums` are of */
export const wholeOf = (sums: SpanSums): number => spanKinds.reduce((all, kind) => all + sums[kind], 0)

/** Whole percent, and never 100 or 0 where that would be wrong. */
export function shareOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)))
}

/** Returns 18:00 of the day before, where this runs: the start of a morning's report. */
export function eveningBefore(now: number): number {
  const day = new Date(now)
  day.setDate(day.getDate() - 1)
  return day.setHours(18, 0, 0, 0)
}
