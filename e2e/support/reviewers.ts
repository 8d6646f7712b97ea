/** What a reviewing model says, as a test writes it. */
import type { Evidence, InspectionTool, Verdict } from '../../shared/review.ts'
import { callTool, type AnswerPlan, type ToolCallPlan } from './mock-upstream/index.ts'

type More = Omit<AnswerPlan, 'kind' | 'toolCalls'>

export const verdictOf = (parts: Partial<Verdict> = {}): Verdict => ({
  goalReached: false,
  evidence: [],
  blockers: [],
  followup: '',
  ...parts,
})
export const verdict = (parts: Partial<Verdict> = {}, more: More = {}): AnswerPlan =>
  callTool('verdict', verdictOf(parts), more)

/** It says the goal is reached, and where it has that from. */
export const reached = (...sources: string[]): AnswerPlan =>
  verdict({ goalReached: true, evidence: sources.map(claimOf) })
export const notYet = (followup: string): AnswerPlan => verdict({ followup, evidence: [claimOf('git:status')] })
export const claimOf = (source: string): Evidence => ({ claim: 'It is all there', source, result: 'as it should be' })

/** Looks of one answer. */
export const looks = (...calls: readonly (readonly [tool: InspectionTool, input?: unknown])[]): AnswerPlan => ({
  kind: 'answer',
  toolCalls: calls.map(([name, input = {}]): ToolCallPlan => ({ name, input })),
})
export const read = (path: string): AnswerPlan => looks(['read_file', { path }])
export const runCheck = (name: string): AnswerPlan => looks(['run_check', { name }])
