import type { Spend } from '../../../../shared/cost/cost.ts'
import type { Usage } from '../../../../shared/cost/usage.ts'
import type { ToolDeclaration } from '../../protocol/server-tools/types.ts'

/** A conversation with a reviewing model, independent of the protocol. */
export type ReviewerMessage =
  | { role: 'system' | 'user'; text: string }
  /** an answer of the model, passed back unchanged: the signatures of its thinking stay valid */
  | { role: 'model'; raw: unknown }
  | { role: 'tool'; callId: string; text: string }

export interface ReviewerCall {
  id: string
  name: string
  /** JSON as the model wrote it */
  arguments: string
}

export interface ReviewerAnswer extends Spend {
  text: string
  calls: readonly ReviewerCall[]
  raw: unknown
  /** null: not known */
  usage: Usage | null
  /** `provider/model`; null: not known */
  by: string | null
}

export interface ReviewerQuestion {
  messages: readonly ReviewerMessage[]
  tools: readonly Omit<ToolDeclaration, 'strict'>[]
  /** `provider.model`; null: the route for reviews */
  model: string | null
  /** the session the review is of */
  about: string | null
  withinMs: number
  signal: AbortSignal
}

/** One answer of the model. @throws OnwardError with a sentence for a person */
export type AskReviewer = (question: ReviewerQuestion) => Promise<ReviewerAnswer>
