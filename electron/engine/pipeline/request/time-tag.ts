import { nowFacts } from '../../base/now-facts.ts'
import { timeTagStart } from '../../protocol/append/time-tag-start.ts'
import { isAgentsTurn } from './is-agents-turn.ts'
import type { Turn } from '../turn.ts'

/**
 * Returns the line with the time as the model reads it after every request. @param offsetMs NTP's correction, in
 * `nowMs` already
 */
export function timeTagLine(nowMs: number, timezone: string, offsetMs: number): string {
  const { utc, local } = nowFacts(nowMs, timezone)
  return (
    `${timeTagStart}utc=\`${utc}\` local=\`${local}\` ` +
    `tz=\`${timezone}\` nowMs=\`${nowMs}\` ntpOffsetMs=\`${offsetMs}\``
  )
}

/**
 * True if a turn may have the time tag: one of the main agent that a provider answers, with the user's words at its end
 * or with results. After results of a model that thinks, words of the user's end the turn it is thinking in: vendors
 * then leave out its earlier thinking (Anthropic, Extended thinking with tool use; Google, Thought signatures).
 */
export function wantsTimeTag(
  turn: Pick<Turn, 'call' | 'codec' | 'draft' | 'identity' | 'ownAnswer' | 'reentered'>,
): boolean {
  if (!isAgentsTurn(turn)) return false
  const { call, codec } = turn
  const { lens } = turn.draft
  const role = lens.lastMessage()?.role
  return role === 'user' || (role === 'tool' && !codec.needs(lens, call.path).thinking())
}
