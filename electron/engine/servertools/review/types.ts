import type { Spend } from '../../../../shared/cost/cost.ts'
import type { CheckRun, CheckView, Inspection, ReviewView, RoundView, Verdict } from '../../../../shared/review.ts'
import type { DoneReason, PauseReason } from '../../../../shared/events.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { Language } from '../../../../shared/words.ts'
import type { TurnExcerpt } from '../stop-message/turn-excerpt.ts'

/** The subject of a review. */
export interface ReviewAsk {
  sessionId: string | null
  /** where the session's agent works, absolute, as its launcher or its process says; null: not known */
  folder: string | null
  goal: string
  /** of the followup that would be sent */
  round: number
  used: number
  /** null: unbounded */
  max: number | null
  /** what the agent did since the last followup; null: not known (Onward was started again) */
  turn: TurnExcerpt | null
  /** oldest first; as many as the config says are shown */
  recent: readonly RoundView[]
  /** declared in the folder, read just now */
  checks: readonly CheckView[]
  /** why the declaration of checks can't be read: the goal can't count as reached then */
  checksProblem: string | null
  /** what the folder's beads say, in a sentence; null: it has none */
  beads: string | null
  language: Language
  /** reviews that failed in a row before this one */
  failedBefore: number
}

/** A reviewer's answer, before any of it is believed. */
export type ReviewerWord = { kind: 'verdict'; verdict: Verdict } | { kind: 'failed'; code: string; message: string }

/** An inspection and what it showed. Evidence is checked against it. */
export interface InspectionRecord {
  inspection: Inspection
  /** the path, the text searched for or the check's name, as it was asked for */
  asked: string
  text: string
}

export interface ReviewerReport extends Spend {
  word: ReviewerWord
  /** everything it inspected through Onward, in order */
  inspections: readonly Inspection[]
  /** checks that ran for it, in order */
  checks: readonly CheckRun[]
  /** what its inspections showed, in their order; absent: it inspected by itself, as a command does */
  records?: readonly InspectionRecord[]
  /** ends of their outputs, by the check's name */
  outputs: ReadonlyMap<string, string>
  /** `zai/glm-5`, or the command's name */
  by: string
  /** of all its calls, as is the cost; null: not known */
  usage: Usage | null
}

/** Asks one backend. Never rejects. */
export type Reviewer = (ask: ReviewAsk, signal: AbortSignal) => Promise<ReviewerReport>

/** The consequence of a review. */
export type ReviewDecision =
  | { kind: 'send'; text: string }
  | { kind: 'done'; reason: Extract<DoneReason, { code: 'goal-reached' }> }
  | { kind: 'pause'; reason: Extract<PauseReason, { code: 'needs-user' | 'checks-unapproved' }> }
  /** the goal text is sent instead, or the session paused when that has happened too often */
  | { kind: 'failed'; why: string }

export interface Reviewed {
  decision: ReviewDecision
  view: ReviewView
}

/** The whole of a review: the reviewer asked, its word judged, the declared checks run. Never rejects. */
export type Review = (ask: ReviewAsk, signal: AbortSignal) => Promise<Reviewed>
