import type { ReviveRest } from '../../../../shared/events.ts'
import type { AgentEnding } from '../../terminals/host/messages.ts'

/** An agent's process ended in a terminal of Onward's. */
export interface EndFacts {
  /** `goal.revive` */
  wanted: boolean
  /** a goal or a followup is set there that goes on by itself */
  armed: boolean
  exitCode: number | null
  /** null: its host or launcher is of an earlier version, and could not start it again */
  ending: AgentEnding | null
  /** it is known how the agent goes on with a conversation */
  canResume: boolean
  /** which conversation it was is known */
  conversationKnown: boolean
  /** when it was started again before (epoch ms) */
  starts: readonly number[]
}

/** `null`: nobody wants it, so nothing is said of it either */
export type ReviveDecision = { kind: 'again' } | { kind: 'rests'; why: ReviveRest } | null

const HOUR_MS = 3_600_000
export const mostPerHour = 3

/** A terminal that is closed and a key that interrupts send these, or become the codes a shell would show for them. */
const told = new Set<string | number>(['SIGHUP', 'SIGINT', 'SIGQUIT', 129, 130, 131])

/**
 * Whether an agent that ended is started again. A person's word counts most, then what the process says itself: an
 * agent ends with 0 when it was asked to or came to its end, never when it crashed, was killed or ran out of memory. So
 * 0 rests, whoever asked for it: in a pane nobody sees keys, and an agent that a person quit must not come back.
 */
export function decideRevive(facts: EndFacts, now: number): ReviveDecision {
  const { ending, exitCode } = facts
  if (!facts.wanted || !facts.armed || ending === null) return null
  const rests = (why: ReviveRest): ReviveDecision => ({ kind: 'rests', why })
  if (ending.asked === 'person') return rests('quit')
  if (ending.asked === 'told' || told.has(ending.signal ?? exitCode ?? '')) return rests('told')
  if (exitCode === 0) return rests('ended-well')
  if (!facts.canResume) return rests('no-resume')
  if (!ending.resumes) return rests('arguments')
  if (!facts.conversationKnown) return rests('no-conversation')
  if (lastHour(facts.starts, now).length >= mostPerHour) return rests('too-often')
  return { kind: 'again' }
}

export const lastHour = (starts: readonly number[], now: number): readonly number[] =>
  starts.filter((at) => at > now - HOUR_MS)
