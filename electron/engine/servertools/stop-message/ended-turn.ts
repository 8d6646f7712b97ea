import type { BackgroundWait } from '../../../../shared/background.ts'
import type { FinishKind, NearLimit, SkipReason } from '../../../../shared/events.ts'
import type { Spent } from '../../../../shared/cost/cost.ts'
import type { RequestKind, Scope } from '../../../../shared/words.ts'
import type { BackgroundFound } from '../../sessions/activity.ts'

/** A request that ended, as the pipeline reports it. */
export interface EndedTurn {
  requestId: string
  sessionId: string | null
  kind: RequestKind
  /** the HTTP call is itself a reentered followup */
  reentered: boolean
  finish: FinishKind
  /** the client disconnected before the response was complete for it */
  clientLeft: boolean
  /** a conversation bound to a client registered by daemon id never serves stopMessage */
  registeredClientOnly: boolean
  /** the agent is not finished: its own goal, loop or schedule continues it, if that can be seen */
  notFinished: AgentBusy | null
  /** reenter mode: its provider is near a limit, and its client can't wait for the reset */
  nearLimit?: NearLimit | null
  /** what was seen of its work in the background; absent: nothing */
  background?: BackgroundFound
}

/**
 * reenter mode: facts about an HTTP call that is still open. `spent`: by its rounds so far; `left`: its client is gone
 */
export interface OpenCallFacts {
  spent?: Spent
  left?: AbortSignal
}

export type AgentBusy = Extract<SkipReason, { code: 'agent-not-finished' }>['why']

/** Facts for the decision besides the turn itself, looked up when it is made. */
export interface TurnFacts extends EndedTurn {
  scope: Scope | null
  paused: 'global' | 'session' | null
  /** why nothing will ever be typed into the scope's terminal again; null while it lives, and in reenter mode */
  terminalGone: string | null
  /** session of the scope's last main turn; undefined in reenter mode, where the scope is the conversation */
  conversation: string | null | undefined
  /** a followup that keeps the agent going is under way */
  pendingEntryId: string | null
  /** what the agent's session has used in all; null: not known */
  totals: Spent | null
  /** its work in the background that is still waited for */
  waitsFor: BackgroundWait | null
}

export const isPlainStop = (turn: EndedTurn): boolean =>
  turn.kind === 'turn' && !turn.reentered && turn.finish === 'stop' && !turn.clientLeft
