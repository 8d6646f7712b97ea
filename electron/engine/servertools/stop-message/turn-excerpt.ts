import type { BackgroundFound } from '../../sessions/activity.ts'
import type { AgentBusy } from './ended-turn.ts'

/** One call of the agent's own tools, as its requests show it. Texts are cut at their middle. */
export interface ExcerptCall {
  name: string
  /** JSON as the model wrote it, or a custom tool's text */
  arguments: string
  /** null: it has none in the requests yet */
  result: string | null
  isError: boolean
  /** the same for a call with the same name and arguments, whatever was cut */
  key: string
}

/** An agent's work between a person's or Onward's message and its plain stop, independent of the protocol. */
export interface TurnExcerpt {
  /** of its own tools, oldest first; the last 200 */
  calls: readonly ExcerptCall[]
  /** how many there were */
  callsTotal: number
  /** its last words */
  text: string
  /** the agent's own goal, loop or schedule drives the session, if the requests show it */
  drivenBy: AgentBusy | null
  /** its work in the background, if the requests show any */
  background?: BackgroundFound
}
