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
  /** the agent can be started so that it goes on with a conversation */
  canResume: boolean
  /** which conversation it was is known */
  conversationKnown: boolean
  /** when it was started again before (epoch ms) */
  starts: readonly number[]
}

/** `null`: not wanted, so nothing is reported either */
export type ReviveDecision = { kind: 'again' } | { kind: 'rests'; why: ReviveRest } | null

const HOUR_MS = 3_600_000
export const mostPerHour = 3

/**
 * Closing a terminal and pressing an interrupt key send these, or end as the exit codes that a shell would show for
 * them.
 */
const told = new Set<string | number>(['SIGHUP', 'SIGINT', 'SIGQUIT', 129, 130, 131])

/**
 * Decides whether an agent that ended is started again. A person's order counts most, then the process itself: an agent
 * ends with 0 when it was asked to or finished, never when it crashed, was killed or ran out of memory. So an agent
 * that ended with 0 rests, whatever asked it to end: the keys in a pane can't be seen, and an agent that a person quit
 * must not come back.
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
