import type { Usage } from '../../../../shared/cost/usage.ts'
import type { ResponseSummary } from '../../protocol/types.ts'
import type { ToolRounds } from '../../servertools/tool-rounds/tool-rounds.ts'
import type { TurnEnd } from '../turn.ts'
import type { HiddenRound } from './hidden-history.ts'

/** What the rounds of an HTTP call have used together, who answered them, and when the client goes. */
export interface RoundsSoFar {
  usage: Usage | null
  choice: TurnEnd['choice']
  left: AbortSignal
}

/**
 * Decides after each round that came to an end what the user says next; null: nothing, this was all. Asked once per
 * round, whatever its finish, and counts a round before it gives its text.
 */
export type NextFollowup = (
  summary: ResponseSummary,
  clientLeft: boolean,
  soFar: RoundsSoFar,
) => Promise<{ text: string } | null>

export interface RoundsInput {
  /** Onward's own tools; null: none in this turn */
  toolRounds: ToolRounds | null
  /** a session in reenter mode: its followups are sent within the HTTP call */
  next: NextFollowup | null
  /** Writes down what the client does not see, before its answer ends. Never rejects. */
  keep(hiddenTurns: HiddenRound): Promise<void>
}
