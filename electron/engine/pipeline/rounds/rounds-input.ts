import type { Usage } from '../../../../shared/cost/usage.ts'
import type { ResponseSummary } from '../../protocol/types.ts'
import type { ToolRounds } from '../../servertools/tool-rounds/tool-rounds.ts'
import type { TurnEnd } from '../turn.ts'
import type { HiddenRound } from './hidden-history.ts'

/** The usage of an HTTP call's rounds so far, who answered them, and how long its client may wait for more. */
export interface RoundsSoFar {
  usage: Usage | null
  choice: TurnEnd['choice']
  /** its client hears now and then that more is coming; another one gives up after some minutes */
  streaming: boolean
  /** aborted when the client has left */
  left: AbortSignal
}

/**
 * Decides after each round that came to an end what the user says next; null: nothing more. Called once per round,
 * whatever its finish, and counts a round before it gives its text.
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
  /** Records what the client does not see, before its answer ends. Never rejects. */
  keep(hiddenTurns: HiddenRound): Promise<void>
}
